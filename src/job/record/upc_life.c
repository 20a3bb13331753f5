#include "job/record/upc_life.h"

#include "base/hash.h"
#include "job/mpi/world.h"
#include "job/record/probes.h"
#include "job/record/recording_session.h"
#include "job/record/stream_define.h"
#include "job/record/timer.h"
#include "job/record/upc.h"
#include "job/record/upc_calls.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 256, TEAM_ORIGIN = 0x757063 };

static struct upc_thread *threads; /* of this process */
static uint32_t living;

uint32_t upc_event_of_large(const struct upc_thread *thread, unsigned tag)
{
	const struct upc_dialect *dialect = thread->dialect;

	for (size_t i = 0; i < dialect->number_count; i++)
		if (dialect->numbers[i].tag == tag)
			return dialect->numbers[i].event < UPC_EVENT_COUNT ? dialect->numbers[i].event
			                                                   : UPC_EVENT_UNKNOWN;
	return (tag >= dialect->user_first && tag <= dialect->user_last &&
	        tag - dialect->user_first < UPC_USER_EVENTS)
	               ? UPC_EVENT_USER
	               : UPC_EVENT_UNKNOWN;
}

/* The same in all threads: derived from the world, or, before MPI gives the world, from what the world will be derived from. */
static uint64_t team_identity(int count)
{
	int common = 0;
	uint64_t world = process.identified ? process.world : world_identity(process.run, count, &common);

	return hash_words(&(int64_t){count}, 1, world ^ TEAM_ORIGIN);
}

/* The first thread uses the process's own rank state, others get new ones. In programs with MPI, MPI identifies the process. */
static struct rank_state *find_rank_state(const struct upc_thread *thread)
{
	if (!threads) {
		if (!process.has_mpi) {
			recording_begin(thread->me, thread->threads);
			probes_start();
		}
		return &first_rank;
	}
	if (process.has_mpi) {
		process_note(
			"process %u records only one of its UPC threads: in programs with MPI, each UPC thread must be a process",
			process.rank);
		return NULL;
	}
	return recording_join(thread->me);
}

static bool introduce(struct upc_thread *thread)
{
	thread->rank_state = find_rank_state(thread);
	if (!thread->rank_state)
		return false;
	thread->team_identity = team_identity(thread->threads);
	thread->team = object_add(thread->team_identity);
	process_write_only(thread->rank_state);
	/* Berkeley UPC stores each part of its version in a byte, GUPC in two digits. */
	uint32_t version = thread->dialect->gasp_upc_version,
		 base = thread->dialect->gasp_upc_version >> 16 ? 256 : 100;
	char text[40];
	snprintf(text, sizeof text, "%u.%u.%u", version / base / base, version / base % base, version % base);
	process_property("upc", thread->dialect->implementation);
	process_property("upc_version", text);
	/* Each member describes itself as a member. */
	process_write(RECORD_COMM, &(struct comm){.identity = thread->team_identity,
	                                          .kind = COMM_UPC,
	                                          .rank = (uint64_t)thread->me,
	                                          .size = (uint64_t)thread->threads,
	                                          .name = "UPC threads"});
	process_write_only(NULL);
	thread->next = threads;
	threads = thread;
	living++;
	return true;
}

static struct upc_thread *new_thread(const struct upc_dialect *dialect)
{
	struct upc_thread *thread = process_claim(sizeof *thread);

	if (!thread) {
		process_note(
			"a UPC thread is not recorded: no memory is left for it; give a larger --buffer");
		return NULL;
	}
	thread->dialect = dialect;
	thread->me = dialect->my_thread();
	thread->threads = dialect->threads();
	for (size_t i = 0; i < UPC_USER_EVENTS; i++)
		thread->user_texts[i] = ABSENT;
	thread->merges_barriers = true;
	for (size_t i = 0; i < thread->dialect->number_count; i++)
		if (thread->dialect->numbers[i].event == UPC_EVENT_BARRIER)
			thread->merges_barriers = false;
	for (uint32_t event = 0; event < UPC_EVENT_COUNT; event++)
		thread->key_readers[event] = upc_key_reader_of(event);
	for (unsigned tag = 0; tag < UPC_TAGS; tag++)
		thread->events[tag] = (uint8_t)upc_event_of_large(thread, tag);
	return thread;
}

static bool is_sane(const struct upc_thread *thread)
{
	if (thread->threads > 0 && thread->me >= 0 && thread->me < thread->threads)
		return true;
	process_note("a UPC thread is not recorded: the runtime calls it thread %d of %d", thread->me,
	             thread->threads);
	return false;
}

void upc_count_unknown(struct upc_thread *thread, unsigned tag)
{
	uint64_t known = 0;

	thread->unknown++;
	while (known < UPC_UNKNOWN_IDS && thread->unknown_ids[known] && thread->unknown_ids[known] != tag)
		known++;
	if (known < UPC_UNKNOWN_IDS)
		thread->unknown_ids[known] = tag;
}

static void note_count(const char *property, uint64_t count)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	if (count)
		process_property(property, text);
}

/* Reports the outermost of nested calls, which is the one that the program made. */
static void note_unfinished(const struct upc_thread *thread)
{
	const struct upc_open *open = &thread->open[0];
	const char *function, *path;
	char text[TEXT_BYTES];
	uint64_t line = 0;

	if (!thread->depth || !open->is_seen)
		return;
	function = shape_name(upc_call_of(open->event));
	path = upc_site_path(&thread->places, open->site, &line);
	if (path)
		snprintf(text, sizeof text, "%s %s:%llu", function, path, (unsigned long long)line);
	else
		snprintf(text, sizeof text, "%s", function);
	process_property("unfinished", text);
	process_note("process %u ended inside a call that is missing from the trace: %s",
	             thread->rank_state->rank, text);
}

/* The caller holds the lock. */
static void finish_thread(struct upc_thread *thread)
{
	if (thread->obstacles & UPC_OVER)
		return;
	thread->obstacles |= UPC_OVER;
	living--;
	process_write_only(thread->rank_state);
	note_unfinished(thread);
	note_count("left_behind", thread->left_behind);
	note_count("unmatched_ends", thread->unmatched_ends);
	if (thread->unknown) {
		char text[TEXT_BYTES];
		int length = snprintf(text, sizeof text, "%llu (", (unsigned long long)thread->unknown);
		for (int i = 0; i < UPC_UNKNOWN_IDS && thread->unknown_ids[i]; i++)
			length += snprintf(text + length, sizeof text - (size_t)length, i ? " %u" : "%u",
			                   thread->unknown_ids[i]);
		snprintf(text + length, sizeof text - (size_t)length, ")");
		process_property("unknown_events", text);
	}
	process_write_only(NULL);
}

static void write_only_to(void *rank_state, bool begins)
{
	if (begins)
		process_lock();
	process_write_only(begins ? rank_state : NULL);
	if (!begins)
		process_unlock();
}

static bool enter(struct upc_thread *thread)
{
	bool introduced;

	process_lock();
	introduced = is_sane(thread) && introduce(thread);
	process_unlock();
	if (introduced && thread->rank_state != &first_rank)
		sites_tell_again(write_only_to, thread->rank_state);
	return introduced;
}

void *upc_thread_begins(const struct upc_dialect *dialect)
{
	struct upc_thread *thread;

	if ((stream_self && RELAXED_LOAD(stream_self->idle_limit)) || !process_start())
		return NULL;
	if (dialect->version != UPC_LINK_VERSION) {
		upc_note_version();
		return NULL;
	}
	thread = new_thread(dialect);
	if (!thread)
		return NULL;
	if (!enter(thread)) {
		process_give_back(thread, sizeof *thread);
		return NULL;
	}
	if (!stream_self)
		stream_begin_for(thread->rank_state);
	else if (!RELAXED_LOAD(stream_self->idle_limit) && stream_self->rank_state != thread->rank_state)
		stream_move(stream_self, thread->rank_state);
	if (!RELAXED_LOAD(stream_self->idle_limit)) {
		/* The thread's trace begins here; earlier delays do not count. */
		const int64_t key[] = {0, KEY_CALL(CALL_upc_start, 0), thread->team};
		uint64_t now;
		scheduling_delay_end(&stream_self->delay);
		scheduling_delay_begin(&stream_self->delay, &thread->rank_state->delay_us);
		now = timer_now();
		stream_record(stream_self, key, sizeof key / sizeof *key, now, now);
		return thread;
	}
	/* The thread stays registered, but is not recorded. */
	process_lock();
	finish_thread(thread);
	process_unlock();
	return NULL;
}

void upc_note_version(void)
{
	process_note(
		"a UPC program is not recorded: it was compiled for another version of Tarry; compile it again "
		"with 'tarry upcc'");
}

void upc_identify(void)
{
	if (threads && !process.identified && process.output && part_is_open())
		recording_begin(threads->me, threads->threads);
}

bool upc_is_under_way(void)
{
	return living;
}

void upc_stop(void)
{
	for (struct upc_thread *thread = threads; thread; thread = thread->next)
		finish_thread(thread);
}

void upc_thread_ends(struct upc_thread *thread)
{
	bool last;

	process_lock();
	upc_identify();
	finish_thread(thread);
	last = !living && !process.has_mpi;
	process_unlock();
	if (last)
		recording_end();
}

enum { NAME_BYTES = 256 };

/* The index of a user's event. */
static uint32_t index_of(const struct upc_thread *thread, unsigned tag)
{
	return tag - thread->dialect->user_first;
}

/* An event that the program did not create is named by its number. */
static int64_t text_of_event(struct upc_thread *thread, unsigned tag)
{
	int64_t *text = &thread->user_texts[index_of(thread, tag)];
	char name[32];

	if (UNLIKELY(*text == ABSENT)) {
		snprintf(name, sizeof name, "event %u", tag);
		*text = text_number(name);
	}
	return *text;
}

static int64_t text_of_function(struct upc_thread *thread, const char *name)
{
	struct upc_function *known = &thread->functions[(uintptr_t)name >> 3 & (UPC_FUNCTIONS - 1)];

	if (!name)
		return ABSENT;
	if (UNLIKELY(known->name != name || known->text == ABSENT ||
	             strncmp(text_of(known->text), name, NAME_BYTES - 1) != 0)) {
		known->name = name;
		known->text = text_number(name);
	}
	return known->text;
}

static int64_t find_text(struct upc_thread *thread, uint32_t event, unsigned tag, const char *name)
{
	switch (event) {
	case UPC_EVENT_USER:
		return text_of_event(thread, tag);
	case UPC_EVENT_C_FUNC:
		return text_of_function(thread, name);
	default:
		return text_number("upc_forall");
	}
}

/* Counts open regions. False: no open region can end. */
static bool is_balanced(struct upc_thread *thread, uint32_t event, unsigned tag, int type)
{
	uint32_t *count = event == UPC_EVENT_C_FUNC ? &thread->open_functions : &thread->open_foralls;

	if (event == UPC_EVENT_USER)
		count = &thread->user_open[index_of(thread, tag)];
	if (type == UPC_START)
		++*count;
	if (type != UPC_END)
		return true;
	if (!*count) {
		thread->unmatched_ends += !thread->was_off;
		return false;
	}
	--*count;
	return true;
}

void upc_record_region(struct upc_thread *thread, struct recording_stream *s, uint32_t event, unsigned tag,
                       int type, int64_t site, const char *name)
{
	static const enum user_event user_events[] = {
		[UPC_START] = USER_REGION_BEGIN, [UPC_END] = USER_REGION_END, [UPC_ATOMIC] = USER_MARK};
	uint64_t now = stream_start(s);

	if (!is_balanced(thread, event, tag, type))
		return;
	const int64_t key[] = {site, KEY_CALL(user_events[type], 0), find_text(thread, event, tag, name)};
	stream_record(s, key, sizeof key / sizeof *key, now, now);
}

/* The description of its arguments is not needed. */
unsigned upc_create_event(void *context, const char *name, const char *description)
{
	struct upc_thread *thread = context;
	const struct upc_dialect *dialect = thread->dialect;
	uint32_t room = dialect->user_last - dialect->user_first + 1, number = 0;
	int64_t text;

	(void)description;
	if (!name)
		return dialect->user_last;
	text = text_number(name);
	if (room > UPC_USER_EVENTS)
		room = UPC_USER_EVENTS;
	while (number < thread->user_events && thread->user_texts[number] != text)
		number++;
	if (number == room) {
		process_note("thread %d defines more than %u events: the others are recorded as one",
		             thread->me, room);
		return dialect->user_first + room - 1;
	}
	thread->user_texts[number] = text;
	if (number == thread->user_events)
		thread->user_events++;
	return dialect->user_first + number;
}
