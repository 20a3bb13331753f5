/* The state of the recorder in this process: whether it records, the objects with an identity in the trace, and the chunk that describes
 * the process. One lock guards all slow paths; fast paths do not take it. */
#ifndef TARRY_JOB_RECORD_PROCESS_H
#define TARRY_JOB_RECORD_PROCESS_H

#include "base/timed_lock.h"
#include "job/record/counters.h"
#include "job/record/part.h"
#include "job/record/stream.h"
#include "trace/format.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The chunk that describes a process of the trace. Usually there is one; UPC threads that share a system process have one each. */
struct rank_state {
	uint64_t world;
	uint32_t rank;     /* PROCESS_UNKNOWN until it is known */
	bool events_lost;  /* the buffer or the disk is full */
	uint32_t sequence; /* of its next chunk */
	uint64_t delay_us;
	uint64_t overhead_ns;
	struct counter_sums counters;
	struct encoder encoder;
	struct chunk_place place;
	struct rank_state *next;
};

struct recording_process {
	pthread_mutex_t lock;  /* recursive: completing a request may add a communicator */
	char *output;          /* path of the trace; NULL: recording is off */
	uint64_t buffer_bytes; /* limit of the recorder's memory */
	uint64_t used_bytes;
	uint64_t world;
	uint32_t rank; /* of the first rank_state, which serves all threads without one of their own */
	uint32_t size;
	uint64_t run;
	uint64_t start_tick; /* start of the recorder */
	bool identified;     /* world and rank are known */
	bool has_mpi;        /* MPI runs: it gives the rank, and its end ends the recording */
	int locks;           /* the number of times that the owner has taken the lock */
	int cancelling;      /* the owner's cancel state before it took the lock */
};

extern struct recording_process process __attribute__((visibility("hidden")));
extern struct rank_state first_rank __attribute__((visibility("hidden")));

/* Reads the settings and opens the part, once. False: recording is off. */
bool process_start(void);

/* A thread cannot be cancelled while it holds the lock. */
static inline void process_lock(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&process.lock);
	if (!process.locks++)
		process.cancelling = before;
}

/* For the end of the process, when another thread may hold the lock forever. */
static inline bool process_lock_in_time(void)
{
	enum { LOCK_MS = 1000 };
	int before;

	if (!lock_in_time(&process.lock, LOCK_MS))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (!process.locks++)
		process.cancelling = before;
	return true;
}

static inline void process_unlock(void)
{
	int before = process.cancelling;
	bool last = !--process.locks;

	pthread_mutex_unlock(&process.lock);
	if (last)
		pthread_setcancelstate(before, NULL);
}

/* The thread level is MPI_THREAD_MULTIPLE: tables need the lock. */
extern bool process_is_multithreaded __attribute__((visibility("hidden")));

/* For tables that threads share only with MPI_THREAD_MULTIPLE. */
static inline void process_lock_if_shared(void)
{
	if (UNLIKELY(process_is_multithreaded))
		process_lock();
}

static inline void process_unlock_if_shared(void)
{
	if (UNLIKELY(process_is_multithreaded))
		process_unlock();
}

/* Leaves a note of one sentence for the user. */
void process_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Zeroed memory for data of MPI objects; the caller frees it. NULL: out of memory; a note says so. */
void *process_table(size_t count, size_t size);
void process_note_lack(void);

/* Zeroed memory for tables, which counts against the buffer. NULL: the buffer is used up. */
void *process_claim(size_t bytes);
void process_give_back(void *memory, size_t bytes);

/* Writes a record to all rank states, or to the one of process_write_only(). */
void process_write(enum record_kind kind, const void *record);
void process_property(const char *key, const char *value);

/* The chunks of all threads of a process are numbered together. */
uint32_t rank_state_next_sequence(struct rank_state *rank_state);

/* The number that keys use for a new object with this identity. */
int64_t object_add(uint64_t identity);
uint64_t object_identity(int64_t number);

/* The number of a text; equal texts have equal numbers. */
int64_t text_number(const char *text);
int64_t text_number_of(const char *text, size_t length);
const char *text_of(int64_t number);

/* Seals the process's own chunk. */
void process_close(void);
void process_identify(uint64_t world, uint32_t rank, uint32_t size);

/* Adds another process of the same world in this system process. NULL: no room. */
struct rank_state *rank_state_add(uint32_t rank);
/* Makes process_write() write only to this rank state; NULL: to all. The caller holds the lock in between. */
void process_write_only(struct rank_state *rank_state);

#endif
