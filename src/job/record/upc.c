#include "job/record/upc.h"

#include "calls/calls.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/stream.h"
#include "job/record/stream_define.h"
#include "job/record/timer.h"
#include "job/record/upc_calls.h"
#include "job/record/upc_life.h"
#include "job/record/upc_thread.h"

#include <errno.h>
#include <string.h>

/* Finds the place of an access to shared memory if the runtime does not report it: the return address of the runtime function that made it.
 * The stack is unwound once for each such place (near_callers.h). Only the functions in struct upc_dialect are skipped. If another function
 * is between, for example because of inlining, the place is unknown. */

struct recording_stream;

/* The maximum size of a function that only calls another one. */
enum { PASSAGE_BYTES = 1024 };

/* Locates them once for each thread, because the program is never unloaded. */
static void find_passages(struct upc_thread *thread)
{
	struct upc_passages *passages = &thread->passages;

	for (size_t i = 0; i < thread->dialect->passage_count && i < UPC_PASSAGES; i++) {
		struct upc_passage *passage = &passages->items[passages->count++];
		site_locate(thread->dialect->passages[i], &passage->module, &passage->offset);
	}
	passages->are_known = true;
}

static bool is_passage(const struct upc_passages *passages, const struct path_node *place)
{
	for (uint32_t i = 0; i < passages->count; i++)
		if (passages->items[i].module == place->module && place->offset > passages->items[i].offset &&
		    place->offset - passages->items[i].offset <= PASSAGE_BYTES)
			return true;
	return false;
}

/* The innermost caller is the library that calls the recorder, followed by the passages of the event and of the access. */
static int64_t program_of(const struct upc_passages *passages, int64_t word)
{
	enum { PASSED = 2 };
	struct path_node place = place_get(place_of_word(word));
	uint32_t number = place.caller;

	for (int i = 0; i < PASSED; i++) {
		if (number == NO_PLACE)
			return 0;
		place = place_get(number);
		if (!is_passage(passages, &place))
			return 0;
		number = place.caller;
	}
	if (number == NO_PLACE)
		return 0;
	place = place_get(number);
	return is_passage(passages, &place) ? 0 : place_word(number);
}

/* The site word of the current event; 0: unknown. `site` and `frame` are the return address into the program's library, and its frame; NULL:
 * unknown. */
static int64_t upc_caller_site(struct upc_thread *thread, struct recording_stream *s, const void *site,
                               const void *frame)
{
	struct upc_passages *passages = &thread->passages;
	int64_t word;

	if (!passages->are_known)
		find_passages(thread);
	if (!passages->count || !site)
		return 0;
	word = (int64_t)(uintptr_t)stream_site(s, site, frame);
	if (word >= 0)
		return 0;
	if (word != passages->last_word) {
		passages->last_site = program_of(passages, word);
		passages->last_word = word;
	}
	return passages->last_site;
}

static const struct upc_facts no_facts = {.values = UPC_NO_VALUES, .sizes = {0, 1}};

/* The stream of the calling thread, if it can record now; otherwise NULL. */
static inline struct recording_stream *free_stream_of(const struct upc_thread *thread)
{
	struct recording_stream *s = stream_self;

	return LIKELY(s && !RELAXED_LOAD(s->limit) && !(thread->obstacles & UPC_OFF)) ? s : NULL;
}

static inline bool hides_others(uint32_t event)
{
	return upc_manner_of(event) == UPC_CALL;
}

/* Drops calls that never ended, as a later event shows. */
static void drop_open_calls(struct upc_thread *thread, uint32_t depth)
{
	while (thread->depth > depth) {
		const struct upc_open *open = &thread->open[--thread->depth];
		if (open->is_seen && stream_self)
			stream_leave(stream_self);
		thread->hiding -= hides_others(open->event);
		thread->left_behind++;
	}
}

/* A call never contains another one of its own kind: the earlier one was left by a jump, or ended without an event. */
static void drop_same_call(struct upc_thread *thread, uint32_t event, unsigned tag)
{
	if (!hides_others(event))
		return;
	for (uint32_t i = 0; i < thread->depth; i++)
		if (thread->open[i].event == event && thread->open[i].tag == tag) {
			drop_open_calls(thread, i);
			return;
		}
}

/* Marks the thread as being in a call that may wait. Its arguments are read when it ends. */
static void open_call(const struct upc_thread *thread, struct recording_stream *s,
                      const struct upc_open *open)
{
	const uint32_t call = upc_call_of(open->event);
	const int64_t key[] = {open->site, KEY_CALL(call, 0), thread->team};

	switch (all_calls[call].pgas) {
	case PGAS_COLLECTIVE:
	case PGAS_SYNC:
	case PGAS_LOCK:
		stream_open_defined(s, key, sizeof key / sizeof *key, open->start);
		break;
	default:
		break;
	}
}

static void start_call(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_place at)
{
	struct recording_stream *s;
	struct upc_open *open;

	if (UNLIKELY(thread->depth))
		drop_same_call(thread, event, tag);
	if (UNLIKELY(thread->depth == UPC_NESTING)) {
		/* Calls are never nested this deep: an unknown event begins again and again, and never ends. Calls that hide
		 * others are few, because each is open at most once. */
		uint32_t oldest = 0;
		while (oldest < thread->depth - 1 && hides_others(thread->open[oldest].event))
			oldest++;
		thread->hiding -= hides_others(thread->open[oldest].event);
		thread->left_behind++;
		thread->depth--;
		memmove(&thread->open[oldest], &thread->open[oldest + 1],
		        (thread->depth - oldest) * sizeof *thread->open);
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
	if (UNLIKELY(s->generation != RELAXED_LOAD(object_generation)))
		stream_renew_caches(s);
	open->site = upc_site(&thread->places, thread->rank_state, at);
	if (UNLIKELY(!open->site))
		open->site = upc_caller_site(thread, s, thread->caller, thread->frame);
	thread->siteless = at;
	if (LIKELY(hides_others(event)))
		RELAXED_STORE(s->limit, STREAM_INSIDE);
	open->start = stream_start(s);
	open_call(thread, s, open);
}

/* Finds the open call that ends. Drops calls inside it that have not ended. */
static bool end_open(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_open *ended)
{
	uint32_t at = thread->depth;

	while (at > 0 && (thread->open[at - 1].event != event || thread->open[at - 1].tag != tag))
		at--;
	if (UNLIKELY(!at)) {
		thread->unmatched_ends += !thread->was_off;
		return false;
	}
	drop_open_calls(thread, at);
	*ended = thread->open[--thread->depth];
	thread->hiding -= hides_others(event);
	return true;
}

static bool is_same_siteless(const struct upc_thread *thread)
{
	return thread->siteless.file && thread->notify.at.file == thread->siteless.file &&
	       thread->notify.at.line == thread->siteless.line;
}

static bool completes_barrier(const struct upc_thread *thread, const int64_t *key)
{
	return thread->notify.is_held && thread->notify.site == key[KEY_SITE] &&
	       thread->notify.id == key[KEY_VALUES + 1] && (key[KEY_SITE] || is_same_siteless(thread));
}

static __attribute__((noinline)) void record_anew(struct recording_stream *s, uint32_t call, int64_t *key,
                                                  uint32_t words, uint64_t start, uint64_t end)
{
	const int saved = errno;

	key[KEY_WHAT] = KEY_CALL(call, 0);
	stream_record(s, key, words, start, end);
	key[KEY_WHAT] = RAW_WHAT(s, call);
	stream_remember_raw(s, key, words, NULL, 0);
	errno = saved; /* an assignment in the program must not change errno */
}

/* Records a call; most calls are predicted. */
static inline __attribute__((always_inline)) void record_as(struct recording_stream *s, uint32_t call,
                                                            int64_t *key, uint32_t words, uint64_t start,
                                                            uint64_t end)
{
	key[KEY_WHAT] = RAW_WHAT(s, call);
	if (LIKELY(stream_expects(s, key, words)) && LIKELY(stream_repeat(s, start, end)))
		return;
	record_anew(s, call, key, words, start, end);
}

static __attribute__((noinline)) void record(struct upc_thread *thread, struct recording_stream *s,
                                             uint32_t event, int64_t *key, uint32_t words, uint64_t start,
                                             uint64_t end)
{
	uint32_t call = (uint32_t)key[KEY_WHAT];

	if (event == UPC_EVENT_NOTIFY && thread->merges_barriers) {
		/* A notify may be the first half of a barrier. It is held, and written before the next event. */
		stream_hold(s, key, words, start, end);
		thread->notify.is_held = true;
		thread->notify.start = start;
		thread->notify.site = key[KEY_SITE];
		if (UNLIKELY(!key[KEY_SITE]))
			thread->notify.at = thread->siteless;
		thread->notify.id = key[KEY_VALUES + 1];
		return;
	}
	if (event == UPC_EVENT_WAIT && completes_barrier(thread, key) &&
	    stream_take_held(s, thread->notify.start)) {
		call = CALL_upc_barrier;
		start = thread->notify.start;
	}
	thread->notify.is_held = false;
	if (LIKELY(words == UPC_BARRIER_WORDS)) /* a constant for the compiler */
		record_as(s, call, key, UPC_BARRIER_WORDS, start, end);
	else
		record_as(s, call, key, words, start, end);
}

static void end_call(struct upc_thread *thread, uint32_t event, unsigned tag, const struct upc_facts *facts,
                     uint64_t end)
{
	int64_t key[UPC_KEY_MAX];
	struct upc_open ended;
	struct recording_stream *s = stream_self;
	uint32_t words;

	if (!end_open(thread, event, tag, &ended) || !ended.is_seen)
		return;
	words = upc_make_key(thread, event, tag, facts, key);
	key[KEY_SITE] = ended.site;
	if (LIKELY(s && !RELAXED_LOAD(s->idle_limit) && !(thread->obstacles & UPC_OFF))) {
		/* An event that hides nothing may contain recorded calls. */
		if (UNLIKELY(ended.start < stream_last_end(s)))
			ended.start = stream_last_end(s);
		record(thread, s, event, key, words, ended.start, end);
	}
	if (s)
		stream_leave(s);
}

/* An event without duration. */
static void record_moment(struct upc_thread *thread, uint32_t event, unsigned tag, struct upc_place at,
                          const struct upc_facts *facts)
{
	struct recording_stream *s = thread->hiding ? NULL : free_stream_of(thread);
	int64_t key[UPC_KEY_MAX];
	uint64_t now;
	uint32_t words;

	if (!s)
		return;
	words = upc_make_key(thread, event, tag, facts, key);
	key[KEY_SITE] = upc_site(&thread->places, thread->rank_state, at);
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

/* Whether arguments are needed: those of inner calls are not. */
static bool is_outermost(const struct upc_thread *thread, uint32_t event)
{
	for (uint32_t i = 0; i < thread->depth; i++)
		if (hides_others(thread->open[i].event))
			return thread->open[i].event == event;
	return true;
}

/* The usual case: a call begins at a known place while no other is open. One branch covers all rare cases. */
static inline __attribute__((always_inline)) bool start_frequent(struct upc_thread *thread, unsigned tag,
                                                                 struct upc_place at)
{
	const uint32_t event = thread->events[tag & (UPC_TAGS - 1)];
	const struct upc_known_place *known = upc_known_place(&thread->places, at);
	struct recording_stream *s = stream_self;
	struct upc_open *open = thread->open;

	if (UNLIKELY(!s))
		return false;
	if (UNLIKELY((tag >= UPC_TAGS) | (thread->obstacles != 0) | (thread->depth != 0) |
	             (RELAXED_LOAD(s->limit) != 0) | (thread->key_readers[event] == NULL) |
	             (s->generation != RELAXED_LOAD(object_generation)) | (known->constant_file != at.file) |
	             (known->line != at.line) | (at.file == NULL)))
		return false;
	thread->depth = thread->hiding = 1;
	open->event = event;
	open->tag = tag;
	open->is_seen = true;
	open->site = known->site;
	RELAXED_STORE(s->limit, STREAM_INSIDE);
	open->start = stream_start(s);
	open_call(thread, s, open);
	return true;
}

/* The end of such a call, without calls inside it. */
static inline __attribute__((always_inline)) bool end_frequent(struct upc_thread *thread, unsigned tag,
                                                               struct upc_arguments *arguments, uint64_t end)
{
	const struct upc_open *open = thread->open;
	struct recording_stream *s = stream_self;
	int64_t key[UPC_KEY_MAX];
	uint32_t words, event = open->event;

	if (UNLIKELY(!s))
		return false;
	if (UNLIKELY((thread->obstacles != 0) | (thread->depth != 1) | (open->tag != tag) |
	             (RELAXED_LOAD(s->limit) != STREAM_INSIDE) | (thread->key_readers[event] == NULL)))
		return false;
	words = thread->key_readers[event](thread, arguments,
	                                   key); /* events that this causes are inside this call */
	key[KEY_SITE] = open->site;
	thread->depth = thread->hiding = 0;
	if (LIKELY(words == UPC_ACCESS_WORDS)) {
		thread->notify.is_held = false;
		record_as(s, upc_call_of(event), key, UPC_ACCESS_WORDS, open->start, end);
	} else {
		key[KEY_WHAT] = KEY_CALL(upc_call_of(event), 0);
		record(thread, s, event, key, words, open->start, end);
	}
	stream_leave(s);
	return true;
}

static __attribute__((noinline)) void handle_others(struct upc_thread *thread, uint32_t event, unsigned tag,
                                                    int type, struct upc_place at,
                                                    struct upc_arguments *arguments, uint64_t now)
{
	struct upc_facts facts = no_facts;

	if (LIKELY(thread->hiding <= hides_others(event) || is_outermost(thread, event)))
		upc_read_arguments(thread, event, arguments, &facts);
	if (upc_manner_of(event) == UPC_REGION) {
		struct recording_stream *s = thread->hiding ? NULL : free_stream_of(thread);
		if (s) {
			thread->notify.is_held = false;
			upc_record_region(thread, s, event, tag, type,
			                  upc_site(&thread->places, thread->rank_state, at), facts.text);
		}
	} else {
		handle_call(thread, event, tag, type, at, &facts, now);
	}
}

static __attribute__((noinline)) void notify_slowly(struct upc_thread *thread, unsigned tag, int type,
                                                    struct upc_place at, struct upc_arguments *arguments,
                                                    uint64_t now)
{
	uint32_t event = LIKELY(tag < UPC_TAGS) ? thread->events[tag] : upc_event_of_large(thread, tag);
	const int saved = errno;

	if (thread->obstacles & (UPC_BUSY | UPC_OVER) || upc_manner_of(event) == UPC_PASSED_OVER ||
	    type < UPC_START || type > UPC_ATOMIC)
		return;
	thread->obstacles |= UPC_BUSY;
	if (type == UPC_START && hides_others(event))
		start_call(thread, event, tag, at);
	else
		handle_others(thread, event, tag, type, at, arguments, now);
	thread->obstacles &= ~(uint32_t)UPC_BUSY;
	errno = saved;
}

static void notify(void *context, unsigned tag, int type, struct upc_place at,
                   struct upc_arguments *arguments)
{
	struct upc_thread *thread = context;
	uint64_t now = 0;

	if (type == UPC_START && LIKELY(start_frequent(thread, tag, at)))
		return;
	if (LIKELY(type != UPC_START)) {
		now = timer_now();
	} else {
		thread->caller = __builtin_return_address(0);
		thread->frame = __builtin_frame_address(0);
	}
	if (UNLIKELY(type != UPC_END) || UNLIKELY(!end_frequent(thread, tag, arguments, now)))
		notify_slowly(thread, tag, type, at, arguments, now);
}

static void wrapped(void *context, uint32_t event, int type, struct upc_place at,
                    const struct upc_values *values)
{
	struct upc_thread *thread = context;
	uint64_t now = timer_now();
	struct upc_facts facts = no_facts;
	const int saved = errno;

	if (thread->obstacles & (UPC_BUSY | UPC_OVER) || event >= UPC_EVENT_COUNT ||
	    upc_manner_of(event) != UPC_CALL)
		return;
	thread->obstacles |= UPC_BUSY;
	if (values)
		facts.values = *values;
	thread->caller = NULL; /* it belonged to another event */
	handle_call(thread, event, 0, type, at, &facts, now);
	thread->obstacles &= ~(uint32_t)UPC_BUSY;
	errno = saved;
}

static int control(void *context, int on)
{
	struct upc_thread *thread = context;
	struct recording_stream *s = stream_self;
	int before = !(thread->obstacles & UPC_OFF);

	if (thread->obstacles & (UPC_BUSY | UPC_OVER) || before == !!on)
		return before;
	thread->notify.is_held = false;
	thread->obstacles = on ? 0 : UPC_OFF;
	thread->was_off |= !on;
	if (s && !RELAXED_LOAD(s->idle_limit) && s->paused != !on &&
	    !(on && selection.active && RELAXED_LOAD(selection.paused)))
		stream_pause(s, timer_now(), on, false);
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
