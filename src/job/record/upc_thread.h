/* The state of a UPC thread, for the files upc*.c. Only the thread itself uses it until it ends. */
#ifndef TARRY_JOB_RECORD_UPC_THREAD_H
#define TARRY_JOB_RECORD_UPC_THREAD_H

#include "base/upc_link.h"
#include "job/mpi/handles.h"
#include "job/record/process.h"
#include "job/record/upc_places.h"
#include "trace/format.h"

enum {
	UPC_NESTING = 64,
	UPC_TAGS = 2048,
	UPC_USER_EVENTS = 1024,
	UPC_FUNCTIONS = 256,
	UPC_UNKNOWN_IDS = 16,
	UPC_NAMES = 16
};

/* A call that has begun. */
struct upc_open {
	uint32_t event;
	unsigned tag; /* of the implementation; 0 from our own wrappers */
	bool is_seen; /* recording was on, and no other call was open then */
	uint64_t start;
	int64_t site;
};

/* A known function, by the address of its name. */
struct upc_function {
	const char *name;
	int64_t text;
};

enum upc_obstacle {
	UPC_BUSY = 1, /* inside the recorder, whose own events are not the program's */
	UPC_OFF = 2,  /* switched off by the program (pupc_control) */
	UPC_OVER = 4,
};

/* A call that our own wrappers report by name. */
struct upc_name {
	const char *name;
	uint32_t call;
};

enum { UPC_HANDLE_WORDS = 64 };

/* Active non-blocking operations of a UPC thread, by the runtime's handle. Each gets the lowest number that is free when it begins, so that a
 * loop makes the same distinct calls in each iteration. */
struct upc_handles {
	struct handles numbers;
	uint64_t taken[UPC_HANDLE_WORDS]; /* one bit for each number */
};

/* Functions of the runtime between the program and events without file and line (src/job/gasp/passages.c). */
struct upc_passage {
	uint64_t module, offset;
};

struct upc_passages {
	bool are_known;
	uint32_t count;
	struct upc_passage items[UPC_PASSAGES];
	int64_t last_word, last_site; /* the last place, and its site in the program */
};

struct upc_thread;

/* Words in the keys of accesses and barriers, the most frequent calls. */
enum { UPC_ACCESS_WORDS = 5, UPC_BARRIER_WORDS = 4 };

/* Fills the values of an event's key, and returns the number of its words. */
typedef uint32_t upc_key_reader(const struct upc_thread *thread, struct upc_arguments *arguments,
                                int64_t *key);

struct upc_thread {
	const struct upc_dialect *dialect;
	uint32_t obstacles;   /* reasons why nothing is recorded now: enum upc_obstacle */
	bool merges_barriers; /* the implementation has no event for a whole barrier */
	bool was_off;
	int me, threads;
	int64_t team; /* the object's number */
	uint64_t team_identity;

	uint32_t depth;  /* number of entries in `open` */
	uint32_t hiding; /* number of open calls that hide others */
	struct upc_open open[UPC_NESTING];
	/* A upc_notify that may be the first half of a barrier. */
	struct {
		bool is_held;
		uint64_t start;
		int64_t site, id;
		struct upc_place at;
	} notify;
	/* Return address and frame of the current event, if it did not take the fast path; NULL: a wrapped call. */
	const void *caller, *frame;
	struct upc_passages passages;
	struct upc_place siteless; /* place of the current call, if that has no site */

	uint8_t events[UPC_TAGS]; /* enum upc_event by tag */
	upc_key_reader *key_readers[UPC_EVENT_COUNT];
	struct upc_places places;
	struct upc_handles handles;
	struct upc_name names[UPC_NAMES];
	struct upc_function functions[UPC_FUNCTIONS];
	uint32_t open_functions, open_foralls;
	uint32_t user_events; /* number of events that the program created */
	int64_t user_texts[UPC_USER_EVENTS];
	uint32_t user_open[UPC_USER_EVENTS];

	uint64_t left_behind, unmatched_ends, unknown;
	unsigned unknown_ids[UPC_UNKNOWN_IDS];
	struct rank_state *rank_state;
	struct upc_thread *next;
};

#endif
