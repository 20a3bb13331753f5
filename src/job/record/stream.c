#include "job/record/stream.h"

#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/absence.h"
#include "job/record/arguments.h"
#include "job/record/known_calls.h"
#include "job/record/other_threads.h"
#include "job/record/poll_sleep.h"
#include "job/record/process.h"
#include "job/record/stream_define.h"
#include "job/record/summary.h"
#include "job/record/timer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CALL_LIMIT = 8192, /* distinct calls of a chunk of usual size; a power of two */
	BYTES_PER_CALL = 32,
	SHARE_OF_THREAD = 3, /* a chunk's share of a thread's memory */
	CHUNK_MIN = PAGE_BYTES,
	CHUNK_MAX = 1 << 30, /* lengths have 32 bits */
	/* The number of streams whose chunks of usual size should fit into the memory. */
	SHARE_OF_BUFFER = 16,
	/* Bytes of a chunk for each word of keys. A definition takes about three bytes per word, so a chunk full of
	 * definitions is full before the words are used up. */
	BYTES_PER_WORD = 8,
	ORIGIN_WORDS = 64, /* maximum of a key that is copied to change its site */
	TABLE_GAP = 1024,
	OVERHEAD_NS_MIN = 1000,
	OVERHEAD_MAX = 3600, /* seconds; a longer time means another clock */
};

_Thread_local struct recording_stream *stream_self __attribute__((tls_model("initial-exec")));

/* The stream of threads that are not recorded. */
static struct recording_stream stream_off = {.limit = UINTPTR_MAX, .idle_limit = UINTPTR_MAX};

static struct recording_stream *streams; /* of all living threads */
static uint32_t stream_count;
static uint64_t ended_cpu_ns; /* CPU time of threads that have ended */
static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

uint32_t object_generation;

const int64_t impossible_key[RAW_WORDS_MAX] = {[KEY_WHAT] = -1};

static bool open_chunk(struct recording_stream *s, size_t bytes, uint64_t base_tick)
{
	void *chunk;

	process_lock();
	chunk = part_chunk(&bytes, &s->place);
	if (chunk) {
		struct chunk_identity identity = {
			.world = s->rank_state->world,
			.process = s->rank_state->rank,
			.stream = s->number,
			.sequence = rank_state_next_sequence(s->rank_state),
		};
		encoder_open(&s->encoder, chunk, s->place.bytes, &identity, base_tick);
		memset(s->slots, 0xff, (s->slot_mask + 1) * sizeof *s->slots);
		memset(s->names, 0, sizeof s->names);
		memset(s->sites, 0, sizeof s->sites);
		memset(s->paths, 0, sizeof s->paths);
		memset(s->opened, 0, sizeof s->opened);
		memset(s->latest, 0xff, sizeof s->latest);
		arguments_forget_names(s);
		s->draft.begin = NULL;
		s->words_used = 0;
		s->unloads = site_unloads;
		stream_expect(s, NO_CALL);
	}
	process_unlock();
	if (!chunk)
		return false;
	/* Each chunk names its thread, so that chunks do not depend on each other. */
	char name[17] = "";
	if (pthread_getname_np(pthread_self(), name, sizeof name) != 0)
		*name = 0;
	encode_record(
		&s->encoder, RECORD_THREAD,
		&(struct thread_info){.id = (uint64_t)s->tid, .main = s->tid == getpid(), .name = name});
	return true;
}

void stream_lose_events(struct recording_stream *s, const char *reason)
{
	if (s->encoder.chunk && encoder_has_room(&s->encoder, CLOSING_ROOM))
		encode_record(&s->encoder, RECORD_LOSS, &(struct event_loss){s->encoder.last_end, reason});
	if (!RELAXED_LOAD(s->idle_limit)) /* otherwise it was stopped inside a call */
		process_note("process %u stopped recording: %s", s->rank_state->rank, reason);
	RELAXED_STORE(s->idle_limit, UINTPTR_MAX);
	RELAXED_STORE(s->limit, UINTPTR_MAX);
}

/* The size that the last chunk used: a chunk full of definitions leaves most of its room unused, and zeroing
 * unused room takes time. The result includes room for the next record, so chunks grow again. */
static size_t next_chunk_bytes(const struct recording_stream *s, size_t record_bytes)
{
	size_t used = sizeof(struct chunk_header) + s->encoder.chunk->length + NEXT_ROOM;
	size_t min = sizeof(struct chunk_header) + record_bytes + 2 * CLOSING_ROOM;
	size_t bytes = used < s->chunk_bytes ? used : s->chunk_bytes;

	return bytes < min ? min : bytes;
}

bool stream_next_chunk(struct recording_stream *s, size_t record_bytes)
{
	struct encoder full = s->encoder;
	struct chunk_place full_place = s->place;
	size_t bytes = next_chunk_bytes(s, record_bytes);
	const int saved = errno;
	char reason[128];

	s->encoder.chunk = NULL;
	if (!open_chunk(s, bytes, full.last_end)) {
		snprintf(reason, sizeof reason, "cannot extend the trace: %s", strerror(errno));
		s->encoder = full;
		s->place = full_place;
		stream_lose_events(s, reason);
		errno = saved;
		return false;
	}
	encoder_seal(&full, false);
	process_lock();
	part_release(full.chunk, &full_place);
	process_unlock();
	s->overhead_cause = "chunk";
	errno = saved;
	return true;
}

static bool has_room(const struct recording_stream *s, enum record_kind kind, const void *record)
{
	return encoder_has_room(&s->encoder, LONG_HEAD_MAX + record_room(kind, record) + CLOSING_ROOM);
}

static void stream_overhead(struct recording_stream *s, uint64_t since, const char *cause)
{
	struct overhead overhead = {.tick = since, .cause = cause};
	uint64_t now = timer_now();

	s->overhead_cause = NULL;
	if (RELAXED_LOAD(s->idle_limit) || s->polls.calls || !s->encoder.chunk || now < since ||
	    now - since > OVERHEAD_MAX * timer.rate)
		return;
	overhead.ns = (uint64_t)((double)(now - since) * 1e9 / (double)timer.rate);
	if (overhead.ns < OVERHEAD_NS_MIN || !has_room(s, RECORD_OVERHEAD, &overhead))
		return;
	encode_record(&s->encoder, RECORD_OVERHEAD, &overhead);
	__atomic_add_fetch(&s->rank_state->overhead_ns, overhead.ns, __ATOMIC_RELAXED);
}

static void end_polls(struct recording_stream *s);

void stream_renew_caches(struct recording_stream *s)
{
	memset(&s->comms, 0, sizeof s->comms);
	memset(&s->types, 0, sizeof s->types);
	memset(&s->wins, 0, sizeof s->wins);
	s->generation = RELAXED_LOAD(object_generation);
	if (UNLIKELY(s->unloads != site_unloads)) {
		/* A known key may mean another place now, so a new chunk begins, without known keys. */
		if (s->origins)
			origins_forget(s->origins);
		if (s->near)
			near_callers_forget(s->near);
		if (s->encoder.chunk && !RELAXED_LOAD(s->idle_limit)) {
			uint64_t since = timer_now();
			end_polls(s);
			stream_next_chunk(s, 0);
			stream_overhead(s, since, "chunk");
		}
	}
}

static void free_stream(struct recording_stream *s)
{
	scheduling_delay_end(&s->delay);
	counters_end(&s->counters);
	if (s->scratch)
		process_give_back(s->scratch, s->scratch_bytes);
	if (s->statuses)
		process_give_back(s->statuses, s->statuses_bytes);
	if (s->origins)
		origins_free(s->origins);
	if (s->near)
		near_callers_free(s->near);
	arguments_free(s);
	openmp_release(s);
	process_give_back(s->claimed, s->claimed_bytes);
	process_give_back(s, sizeof *s);
}

static void forget_thread(void *stream)
{
	struct recording_stream *s = stream;

	process_lock(); /* so that streams_close() finds the stream complete, or not at all */
	ended_cpu_ns += thread_cpu_ns(s->tid);
	if (!RELAXED_LOAD(s->idle_limit)) {
		openmp_end_wait(s);
		end_polls(s);
	}
	/* The caller holds the lock. */
	if (s->encoder.chunk) {
		if (!s->encoder.chunk->sealed)
			encoder_seal(&s->encoder, false);
		part_release(s->encoder.chunk, &s->place);
		s->encoder.chunk = NULL;
	}
	for (struct recording_stream **link = &streams; *link; link = &(*link)->next)
		if (*link == s) {
			*link = s->next;
			break;
		}
	process_unlock();
	free_stream(s);
	stream_self = &stream_off;
}

static void make_thread_end(void)
{
	pthread_key_create(&thread_end, forget_thread);
}

/* The number of threads still to begin: all UPC threads of a process will. */
static uint64_t threads_to_come(void)
{
	uint32_t made = __atomic_load_n(&stream_count, __ATOMIC_RELAXED);

	return process.size > made ? process.size - made : 1;
}

/* Threads share the buffer: the first ones take chunks of the usual size, later ones a fair share of the rest. */
static size_t choose_chunk_bytes(const struct rank_state *rank_state)
{
	uint64_t share = process.buffer_bytes / SHARE_OF_BUFFER,
		 usual = share < CHUNK_MAX ? share : CHUNK_MAX;
	uint64_t used = RELAXED_LOAD(process.used_bytes);
	uint64_t left = used < process.buffer_bytes ? process.buffer_bytes - used : 0;
	uint64_t fair = left / (rank_state == &first_rank ? 4 : SHARE_OF_THREAD * threads_to_come());
	uint64_t bytes = fair < usual ? fair : usual;

	if (selection.sums)
		bytes = stream_count ? SUMMARY_BYTES_OF_OTHERS : SUMMARY_BYTES;
	return bytes < CHUNK_MIN ? CHUNK_MIN : (size_t)bytes & ~(size_t)(PAGE_BYTES - 1);
}

/* The size of the tables: words of keys, and for each call a known_key, two slots and a successor. */
static size_t tables_bytes(size_t words, uint32_t calls)
{
	return words * sizeof(int64_t) + calls * (sizeof(struct known_key) + 3 * sizeof(uint32_t)) +
	       4 * TABLE_GAP;
}

/* Takes the next table from the claimed memory. Sizes are powers of two, so without gaps the first entries of all tables, which most programs
 * use, would compete for the same cache lines. */
static void *take_table(char **memory, size_t bytes)
{
	void *table = *memory + TABLE_GAP;

	*memory += bytes + TABLE_GAP;
	return table;
}

static bool claim_tables(struct recording_stream *s)
{
	size_t words = s->chunk_bytes / BYTES_PER_WORD;
	uint32_t calls = CALL_LIMIT;
	char *memory;

	while (calls > s->chunk_bytes / BYTES_PER_CALL)
		calls /= 2;
	memory = process_claim(tables_bytes(words, calls));
	if (!memory)
		return false;
	s->claimed = memory;
	s->claimed_bytes = tables_bytes(words, calls);
	s->words = take_table(&memory, words * sizeof(int64_t));
	s->word_limit = (uint32_t)words;
	s->known = take_table(&memory, calls * sizeof(struct known_key));
	s->slots = take_table(&memory, 2 * (size_t)calls * sizeof(uint32_t));
	s->slot_mask = 2 * calls - 1;
	s->encoder.successor = take_table(&memory, calls * sizeof(uint32_t));
	s->encoder.call_limit = calls;
	return true;
}

static void reset_threshold(struct recording_stream *s)
{
	s->threshold = counters_are_on(&s->counters) ? 0
	               : s->delay.is_known           ? scheduling_delay_threshold()
	                                             : UINT64_MAX;
	s->start_threshold = timer_other ? 0 : s->threshold;
}

static struct recording_stream *new_stream(struct rank_state *rank_state)
{
	struct recording_stream *s = process_claim(sizeof *s);

	if (!s)
		return NULL;
	s->tid = (int)syscall(SYS_gettid);
	s->rank_state = rank_state;
	s->chunk_bytes = choose_chunk_bytes(rank_state);
	if (!claim_tables(s)) {
		process_give_back(s, sizeof *s);
		return NULL;
	}
	scheduling_delay_begin(&s->delay, &s->rank_state->delay_us);
	counters_begin(&s->counters, &s->rank_state->counters);
	reset_threshold(s);
	s->origins = origins_new();
	s->number = __atomic_fetch_add(&stream_count, 1, __ATOMIC_RELAXED);
	return s;
}

struct recording_stream *stream_begin_for(struct rank_state *rank_state)
{
	struct recording_stream *s = NULL;
	uint64_t since;

	stream_self = &stream_off;
	if (!process_start())
		return stream_self;
	since = __atomic_load_n(&stream_count, __ATOMIC_RELAXED) ? timer_now() : process.start_tick;
	s = new_stream(rank_state);
	if (s && !open_chunk(s, s->chunk_bytes, since)) {
		free_stream(s);
		s = NULL;
	}
	if (!s) {
		process_lock(); /* recording may be ending */
		process_note(
			"a thread is not recorded: no memory or disk space is left for it; give a larger --buffer, or free space where the trace is written");
		process_unlock();
		return stream_self;
	}
	pthread_once(&thread_end_once, make_thread_end);
	pthread_setspecific(thread_end, s);
	process_lock();
	s->next = streams;
	streams = s;
	process_unlock();
	stream_overhead(s, since, "start");
	return stream_self = s;
}

struct recording_stream *stream_begin(void)
{
	return stream_begin_for(&first_rank);
}

void stream_move(struct recording_stream *s, struct rank_state *rank_state)
{
	end_polls(s);
	s->rank_state = rank_state;
	s->delay.total_us = &rank_state->delay_us;
	s->counters.computing.sums = &rank_state->counters;
	stream_next_chunk(s, 0);
}

void *stream_scratch(struct recording_stream *s, size_t bytes)
{
	if (bytes <= s->scratch_bytes)
		return s->scratch;
	if (s->scratch)
		process_give_back(s->scratch, s->scratch_bytes);
	s->scratch_bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	s->scratch = process_claim(s->scratch_bytes);
	if (!s->scratch) {
		s->scratch_bytes = 0;
		process_note_lack();
	}
	return s->scratch;
}

uint64_t stream_start_late(struct recording_stream *s)
{
	uint64_t before = stream_last_end(s), now = timer_now();

	if (now - before >= scheduling_delay_threshold() && s->delay.is_known) {
		absence_before(s, before, now);
		now = timer_now();
	}
	if (!counters_are_on(&s->counters))
		return now;
	counters_before_call(&s->counters, now); /* last: directly before the call */
	return timer_now();
}

/* Writes the time without a processor before and inside the next event. */
static void put_delay(struct recording_stream *s, uint32_t before, uint32_t inside)
{
	if (before | inside)
		encode_delay(&s->encoder, before, inside);
	if (s->blocked_before)
		encode_blocked(&s->encoder, s->blocked_before);
	s->delay_before = s->blocked_before = 0;
	reset_threshold(s);
}

/* The delay inside a long call. */
static uint32_t look_inside(struct recording_stream *s, uint64_t start, uint64_t end)
{
	if (counters_are_on(&s->counters))
		counters_after_call(&s->counters, start, end);
	return absence_inside(s, start, end);
}

static void end_polls(struct recording_stream *s)
{
	struct poll_run run = s->polls;
	uint32_t call, blocked = s->blocked_before;

	if (!run.calls)
		return;
	s->polls.calls = 0;
	call = stream_find_call(s, run.key, run.words);
	if (call == NO_CALL)
		return;
	if (run.calls > 1) {
		if (!encoder_has_room(&s->encoder, NEXT_ROOM + LONG_HEAD_MAX + 2 * VARINT_MAX)) {
			if (!stream_next_chunk(s, 0))
				return;
			call = stream_find_call(s, run.key, run.words);
			if (call == NO_CALL)
				return;
		}
		encode_polls(&s->encoder, run.calls,
		             run.busy + poll_sleep_ticks(s, run.last_end - run.first_start - run.busy));
	}
	s->blocked_before = run.blocked_before;
	put_delay(s, run.delay_before, s->delay_before);
	s->blocked_before = blocked;
	encode_event(&s->encoder, call, run.first_start, run.last_end);
	stream_expect(s, s->encoder.successor[call]);
}

/* The key, with the call's origin as its site. */
static const int64_t *with_origin(struct recording_stream *s, const int64_t *key, uint32_t words,
                                  uint64_t start, int64_t *copy)
{
	int64_t origin = start && s->opened_start == start
	                         ? s->opened_origin
	                         : origin_of(s->origins, key[KEY_SITE], RELAXED_LOAD(s->limit));

	if (origin == key[KEY_SITE])
		return key;
	if (words <= ORIGIN_WORDS) {
		memcpy(copy, key, words * sizeof *key);
	} else {
		copy = (int64_t *)key; /* a key as long as this is in the stream's own memory */
	}
	copy[KEY_SITE] = origin;
	return copy;
}

/* True if the known part of the call equals that of the predicted call. */
static bool is_predicted(const struct recording_stream *s, const int64_t *key, uint32_t words)
{
	const struct known_key *known = s->guess == NO_CALL ? NULL : &s->known[s->guess];

	if (!known || known->words != words)
		return false;
	for (uint32_t i = 0; i < words; i++)
		if (key[i] != s->words[known->first + i] && key[i] != ABSENT)
			return false;
	return true;
}

/* Makes room to describe a call before it begins. The time to begin a new chunk does not count as the call's. */
static bool make_open_room(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	size_t room = stream_define_room(key, words);

	if (LIKELY(encoder_has_room(&s->encoder, room)))
		return true;
	end_polls(s);
	if (!encoder_has_room(&s->encoder, room) && !stream_next_chunk(s, room))
		return false;
	stream_overhead(s, start, "chunk");
	return true;
}

uint64_t stream_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	int64_t copy[ORIGIN_WORDS];
	bool has_origin = s->origins && words <= ORIGIN_WORDS;
	struct opened_call *opened;

	s->opened_function = (uint32_t)key[KEY_WHAT];
	s->opened_site = key[KEY_SITE];
	if (UNLIKELY(selection.active) && !selection_lets_open(s, (uint32_t)key[KEY_WHAT], key[KEY_SITE]))
		return start;
	if (UNLIKELY(has_origin))
		key = with_origin(s, key, words, 0, copy);
	s->opened_origin = key[KEY_SITE];
	s->opened_start = start;
	s->opened_hash = 0;
	if (is_predicted(s, key, words)) {
		stream_open_predicted(s, start);
		return start;
	}
	if (stream_open_like(s, key, words, start))
		return start;
	s->opened_hash = stream_key_hash(key, words);
	opened = &s->opened[s->opened_hash % OPENED_ENTRIES];
	if (opened->hash == s->opened_hash)
		encode_open(&s->encoder, opened->call, start);
	else if (make_open_room(s, key, words, start))
		stream_describe_open(s, key, words, &s->opened_start);
	return s->opened_start;
}

void stream_open_defined(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	uint32_t call;

	if (UNLIKELY(selection.active) && !selection_lets_expect(s, (uint32_t)key[KEY_WHAT], key[KEY_SITE]))
		return;
	call = stream_find_call(s, key, words);
	if (LIKELY(call != NO_CALL))
		encode_open(&s->encoder, call, start);
}

void stream_pause(struct recording_stream *s, uint64_t tick, bool resumes, bool is_counted)
{
	const struct pause pause = {tick, resumes, is_counted};

	end_polls(s);
	s->paused = !resumes;
	if (!RELAXED_LOAD(s->idle_limit) &&
	    (has_room(s, RECORD_PAUSE, &pause) ||
	     stream_next_chunk(s, LONG_HEAD_MAX + record_room(RECORD_PAUSE, &pause))))
		encode_record(&s->encoder, RECORD_PAUSE, &pause);
}

_Static_assert((int)SKIPPED_ROOM <= (int)(NEXT_ROOM - CLOSING_ROOM), "where an event has room, it has");

void stream_skipped(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t tick,
                    uint64_t count)
{
	uint32_t call;

	if (RELAXED_LOAD(s->idle_limit))
		return;
	end_polls(s);
	call = stream_find_call(s, key, words);
	if (call != NO_CALL)
		encode_skipped(&s->encoder, tick, count, call);
}

static void record_wanted(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                          uint64_t end)
{
	int64_t copy[ORIGIN_WORDS];
	uint32_t call;

	if (UNLIKELY(s->arguments))
		key = arguments_append(s, key, &words);
	if (UNLIKELY(s->origins))
		key = with_origin(s, key, words, start, copy);
	if (UNLIKELY(s->polls.calls))
		end_polls(s);
	call = s->guess;
	if (LIKELY(call != NO_CALL && stream_knows(s, call, key, words) &&
	           encoder_has_room(&s->encoder, NEXT_ROOM))) {
		s->is_new = false;
		if (UNLIKELY(stream_is_long(s, start, end)))
			put_delay(s, s->delay_before, look_inside(s, start, end));
		encode_predicted(&s->encoder, call, start, end);
	} else {
		const uint32_t known = s->encoder.calls;
		call = stream_find_call(s, key, words);
		if (call == NO_CALL)
			return;
		s->is_new = call == known;
		if (UNLIKELY(stream_is_long(s, start, end)))
			put_delay(s, s->delay_before, look_inside(s, start, end));
		encode_event(&s->encoder, call, start, end);
	}
	if (s->opened_start == start && s->opened_hash)
		s->opened[s->opened_hash % OPENED_ENTRIES] = (struct opened_call){s->opened_hash, call};
	stream_expect(s, s->encoder.successor[call]);
	if (UNLIKELY(s->known[call].precedes_absence && s->delay.is_known))
		scheduling_delay_restart(&s->delay, end);
	if (UNLIKELY(end >= RELAXED_LOAD(clocks_due)) && clocks_compare_again() && !s->overhead_cause)
		s->overhead_cause = "clocks";
	if (UNLIKELY(s->overhead_cause))
		stream_overhead(s, end, s->overhead_cause);
}

void stream_record(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                   uint64_t end)
{
	bool is_asked = selection.active;

	if (LIKELY(!is_asked) || selection_wants(s, key, words, start, end))
		record_wanted(s, key, words, start, end);
	else if (s->overhead_cause)
		stream_overhead(s, end, s->overhead_cause);
	if (UNLIKELY((uint32_t)key[KEY_WHAT] == CALL_Pcontrol) && !is_asked)
		selection_control(key, end);
}

void stream_remember_raw(struct recording_stream *s, const int64_t *raw, uint32_t words, const int64_t *rest,
                         uint32_t rest_words)
{
	struct known_key *known = &s->known[s->encoder.last];

	if (s->is_new || s->encoder.last == NO_CALL || RELAXED_LOAD(s->idle_limit) || s->origins ||
	    arguments_are_of(s, (uint16_t)raw[KEY_WHAT]) || known->precedes_absence)
		return;
	if (UNLIKELY(selection.active) && !selection_lets_expect(s, (uint16_t)raw[KEY_WHAT], raw[KEY_SITE]))
		return;
	if (!known->raw_words) {
		if (s->words_used + words + rest_words > s->word_limit)
			return;
		known->raw_first = s->words_used;
		known->raw_words = words + rest_words;
		s->words_used += words + rest_words;
	}
	memcpy(s->words + known->raw_first, raw, words * sizeof *raw);
	if (rest_words)
		memcpy(s->words + known->raw_first + words, rest, rest_words * sizeof *rest);
	stream_expect(s, s->guess);
}

/* A thread that is killed during a run of polls counts as being in the call. */
static void open_run(struct recording_stream *s, uint64_t start)
{
	const struct poll_run *run = &s->polls;
	uint32_t known = *stream_find_slot(s, run->key, run->words);

	if (known != NO_CALL)
		encode_open(&s->encoder, known, start);
	else if (encoder_has_room(&s->encoder, stream_define_room(run->key, run->words)))
		stream_describe_open(s, run->key, run->words, &start);
}

/* Delays in the calls of a run of polls, or between them, are recorded with the run. */
static void begin_run(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	struct poll_run *run = &s->polls;

	s->expected = impossible_key; /* so the next call ends the run first */
	run->words = words;
	run->first_start = start;
	run->busy = 0;
	run->delay_before = s->delay_before;
	run->blocked_before = s->blocked_before;
	if (UNLIKELY(s->delay_before | s->blocked_before)) {
		s->delay_before = s->blocked_before = 0;
		reset_threshold(s);
	}
	for (uint32_t i = 0; i < words; i++)
		run->key[i] = key[i];
}

static void add_to_run(struct recording_stream *s, uint64_t start, uint64_t end)
{
	struct poll_run *run = &s->polls;

	if (UNLIKELY(stream_is_long(s, start, end)))
		s->delay_before += look_inside(s, start, end);
	s->blocked_before = 0; /* between polls: poll_sleep.h */
	run->calls++;
	run->busy += end - start;
	run->last_end = end;
	if (UNLIKELY(poll_sleep_is_due(end)))
		poll_sleep_look(s, end);
	s->encoder.chunk->open_start = start; /* of the last call */
}

void stream_poll(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start, uint64_t end)
{
	struct poll_run *run = &s->polls;
	int64_t copy[ORIGIN_WORDS];

	if (UNLIKELY(selection.active) && !selection_wants(s, key, words, start, end))
		return;
	if (UNLIKELY(s->origins))
		key = with_origin(s, key, words, start, copy);
	if (UNLIKELY(s->arguments))
		key = arguments_append(s, key, &words);
	if (run->calls && (run->words != words || memcmp(run->key, key, words * sizeof *key) != 0))
		end_polls(s);
	if (!run->calls) {
		if (words > sizeof run->key / sizeof *run->key) {
			record_wanted(s, key, words, start, end);
			return;
		}
		begin_run(s, key, words, start);
		poll_sleep_begin(s, start);
		open_run(s, start);
	}
	add_to_run(s, start, end);
}

/* A run of one call. */
void stream_hold(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start, uint64_t end)
{
	struct poll_run *run = &s->polls;

	if (UNLIKELY(selection.active) && !selection_wants(s, key, words, start, end))
		return;
	if (UNLIKELY(run->calls))
		end_polls(s);
	begin_run(s, key, words, start);
	s->encoder.chunk->events = OPEN_CALL_NONE;
	if (UNLIKELY(stream_is_long(s, start, end)))
		s->delay_before += look_inside(s, start, end);
	run->calls = 1;
	run->busy = end - start;
	run->last_end = end;
}

bool stream_take_held(struct recording_stream *s, uint64_t start)
{
	struct poll_run *run = &s->polls;

	if (LIKELY(run->calls && run->first_start == start)) {
		run->calls = 0;
		s->delay_before += run->delay_before;
		s->blocked_before += run->blocked_before;
		if (UNLIKELY(s->delay_before | s->blocked_before))
			s->threshold = 0;
		stream_expect(s, s->guess);
	}
	return !run->calls && s->encoder.last_end <= start;
}

/* Another thread may be in a call, such as MPI_Finalized or the mark of a region. Its chunk stays open; complete records in it count. A thread
 * may also begin a call now, so its memory is not freed before it ends. */
void streams_close(void)
{
	process_lock();
	for (struct recording_stream *s = streams; s; s = s->next) {
		bool was_off = RELAXED_LOAD(s->idle_limit) != 0;
		/* take_stream() in probes.c relies on the order of these two. */
		__atomic_store_n(&s->idle_limit, UINTPTR_MAX, __ATOMIC_SEQ_CST);
		bool inside = !was_off && __atomic_load_n(&s->limit, __ATOMIC_SEQ_CST) != 0;

		RELAXED_STORE(s->limit, UINTPTR_MAX);
		if (!s->encoder.chunk)
			continue;
		if (!inside) {
			openmp_end_wait(s);
			end_polls(s);
			encoder_seal(&s->encoder, false);
		}
		part_save(s->encoder.chunk, &s->place);
	}
	process_unlock();
}

uint64_t streams_cpu_ns(void)
{
	uint64_t ns;

	process_lock();
	ns = ended_cpu_ns;
	for (const struct recording_stream *s = streams; s; s = s->next)
		ns += thread_cpu_ns(s->tid);
	process_unlock();
	return ns;
}

void streams_abandon(void)
{
	if (stream_self && stream_self != &stream_off)
		pthread_setspecific(
			thread_end,
			NULL); /* the end of the child's thread must not end the parent's stream */
	streams = NULL;
	stream_self = &stream_off;
}

void streams_identify(uint64_t world, uint32_t rank)
{
	process_lock();
	for (struct recording_stream *s = streams; s; s = s->next)
		if (s->encoder.chunk)
			chunk_identify(s->encoder.chunk, world, rank);
	process_unlock();
}
