#include "record/upc.h"

#include "record/shapes.h"
#include "record/timer.h"
#include "record/upc_calls.h"
#include "record/upc_life.h"
#include "record/upc_regions.h"

#include <string.h>

static const struct upc_facts no_facts = {.values = UPC_NO_VALUES, .sizes = {0, 1}};

/* The stream of the calling thread, if something may be recorded in it now. */
static inline struct stream *free_stream_of(const struct upc_thread *thread)
{
	struct stream *s = stream_self;

	return LIKELY(s && !s->limit && thread->is_on) ? s : NULL;
}

static inline uint32_t event_of(const struct upc_thread *thread, unsigned tag)
{
	return LIKELY(tag < UPC_TAGS) ? thread->events[tag] : upc_event_of_large(thread, tag);
}

static inline bool hides_others(uint32_t event)
{
	return upc_manner_of(event) == UPC_CALL;
}

/* Calls that began and never ended: some later call says so. */
static void leave_behind(struct upc_thread *thread, uint32_t depth)
{
	while (thread->depth > depth) {
		const struct upc_open *open = &thread->open[--thread->depth];
		if (open->is_seen && stream_self)
			stream_leave(stream_self);
		thread->hiding -= hides_others(open->event);
		thread->left_behind++;
	}
}

/* No call contains one of its own kind: the one before was left by a jump, or nobody told its end. */
static void leave_what_cannot_be(struct upc_thread *thread, uint32_t event, unsigned tag)
{
	if (!hides_others(event))
		return;
	for (uint32_t i = 0; i < thread->depth; i++)
		if (thread->open[i].event == event && thread->open[i].tag == tag) {
			leave_behind(thread, i);
			return;
		}
}

static void start_call(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_place at)
{
	struct stream *s;
	struct upc_open *open;

	if (UNLIKELY(thread->depth))
		leave_what_cannot_be(thread, event, tag);
	if (UNLIKELY(thread->depth == UPC_NESTING)) {
		thread->too_deep++;
		return;
	}
	open = &thread->open[thread->depth++];
	open->event = event;
	open->tag = tag;
	s = thread->hiding ? NULL : free_stream_of(thread);
	open->is_seen = s;
	if (LIKELY(hides_others(event)))
		thread->hiding++;
	if (!s)
		return;
	open->site = upc_site(&thread->places, thread->account, at);
	if (UNLIKELY(s->generation != object_generation))
		stream_renew_caches(s);
	if (LIKELY(hides_others(event)))
		s->limit = STREAM_INSIDE;
	open->start = stream_start(s);
}

/* Finds the open call that ends. Those that it contained and that did not end are left behind. */
static bool end_open(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_open *ended)
{
	uint32_t at = thread->depth;

	if (UNLIKELY(thread->too_deep)) {
		thread->too_deep--;
		return false;
	}
	while (at > 0 && (thread->open[at - 1].event != event || thread->open[at - 1].tag != tag))
		at--;
	if (UNLIKELY(!at)) {
		thread->unmatched_ends += !thread->was_off;
		return false;
	}
	leave_behind(thread, at);
	*ended = thread->open[--thread->depth];
	thread->hiding -= hides_others(event);
	return true;
}

/* A notify may be the first half of a barrier: it is written when something else comes. */
static void hold_notify(struct upc_thread *thread, struct stream *s, const int64_t *key, uint32_t words,
                        uint64_t start, uint64_t end)
{
	stream_hold(s, key, words, start, end);
	thread->notify.is_held = true;
	thread->notify.start = start;
	thread->notify.site = key[KEY_SITE];
	thread->notify.id = key[KEY_VALUES + 1];
}

static bool completes_barrier(const struct upc_thread *thread, const int64_t *key)
{
	return thread->notify.is_held && key[KEY_SITE] && thread->notify.site == key[KEY_SITE] &&
	       thread->notify.id == key[KEY_VALUES + 1];
}

/* From the notify on, with its words: both have the same fields behind. */
static void record_barrier(struct upc_thread *thread, struct stream *s, int64_t *key, uint64_t end)
{
	key[KEY_WHAT] = KEY_CALL(CALL_upc_barrier, 0);
	stream_record(s, key, KEY_VALUES + 2, thread->notify.start, end);
}

static void record(struct upc_thread *thread, struct stream *s, uint32_t event, int64_t *key, uint32_t words,
                   uint64_t start, uint64_t end)
{
	if (UNLIKELY(event == UPC_EVENT_NOTIFY && thread->merges_barriers)) {
		hold_notify(thread, s, key, words, start, end);
		return;
	}
	if (UNLIKELY(event == UPC_EVENT_WAIT && completes_barrier(thread, key)) &&
	    stream_take_held(s, thread->notify.start))
		record_barrier(thread, s, key, end);
	else
		stream_record(s, key, words, start, end);
	thread->notify.is_held = false;
}

static void end_call(struct upc_thread *thread, uint32_t event, unsigned tag, const struct upc_facts *facts,
                     uint64_t end)
{
	int64_t key[UPC_KEY_MAX];
	struct upc_open ended;
	struct stream *s = stream_self;
	uint32_t words;

	if (!end_open(thread, event, tag, &ended) || !ended.is_seen)
		return;
	words = upc_make_key(thread, event, tag, facts, key);
	key[KEY_SITE] = ended.site;
	if (LIKELY(s && !s->idle_limit && thread->is_on)) {
		/* What hides nothing may contain calls that are written already. */
		if (UNLIKELY(ended.start < s->encoder.last_end))
			ended.start = s->encoder.last_end < end ? s->encoder.last_end : end;
		record(thread, s, event, key, words, ended.start, end);
	}
	if (s)
		stream_leave(s);
}

/* An event of no duration. */
static void record_moment(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_place at,
                          const struct upc_facts *facts)
{
	struct stream *s = thread->hiding ? NULL : free_stream_of(thread);
	int64_t key[UPC_KEY_MAX];
	uint64_t now;
	uint32_t words;

	if (!s)
		return;
	words = upc_make_key(thread, event, tag, facts, key);
	key[KEY_SITE] = upc_site(&thread->places, thread->account, at);
	now = stream_start(s);
	record(thread, s, event, key, words, now, now);
}

static void handle_call(struct upc_thread *thread, uint32_t event, unsigned tag, int type,
                        struct upc_place at, const struct upc_facts *facts, uint64_t now)
{
	if (type == UPC_START)
		start_call(thread, event, tag, at);
	else if (type == UPC_END)
		end_call(thread, event, tag, facts, now);
	else
		record_moment(thread, event, tag, at, facts);
	if (UNLIKELY(event == UPC_EVENT_UNKNOWN && type != UPC_START))
		upc_count_unknown(thread, tag);
	if (UNLIKELY((event == UPC_EVENT_COLLECTIVE_EXIT && type == UPC_END) ||
	             event == UPC_EVENT_NONCOLLECTIVE_EXIT))
		upc_thread_ends(thread);
}

static void handle_region(struct upc_thread *thread, uint32_t event, unsigned tag, int type,
                          struct upc_place at, const struct upc_facts *facts)
{
	struct stream *s = thread->hiding ? NULL : free_stream_of(thread);

	if (!s)
		return;
	thread->notify.is_held = false;
	upc_record_region(thread, s, event, tag, type, upc_site(&thread->places, thread->account, at),
	                  facts->text);
}

/* The arguments of those inside are of no interest. */
static bool is_outermost(const struct upc_thread *thread, uint32_t event)
{
	for (uint32_t i = 0; i < thread->depth; i++)
		if (hides_others(thread->open[i].event))
			return thread->open[i].event == event;
	return true;
}

static void notify(void *context, unsigned tag, int type, struct upc_place at, va_list arguments)
{
	struct upc_thread *thread = context;
	uint64_t now = type == UPC_START ? 0 : timer_now();
	uint32_t event = event_of(thread, tag);
	struct upc_facts facts;

	if (UNLIKELY(thread->is_busy || thread->is_over))
		return;
	if (upc_manner_of(event) == UPC_PASSED_OVER)
		return;
	thread->is_busy = true;
	if (LIKELY(upc_manner_of(event) == UPC_CALL) && type == UPC_START) {
		start_call(thread, event, tag, at);
	} else {
		facts = no_facts;
		if (LIKELY(thread->hiding <= hides_others(event) || is_outermost(thread, event)))
			upc_read_arguments(thread, event, arguments, &facts);
		if (upc_manner_of(event) == UPC_REGION)
			handle_region(thread, event, tag, type, at, &facts);
		else
			handle_call(thread, event, tag, type, at, &facts, now);
	}
	thread->is_busy = false;
}

static void wrapped(void *context, uint32_t event, int type, struct upc_place at,
                    const struct upc_values *values)
{
	struct upc_thread *thread = context;
	uint64_t now = timer_now();
	struct upc_facts facts = no_facts;

	if (thread->is_busy || thread->is_over || event >= UPC_EVENT_COUNT ||
	    upc_manner_of(event) != UPC_CALL)
		return;
	thread->is_busy = true;
	if (values)
		facts.values = *values;
	handle_call(thread, event, 0, type, at, &facts, now);
	thread->is_busy = false;
}

static int control(void *context, int on)
{
	struct upc_thread *thread = context;
	struct stream *s = stream_self;
	int before = thread->is_on;

	if (!thread->is_busy && !thread->is_over && !before != !on && s && !s->idle_limit) {
		thread->notify.is_held = false;
		if (s->paused != !on && !(on && selection.active && selection.paused))
			stream_pause(s, timer_now(), on);
	}
	thread->is_on = on != 0;
	thread->was_off |= !on;
	return before;
}

static const struct upc_recorder recorder = {
	.version = UPC_LINK_VERSION,
	.begin = upc_thread_begins,
	.notify = notify,
	.wrapped = wrapped,
	.control = control,
	.create_event = upc_create_event,
};

__attribute__((visibility("default"))) const struct upc_recorder *tarry_upc_recorder(uint32_t version)
{
	if (version == UPC_LINK_VERSION)
		return &recorder;
	if (process_start())
		upc_note_version();
	return NULL;
}
