/* What the recorder knows of the process as a whole: whether it records at all, the objects that have an
 * identity in the trace, and the chunk that describes the process. One lock guards the slow paths of
 * everything; no fast path takes it. */
#ifndef TARRY_JOB_RECORD_PROCESS_H
#define TARRY_JOB_RECORD_PROCESS_H

#include "base/timed_lock.h"
#include "job/record/part.h"
#include "job/record/stream.h"
#include "trace/format.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The chunk that describes a process of the trace. Mostly there is one; where threads of UPC share a process of the system, each
 * of them has its own. */
struct rank_state {
	uint64_t world;
	uint32_t rank;     /* PROCESS_UNKNOWN until it is identified */
	bool events_lost;  /* there is no room for more */
	uint32_t sequence; /* of its next chunk */
	uint64_t delay_us;
	uint64_t overhead_ns;
	struct encoder encoder;
	struct chunk_place place;
	struct rank_state *next;
};

struct recording_process {
	pthread_mutex_t lock;  /* recursive: completing a request may make a communicator known */
	char *output;          /* path of the trace; NULL: nothing is to be recorded */
	uint64_t buffer_bytes; /* memory that recording may take */
	uint64_t used_bytes;
	uint64_t world;
	uint32_t rank; /* of the first rank_state, which is that of all threads that have none of their own */
	uint32_t size;
	uint64_t run;
	uint64_t start_tick; /* when the recorder began */
	bool identified;     /* world and rank are known */
	bool has_mpi;        /* which is not over: it says who the process is, and until when */
	int locks;           /* that the owner of the lock holds */
	int cancelling;      /* whether it could be cancelled before it took the first */
};

extern struct recording_process process __attribute__((visibility("hidden")));
extern struct rank_state first_rank __attribute__((visibility("hidden")));

/* Reads the settings and opens the part; once. False: recording is off. */
bool process_start(void);

/* Who holds it cannot be cancelled: the lock would stay taken for ever. */
static inline void process_lock(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&process.lock);
	if (!process.locks++)
		process.cancelling = before;
}

/* For the end of the process, when whoever has the lock may never give it back. */
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

/* MPI_THREAD_MULTIPLE: tables need the lock. */
extern bool process_is_multithreaded __attribute__((visibility("hidden")));

/* For tables that only threads of MPI_THREAD_MULTIPLE can touch at the same time. */
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

/* One sentence for the user. */
void process_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory for what MPI's objects stand for, zeroed, to be freed. NULL: there is none, and a note says so. */
void *process_table(size_t count, size_t size);
void process_note_lack(void);

/* Memory for tables, zeroed and never moved; counts against the buffer. NULL when that is used up. */
void *process_claim(size_t bytes);
void process_give_back(void *memory, size_t bytes);

/* A record of the process, in all states that there are. */
void process_write(enum record_kind kind, const void *record);
void process_property(const char *key, const char *value);

/* Numbers chunks over all threads of a process of the trace. */
uint32_t rank_state_next_sequence(struct rank_state *rank_state);

/* The number of a new object with this identity; values of keys name objects by it. */
int64_t object_add(uint64_t identity);
uint64_t object_identity(int64_t number);

/* The number of a text; equal texts have equal numbers. */
int64_t text_number(const char *text);
int64_t text_number_of(const char *text, size_t length);
const char *text_of(int64_t number);

/* Seals the process's own chunk. */
void process_close(void);
void process_identify(uint64_t world, uint32_t rank, uint32_t size);

/* One more process of the same world in this one; NULL: there is no room for it. */
struct rank_state *rank_state_add(uint32_t rank);
uint32_t rank_state_count(void);
/* What is written from now on is of this one alone; NULL: of all. The caller holds the lock in between. */
void process_tell_of(struct rank_state *rank_state);

#endif
