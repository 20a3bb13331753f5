/* Inside of the stand-in runtime: UPC threads as processes over one shared segment, or as threads of such processes.
 *
 * The sources are compiled once for each personality, with its own <gasp.h> and <gasp_upc.h>: an event that the
 * personality does not name is not delivered. Threads that wait sleep: one lock and one condition for them all. */
#pragma once

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#include <gasp.h>
#include <gasp_upc.h>
#include <upcr.h>

#include "names.h"

enum {
	MAX_THREADS = 64,
	MAX_OBJECTS = 65536,
	RESULTS = 16,
	REDUCTION_BYTES = 16,
	HEAP_BYTES = 32 << 20,
	BARRIER_UNNAMED = INT32_MIN,
};

/* Blocks of `block_bytes` bytes, dealt out to threads in turn; at the same offset of each thread's heap. */
struct object {
	uint64_t block_bytes;
	uint64_t offset;
	uint32_t below; /* the object that was made before it */
	int first_thread;
	bool is_live;
};

/* A thread's contribution to a reduction, if it has any. */
struct part {
	_Alignas(16) unsigned char value[REDUCTION_BYTES];
	bool is_there;
};

struct segment {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	_Atomic bool is_ready;
	_Atomic bool is_exiting; /* by upc_global_exit */
	int exit_status;
	int threads;
	int threads_per_process;
	pid_t pids[MAX_THREADS];

	int notified;
	unsigned barriers_done;

	uint64_t entered[MAX_THREADS]; /* how many collectives, by each thread */
	uint64_t worked[MAX_THREADS];
	uint64_t left[MAX_THREADS];
	uint64_t results[RESULTS];
	struct part parts[RESULTS][MAX_THREADS];

	uint64_t heap_used;
	uint32_t objects_made;
	uint32_t top_object;
	struct object objects[MAX_OBJECTS];
	uint64_t static_object;

	uint64_t atomics_until_ns
		[MAX_THREADS]; /* when the thread's memory is free for the next atomic operation */
};

/* What tests plant inside the runtime, from UPC_STANDIN_* in the environment. */
struct planted {
	double bytes_per_second; /* of transfers between threads; 0: at once */
	uint64_t put_ns;         /* until a put has arrived */
	uint64_t atomic_ns;      /* of each atomic operation, one at a time for each thread's memory */
	int slow_thread;         /* leaves barriers that much later */
	uint64_t slow_ns;
};

struct self {
	int thread;
	gasp_context_t context;
	unsigned barrier;       /* the one that was notified last */
	uint64_t collective;    /* entered last */
	uint64_t puts_until_ns; /* when the last one has arrived */
	uint64_t copies_until_ns;
};

extern struct segment *segment;
extern struct planted planted;
extern _Thread_local struct self self;

uint64_t now_ns(void);
void sleep_until_ns(uint64_t when);
/* How long `bytes` take between `thread` and this one. */
uint64_t transfer_ns(int thread, uint64_t bytes);

void segment_open(int threads, int threads_per_process, bool is_first);
void lock_segment(void);
void unlock_segment(void);
void wait_for_change(void); /* the segment is locked */
void tell_change(void);

uint64_t object_new(uint64_t blocks, uint64_t block_bytes, int first_thread);
void object_free(uint64_t shared_pointer);
int thread_of(uint64_t shared_pointer);
void *here(uint64_t shared_pointer); /* where this process sees it */

void *on_thread(uint64_t shared_pointer, int thread); /* the same place in another thread's heap */

/* A collective: a thread enters it, has worked when the others may have its data, and leaves it when it has theirs. What
 * it waits for is a set of threads, one bit each, and how far they are. */
void enter_collective(void);
void work_in_collective(void);
void leave_collective(void);
void wait_for_threads(const uint64_t *reached, uint64_t threads);
uint64_t all_threads(void);

/* Missing parts become ALLSYNC, before a tool is informed. */
upc_flag_t normal_flags(upc_flag_t flags);

/* A call that all threads make, with its result on thread 0: the others wait for that. */
struct collective_call {
	struct upcr_place at;
	uint64_t blocks;
	uint64_t bytes;
};
uint64_t result_of_first(uint64_t (*make)(const struct collective_call *),
                         const struct collective_call *call);

#ifdef UPCR_TOOL
#ifdef UPCR_BERKELEY
#define deliver gasp_event_notify
#else
void deliver(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
             int column, ...);
#endif
#define EVENT(tag, type, at, ...) \
	((tag) != 0 && (at).report \
	         ? deliver(self.context, tag, type, (at).file, (at).line, 0, ##__VA_ARGS__) \
	         : (void)0)
#else
static inline void no_event(struct upcr_place at, ...)
{
	(void)at;
}
#define EVENT(tag, type, at, ...) no_event(at, ##__VA_ARGS__)
#endif
#define START(tag, at, ...) EVENT(tag, GASP_START, at, ##__VA_ARGS__)
#define END(tag, at, ...) EVENT(tag, GASP_END, at, ##__VA_ARGS__)
