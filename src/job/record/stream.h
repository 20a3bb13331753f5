/* A stream is the recorder's state of one thread. It writes calls as events of the current chunk.
 *
 * The key of a call is an array of words: its call site, function and result, then the values of the fields in the function's shape, then a
 * varying number of fields, such as the requests that a Waitall completes. Two calls with equal keys differ only in their times. A chunk
 * defines each distinct key once.
 *
* Most calls are predicted: the same call, with the same parameters, followed the previous one last time. So frequent functions first try a raw
 * key, which has their parameters unchanged, including handles. If the predicted call has the same raw key, only the times are written. A raw
 * key includes the generation of objects, because a handle keeps its meaning only within one generation.
 *
 *	struct recording_stream *s = stream_enter(__builtin_frame_address(0));
 *	if (!s)
 *		return PMPI_Barrier(comm);            nested in another MPI call, or recording is off
 *	uint64_t start = stream_start(s);
 *	int rc = PMPI_Barrier(comm);
 *	uint64_t end = timer_now();
 *	const int64_t key[] = {site, KEY_CALL(CALL_Barrier, rc), comm_number(s, comm)};
 *	stream_record(s, key, 3, start, end);
 *	stream_leave(s);
 *
* Only the outermost MPI call of a thread is recorded, because MPI libraries call their own functions, and their Fortran interface calls the C
 * interface. This file does not depend on an MPI library. */
#ifndef TARRY_JOB_RECORD_STREAM_H
#define TARRY_JOB_RECORD_STREAM_H

#include "job/mpi/host.h"
#include "job/record/clocks.h"
#include "job/record/counters.h"
#include "job/record/near_callers.h"
#include "job/record/openmp.h"
#include "job/record/part.h"
#include "job/record/scheduling_delay.h"
#include "job/record/selection.h"
#include "job/record/timer.h"
#include "trace/encode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* accesses to variables need no indirection */

/* A missing value: its field is left out. */
#define ABSENT INT64_MIN

struct rank_state;
struct noted_arguments;

enum { KEY_SITE = 0, KEY_WHAT = 1, KEY_VALUES = 2 };

/* After the values: a word that begins with a field, and the value in the next word. A completed request has one word, or three if it
 * received. */
#define KEY_DONE(number, received) ((int64_t)FIELD_DONE | (int64_t)(number) << 8 | (int64_t)(received) << 40)
#define KEY_SOURCE(rank, tag) ((int64_t)((uint64_t)(rank) << 32 | (uint32_t)(tag)))

#define KEY_CALL(id, result) ((int64_t)(uint32_t)(id) | (int64_t)(result) << 32)

/* The fields of a key's values: generated from the table of calls for MPI functions, by hand for our own. */
struct shape {
	const char *name;
	uint8_t fields[15]; /* enum field_key; 0 ends the list */
	bool persistent;
};

/* Where the keys of a call are in the words of all calls of this chunk. */
struct known_key {
	uint32_t first;
	uint32_t words;
	uint32_t raw_first;
	uint32_t raw_words; /* 0: none */
	bool precedes_absence; /* after this call the thread was without a CPU once: it is looked at when the call ends */
};

/* A run of calls that found nothing complete. It becomes one event. */
struct poll_run {
	uint64_t calls; /* 0: none */
	uint64_t first_start;
	uint64_t last_end;
	uint64_t busy;
	uint32_t delay_before, blocked_before; /* microseconds */
	uint32_t words;
	int64_t key[16];
};

struct handle_cache_entry {
	uint64_t handle;
	int64_t value;
};

enum { CACHE_ENTRIES = 64, SITE_ENTRIES = 64, OPENED_ENTRIES = 128 };

/* A call site that the chunk has defined. */
struct known_site {
	int64_t address;
	uint32_t number;
};

/* The last call that was opened with these words. */
struct opened_call {
	uint64_t hash;
	uint32_t call;
};

/* The description of an open call as differences from another call. Until something else is written, it follows the chunk's payload, and the
 * call's words follow those in use. */
struct like_draft {
	const uint8_t *begin; /* NULL: none */
	uint8_t *end;
	uint32_t words;
};

/* A cache of MPI handles, one for each thread. */
struct handle_cache {
	struct handle_cache_entry entries[CACHE_ENTRIES];
};

/* The limit of a thread in a UPC call, which has no frame on the stack: all other calls are nested in it. */
#define STREAM_INSIDE (UINTPTR_MAX - 1)

struct recording_stream {
	/* A call from a frame below this is nested in another one. UINTPTR_MAX while recording is off. */
	uintptr_t limit;
	uintptr_t idle_limit;      /* of a thread outside MPI: 0, or UINTPTR_MAX */
	struct near_callers *near; /* NULL: callers are not recorded, or not yet */
	bool has_tried_near;
	bool paused; /* its chunk has a pause that has not ended (selection.h) */
	bool failed; /* the current or last call failed, so its handles may be invalid */
	bool is_new; /* the last recorded call was new: its raw key is remembered at its next occurrence */
	uint32_t generation; /* the generation of MPI's objects to which the caches below belong */
	uint32_t unloads;    /* number of unloaded files when this chunk began */
	/* The scheduling delay is read if a call, or the time before it, lasts this many ticks. 0: there is a delay before the current
	 * call, or there are counters. */
	uint64_t threshold;
	uint64_t start_threshold; /* the same; 0 also for another clock than the processor's counter */
	uint32_t guess;           /* the predicted call; NO_CALL: unknown */
	const int64_t *expected;  /* its raw key; an impossible key if it has none, or if polls are pending */
	struct encoder encoder;
	struct known_key *known;
	int64_t *words;
	struct poll_run polls;
	struct scheduling_delay delay;
	struct thread_counters counters;
	uint32_t delay_before;      /* before the current call, in microseconds */
	uint32_t blocked_before;    /* the same */
	const char *overhead_cause; /* reason for work of the recorder since the last call; NULL: none */

	uint32_t *slots; /* call numbers by hash of the key */
	uint32_t slot_mask;
	uint32_t words_used, word_limit;
	void *claimed; /* the memory of the tables and the words */
	size_t claimed_bytes;
	struct origins *origins;           /* NULL: return addresses and near callers are enough */
	struct noted_arguments *arguments; /* NULL: none yet */
	/* The call that was opened last with a key: its start, the hash of its known key, its function, its site, and its origin. */
	uint64_t opened_start, opened_hash;
	uint32_t opened_function;
	int64_t opened_site, opened_origin;
	uint32_t *opened_slot; /* the slot of its key; NULL: the key was not complete */
	struct opened_call opened[OPENED_ENTRIES];
	struct like_draft draft;
	uint32_t latest[SITE_ENTRIES]; /* the last defined call of a place; NO_CALL: none */
	struct chunk_place place;
	size_t chunk_bytes;
	uint32_t number;
	int tid;
	struct rank_state *rank_state; /* the thread's process in the trace */
	struct openmp_thread openmp;
	struct recording_stream *next;

	/* For the wrappers. */
	struct handle_cache comms, types, wins;

	/* 1 + the number of a NAME record of this chunk, or 0; by call id, and the other ids of stream_define.h. */
	uint32_t names[1150];
	struct known_site sites[SITE_ENTRIES];
	struct known_site paths[SITE_ENTRIES]; /* by the word of a place */

	/* Memory for keys and arrays of any size. */
	void *scratch;
	size_t scratch_bytes;
	void *statuses;
	size_t statuses_bytes;
};

extern _Thread_local struct recording_stream *stream_self __attribute__((tls_model("initial-exec")));

/* The calling thread's stream, created at its first call. If that fails, a stream that is off. */
struct recording_stream *stream_begin(void);
/* The same for a thread of this rank state. */
struct recording_stream *stream_begin_for(struct rank_state *rank_state);

/* Counts created and freed MPI objects. Cached handles of an earlier generation may mean other objects. */
extern uint32_t object_generation;

/* Empties the handle caches. */
void stream_renew_caches(struct recording_stream *s);

/* Whether a call with this frame is nested in the unfinished one, or recording is off. The unfinished call may have been left by an exception
 * or a jump. */
bool stream_is_nested(const struct recording_stream *s, const void *frame);

/* NULL: the call is not recorded. */
static inline __attribute__((always_inline)) struct recording_stream *stream_enter(const void *frame)
{
	struct recording_stream *s = stream_self;

	if (UNLIKELY(!s))
		s = stream_begin();
	if (UNLIKELY((uintptr_t)frame < RELAXED_LOAD(s->limit)) && stream_is_nested(s, frame))
		return NULL;
	if (UNLIKELY(s->generation != RELAXED_LOAD(object_generation)))
		stream_renew_caches(s);
	RELAXED_STORE(s->limit, (uintptr_t)frame);
	return s;
}

/* Creates s->near at a thread's first MPI call, because UPC threads do not need it. False: it failed. */
bool stream_tries_near(struct recording_stream *s);

/* The site of the current call for keys: the word of a place with the nearest callers, or the return address. `frame` is the wrapper's. */
static inline const void *stream_site(struct recording_stream *s, const void *site, const void *frame)
{
	return LIKELY(s->near || (!s->has_tried_near && stream_tries_near(s)))
	               ? (const void *)(uintptr_t)near_callers_find(s->near, (int64_t)(uintptr_t)site,
	                                                            (uintptr_t)frame)
	               : site;
}

/* True: recording has ended in this thread. Then a call for which stream_enter() returns NULL need not be nested. */
static inline bool stream_is_off(void)
{
	return RELAXED_LOAD(stream_self->idle_limit) != 0;
}

static inline void stream_leave(struct recording_stream *s)
{
	/* If streams_close() finds the thread outside a call, it sees all of its records. */
	__atomic_store_n(&s->limit, RELAXED_LOAD(s->idle_limit), __ATOMIC_RELEASE);
}

/* Reserved at the end of a chunk for the reason why recording ended. */
enum { CLOSING_ROOM = 256 };
/* Room for an event of a known call. */
enum { NEXT_ROOM = DELAY_ROOM + EVENT_ROOM + CLOSING_ROOM };

enum { RAW_WORDS_MAX = 27 };

#define RAW_WHAT(s, id) ((int64_t)(id) | (int64_t)(s)->generation << 16)

extern const int64_t impossible_key[RAW_WORDS_MAX];

static inline void stream_expect(struct recording_stream *s, uint32_t call)
{
	s->guess = call;
	s->expected = call == NO_CALL || !s->known[call].raw_words ? impossible_key
	                                                           : s->words + s->known[call].raw_first;
}

/* Whether the predicted call's raw key begins with these words. The second word is the function, which determines the number of words. Called
 * between reading the clock and calling MPI: the processor compares while it waits for the clock, so it costs almost nothing. */
static inline __attribute__((always_inline)) bool stream_expects(const struct recording_stream *s,
                                                                 const int64_t *raw, uint32_t words)
{
	const int64_t *expected = s->expected;
	int64_t differs = 0;

#pragma GCC unroll 12
	for (uint32_t i = 0; i < words; i++)
		differs |= expected[i] ^ raw[i];
	/* Otherwise the compiler would save all words and compare them after the call. */
	__asm__ volatile("" : "+r"(differs));
	return !differs;
}

/* The start of a call long after the previous one, with another clock than the processor's counter, or with counters. */
uint64_t stream_start_late(struct recording_stream *s);

/* The start of the current call. One comparison covers all rare cases. */
static inline __attribute__((always_inline)) uint64_t stream_start(struct recording_stream *s)
{
	uint64_t now;

	if (UNLIKELY(!s->start_threshold))
		return stream_start_late(s);
	now = timer_counter_now();
	return LIKELY(now - s->encoder.last_end < s->start_threshold) ? now : stream_start_late(s);
}

/* The end of the last call that was recorded or is held. */
static inline uint64_t stream_last_end(const struct recording_stream *s)
{
	return s->polls.calls ? s->polls.last_end : s->encoder.last_end;
}

/* Whether the scheduling delay in this call, or before it, must be read. */
static inline bool stream_is_long(const struct recording_stream *s, uint64_t start, uint64_t end)
{
	return end - start >= s->threshold;
}

/* Whether the predicted call can be added at once: there is room, it was short, and no clock comparison is due. One branch tests all three,
 * because every call comes here. */
static inline __attribute__((always_inline)) bool stream_can_repeat(const struct recording_stream *s,
                                                                    uint64_t start, uint64_t end)
{
	int rare = !encoder_has_room(&s->encoder, NEXT_ROOM) | stream_is_long(s, start, end) |
	           (end >= RELAXED_LOAD(clocks_due));

	return LIKELY(!rare);
}

/* Adds one event of the predicted call, if stream_can_repeat(). */
static inline __attribute__((always_inline)) void stream_add_repeated(struct recording_stream *s,
                                                                      uint64_t start, uint64_t end)
{
	const uint32_t call = s->guess;

	stream_expect(s, s->encoder.successor[call]);
	encode_predicted(&s->encoder, call, start, end);
}

/* Adds the event if possible. False: it must be recorded in full. */
static inline __attribute__((always_inline)) bool stream_repeat(struct recording_stream *s, uint64_t start,
                                                                uint64_t end)
{
	if (UNLIKELY(!stream_can_repeat(s, start, end)))
		return false;
	stream_add_repeated(s, start, end);
	return true;
}

/* Marks the thread as being in the predicted call, until something is recorded. */
static inline __attribute__((always_inline)) void stream_open_predicted(struct recording_stream *s,
                                                                        uint64_t start)
{
	encode_open(&s->encoder, s->guess, start);
}

enum { OPEN_WORDS = 96 }; /* maximum of the key of an open call; further requests are left out */

/* The same for any call, with the words of its key that are known before the call, and ABSENT for its results. Unknown handles may be invalid,
 * so `failed` is set meanwhile. Returns the start of the call, which is later if its description took long. */
uint64_t stream_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* The same for a call whose whole key is known before it, unless a handle is new. */
uint64_t stream_open_whole(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);
/* Adds the event of that call. False: it must be recorded in full. */
bool stream_record_opened(struct recording_stream *s, uint64_t start, uint64_t end);

/* Defines and opens a call with these words only. */
void stream_open_defined(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* Adds one event of any call. */
void stream_record(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                   uint64_t end);

/* Remembers the raw key of the call that was just recorded: the words known before the call, and the rest. */
void stream_remember_raw(struct recording_stream *s, const int64_t *raw, uint32_t words, const int64_t *rest,
                         uint32_t rest_words);

/* Adds a call that found nothing complete to the current run, or begins a run. */
void stream_poll(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                 uint64_t end);

/* Holds an event that may become the first part of a longer one. It is written before the next record. */
void stream_hold(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                 uint64_t end);
/* Removes it, if it has not been written. False: something was written since its start. */
bool stream_take_held(struct recording_stream *s, uint64_t start);

/* Records in the thread's chunk that recording pauses or resumes. `is_counted`: excluded calls are counted (skipped.h). */
void stream_pause(struct recording_stream *s, uint64_t tick, bool resumes, bool is_counted);

/* Records that `count` calls before this time were excluded. */
void stream_skipped(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t tick,
                    uint64_t count);

/* At least `bytes` of memory, which the thread may use until its next call. NULL: out of memory. */
void *stream_scratch(struct recording_stream *s, size_t bytes);

/* Moves the calling thread to another process of the trace, with a new chunk. */
void stream_move(struct recording_stream *s, struct rank_state *rank_state);

/* Ends recording in this thread, and records the time and reason in its chunk. */
void stream_lose_events(struct recording_stream *s, const char *reason);

/* Seals the open chunks of all threads. Nothing is recorded afterwards. */
void streams_close(void);
/* In a forked child: drops everything, because shared memory and files belong to the parent. */
void streams_abandon(void);
/* The CPU time of all recorded threads so far. */
uint64_t streams_cpu_ns(void);
/* After MPI_Init: writes the rank into all open chunks. */
void streams_identify(uint64_t world, uint32_t process);

#pragma GCC visibility pop

#endif
