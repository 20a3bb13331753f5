/* A stream: the recorder's memory of one thread. It turns calls into events of the current chunk.
 *
 * A call is described by its key, an array of words: where it was called from, which function, what it
 * returned, then the values of the fields that the function's shape lists, then fields whose number varies, as
 * with the requests that a Waitall completes. Two calls with equal keys differ only in
 * their times; a chunk defines each distinct key once.
 *
 * Most calls are the one that followed the same call last time, with the very same parameters. So frequent functions
 * come first with a raw key, their parameters as they are, handles and all: when it is that of the predicted call,
 * only the times are written. Handles mean the same for one generation of objects, which is part of a raw key.
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
 * Only the outermost MPI call of a thread is recorded: an MPI library calls itself, and its Fortran face calls
 * its C one. This file knows no MPI library. */
#ifndef TARRY_JOB_RECORD_STREAM_H
#define TARRY_JOB_RECORD_STREAM_H

#include "job/mpi/host.h"
#include "job/record/clocks.h"
#include "job/record/near_callers.h"
#include "job/record/part.h"
#include "job/record/scheduling_delay.h"
#include "job/record/selection.h"
#include "job/record/timer.h"
#include "trace/encode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* without it each use of a variable goes through the linker's table */

/* A value that is not there: its field is left out. */
#define ABSENT INT64_MIN

struct rank_state;
struct noted_arguments;

enum { KEY_SITE = 0, KEY_WHAT = 1, KEY_VALUES = 2 };

/* Behind the values: a word that begins with a field, and the value in the word after it. A completed request is one
 * word, or three if it received: these are what programs wait for most. */
#define KEY_DONE(number, received) ((int64_t)FIELD_DONE | (int64_t)(number) << 8 | (int64_t)(received) << 40)
#define KEY_SOURCE(rank, tag) ((int64_t)((uint64_t)(rank) << 32 | (uint32_t)(tag)))

#define KEY_CALL(id, result) ((int64_t)(uint32_t)(id) | (int64_t)(result) << 32)

/* What the values of a key mean: made from the table of calls for MPI's functions, by hand for our own. */
struct shape {
	const char *name;
	uint8_t fields[15]; /* enum field_key; 0 ends the list */
	bool persistent;
};

/* Where the words of a call's keys lie among those of all calls of this chunk. */
struct known_key {
	uint32_t first;
	uint32_t words;
	uint32_t raw_first;
	uint32_t raw_words; /* 0: it has none */
};

/* A run of calls that found nothing complete: one event in the making. */
struct poll_run {
	uint64_t calls; /* 0: there is none */
	uint64_t first_start;
	uint64_t last_end;
	uint64_t busy;
	uint32_t delay_before; /* microseconds */
	uint32_t words;
	int64_t key[16];
};

struct handle_cache_entry {
	uint64_t handle;
	int64_t value;
};

enum { CACHE_ENTRIES = 64, SITE_ENTRIES = 64, OPENED_ENTRIES = 128 };

/* Call sites that the chunk has defined. */
struct known_site {
	int64_t address;
	uint32_t number;
};

/* Which call it was that began with these words, the last time. */
struct opened_call {
	uint64_t hash;
	uint32_t call;
};

/* The description of a call that has begun as one like another: it lies behind the chunk's payload, and the call's words behind those in use, as long
 * as nothing else is written. */
struct like_draft {
	const uint8_t *begin; /* NULL: there is none */
	uint8_t *end;
	uint32_t words;
};

/* What handles of MPI objects stand for, remembered by each thread for itself. */
struct handle_cache {
	struct handle_cache_entry entries[CACHE_ENTRIES];
};

/* The limit of a thread in a call of UPC, which is not on the stack: whatever comes is nested in it. */
#define STREAM_INSIDE (UINTPTR_MAX - 1)

struct recording_stream {
	/* A call from a frame below this is nested in another one. UINTPTR_MAX while recording is off. */
	uintptr_t limit;
	uintptr_t idle_limit;      /* of a thread outside MPI: 0, or UINTPTR_MAX */
	struct near_callers *near; /* NULL: they are not recorded, or not yet */
	bool has_tried_near;
	bool paused; /* as its chunks say: see selection.h */
	bool failed; /* the call that is being recorded, or the last, and its handles may stand for nothing */
	bool is_new; /* the call that was recorded last had to be defined: its raw key is kept when it comes again */
	uint32_t generation; /* of MPI's objects, that the caches below belong to */
	uint32_t unloads;    /* of files, when this chunk began */
	/* Ticks that a call, or the time before it, must last so that its scheduling delay is looked at; 0: there was some before
	 * the call at hand. */
	uint64_t threshold;
	uint64_t
		start_threshold; /* as a call's start asks; 0: the processor's counter is not the clock, and is not read */
	uint32_t guess; /* the call that followed the last one before; NO_CALL: unknown */
	const int64_t
		*expected; /* its raw key; one that no call has, if there is none or polls are pending */
	struct encoder encoder;
	struct known_key *known;
	int64_t *words;
	struct poll_run polls;
	struct scheduling_delay delay;
	uint32_t delay_before; /* the call at hand, in microseconds */
	const char *
		busy_with; /* what took the recorder longer since the end of the call at hand; NULL: nothing */

	uint32_t *slots; /* call numbers by hash of the key */
	uint32_t slot_mask;
	uint32_t words_used, word_limit;
	void *claimed; /* for the tables and the words, which lie together */
	size_t claimed_bytes;
	struct origins *origins;           /* NULL: return addresses and near callers say it all */
	struct noted_arguments *arguments; /* NULL: rules asked for none yet */
	/* The call that was opened last: when it starts, the hash of its key as far as that was known, and its origin. */
	uint64_t opened_start, opened_hash;
	int64_t opened_origin;
	uint32_t *opened_slot; /* of its key, if that was whole; NULL: it was not */
	struct opened_call opened[OPENED_ENTRIES];
	struct like_draft draft;
	uint32_t latest
		[SITE_ENTRIES]; /* calls of this chunk, the last that was defined of each place; NO_CALL: none */
	struct chunk_place place;
	size_t chunk_bytes;
	uint32_t number;
	int tid;
	struct rank_state *rank_state; /* of the process of the trace that it is a thread of */
	struct recording_stream *next;

	/* For the wrappers: handles looked up before. */
	struct handle_cache comms, types, wins;

	/* NAME records of this chunk, by call id and behind those as stream_define.h numbers them; 0: none yet, else number + 1 */
	uint32_t names[1100];
	struct known_site sites[SITE_ENTRIES];
	struct known_site paths[SITE_ENTRIES]; /* by the word of a place */

	/* Room for keys and arrays whose size the call decides. */
	void *scratch;
	size_t scratch_bytes;
	void *statuses;
	size_t statuses_bytes;
};

extern _Thread_local struct recording_stream *stream_self __attribute__((tls_model("initial-exec")));

/* The calling thread's stream, made at its first call; one that is off when it cannot be. */
struct recording_stream *stream_begin(void);
/* The same for a thread of another process of the trace than usual. */
struct recording_stream *stream_begin_for(struct rank_state *rank_state);

/* Counts MPI objects that came or ended: handles remembered from an earlier generation may mean others now. */
extern uint32_t object_generation;

/* Forgets what handles meant. */
void stream_renew_caches(struct recording_stream *s);

/* Whether a call with this frame, deeper in the stack than the unfinished one, is a part of that (or recording is off): it
 * may also have been left by an exception or a jump. */
bool stream_is_nested(const struct recording_stream *s, const void *frame);

/* NULL: let the call through, it is not to be recorded. */
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

/* Made when a thread first calls MPI: threads of UPC need none. False: it cannot be. */
bool stream_tries_near(struct recording_stream *s);

/* Where the call at hand comes from, as keys have it: the word of a place with the nearest callers, as a pointer, or the return address as
 * it is. `frame`: the wrapper's. */
static inline const void *stream_site(struct recording_stream *s, const void *site, const void *frame)
{
	return LIKELY(s->near || (!s->has_tried_near && stream_tries_near(s)))
	               ? (const void *)(uintptr_t)near_callers_find(s->near, (int64_t)(uintptr_t)site,
	                                                            (uintptr_t)frame)
	               : site;
}

/* The thread records nothing any more; a call without a stream is not nested then. */
static inline bool stream_is_off(void)
{
	return RELAXED_LOAD(stream_self->idle_limit) != 0;
}

static inline void stream_leave(struct recording_stream *s)
{
	/* Whoever closes the stream and finds nobody inside sees all that was recorded (streams_close). */
	__atomic_store_n(&s->limit, RELAXED_LOAD(s->idle_limit), __ATOMIC_RELEASE);
}

/* Kept free at the end of a chunk, for the words that say why recording ended. */
enum { CLOSING_ROOM = 256 };
/* For an event of a known call. */
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

/* Does the predicted call's raw key begin with these words? The second word names the function, which says how many
 * there are. To be asked between reading the clock and calling MPI: the processor answers while it waits for the
 * clock, so that it costs next to nothing. */
static inline __attribute__((always_inline)) bool stream_expects(const struct recording_stream *s,
                                                                 const int64_t *raw, uint32_t words)
{
	const int64_t *expected = s->expected;
	int64_t differs = 0;

#pragma GCC unroll 12
	for (uint32_t i = 0; i < words; i++)
		differs |= expected[i] ^ raw[i];
	/* Otherwise the compiler puts all the words aside and compares them after the call. */
	__asm__ volatile("" : "+r"(differs));
	return !differs;
}

/* When a call starts that comes long after the end before, or whose clock is not the processor's counter. */
uint64_t stream_start_late(struct recording_stream *s);

/* When the call at hand starts. One comparison asks for all that is rare. */
static inline __attribute__((always_inline)) uint64_t stream_start(struct recording_stream *s)
{
	uint64_t now;

	if (UNLIKELY(!s->start_threshold))
		return stream_start_late(s);
	now = timer_counter_now();
	return LIKELY(now - s->encoder.last_end < s->start_threshold) ? now : stream_start_late(s);
}

/* When the last call ended that was recorded or is held. */
static inline uint64_t stream_last_end(const struct recording_stream *s)
{
	return s->polls.calls ? s->polls.last_end : s->encoder.last_end;
}

/* Whether the scheduling delay of this call, or before it, has to be looked at. */
static inline bool stream_is_long(const struct recording_stream *s, uint64_t start, uint64_t end)
{
	return end - start >= s->threshold;
}

/* Whether the predicted call can be added as it is: there is room, it was short, and the clock need not be compared. One
 * branch for all three, on the way of every call. */
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

/* Both. False: it has to be recorded in full. */
static inline __attribute__((always_inline)) bool stream_repeat(struct recording_stream *s, uint64_t start,
                                                                uint64_t end)
{
	if (UNLIKELY(!stream_can_repeat(s, start, end)))
		return false;
	stream_add_repeated(s, start, end);
	return true;
}

/* The thread is in the predicted call from now on: its chunk says so until something is recorded. */
static inline __attribute__((always_inline)) void stream_open_predicted(struct recording_stream *s,
                                                                        uint64_t start)
{
	encode_open(&s->encoder, s->guess, start);
}

enum { OPEN_WORDS = 96 }; /* of a key at the most; requests that are more are left out */

/* The same for any call, by the words of its key that are known before it, with ABSENT for what only its end tells. Handles that
 * are not known yet may stand for nothing, so that `failed` is set meanwhile. Returns when the call starts: later, if it took
 * a while to describe it. */
uint64_t stream_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* The same for a call of which all is known before it, unless a handle is new. When it has succeeded, its key need not be made again. */
uint64_t stream_open_whole(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);
/* Adds the event of the call that was opened so. False: it has to be recorded in full. */
bool stream_record_opened(struct recording_stream *s, uint64_t start, uint64_t end);

/* The same for a call of which no more will be known until it ends: it is defined with these words alone. */
void stream_open_defined(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* Adds one event of any call. */
void stream_record(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                   uint64_t end);

/* Lets the call that was just recorded be known by its raw key from now on: the words that were there before it was
 * made, and the rest. */
void stream_remember_raw(struct recording_stream *s, const int64_t *raw, uint32_t words, const int64_t *rest,
                         uint32_t rest_words);

/* Adds a call that found nothing complete to the run before it, or begins one. */
void stream_poll(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                 uint64_t end);

/* Adds an event that may turn out to be the beginning of a longer one: it is written when anything else is. */
void stream_hold(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                 uint64_t end);
/* Takes it back, if it has not been written. False: something was written since its start. */
bool stream_take_held(struct recording_stream *s, uint64_t start);

/* Says that since this time the recorder itself was at work: that is not the program's time. `cause` as in docs/trace-format.md.
 * Between two events. */
void stream_overhead(struct recording_stream *s, uint64_t since, const char *cause);

/* Says in the thread's chunk that recording pauses, or goes on. */
/* `is_counted`: what is not recorded meanwhile is (skipped.h). */
void stream_pause(struct recording_stream *s, uint64_t tick, bool resumes, bool is_counted);

/* Says there that a call was made so often before this time, and not recorded. */
void stream_skipped(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t tick,
                    uint64_t count);

/* At least `bytes` of memory, the thread's own until its next call; NULL if there is no more. */
void *stream_scratch(struct recording_stream *s, size_t bytes);

/* Makes the calling thread one of another process of the trace, from a new chunk on. */
void stream_move(struct recording_stream *s, struct rank_state *rank_state);

/* Ends recording in this thread and says in its chunk from when on, and why. */
void stream_lose_events(struct recording_stream *s, const char *reason);

/* Seals the open chunks of all threads; nothing is recorded after it. */
void streams_close(void);
/* In a forked child, whose memory and files are its parent's: drop everything. */
void streams_abandon(void);
/* After MPI_Init: put the rank into all open chunks. */
void streams_identify(uint64_t world, uint32_t process);

#pragma GCC visibility pop

#endif
