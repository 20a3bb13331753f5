/* What the recorder keeps of a thread of UPC; shared by the files upc*.c. Only the thread itself uses it, until it is over. */
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
	unsigned tag; /* the implementation's; 0 from our own wrappers */
	bool is_seen; /* recording was on, and no other call was open */
	uint64_t start;
	int64_t site;
};

/* A function whose name was met, by the place of its name. */
struct upc_function {
	const char *name;
	int64_t text;
};

enum upc_obstacle {
	UPC_BUSY = 1, /* with an event: those that come of our own doing are not the program's */
	UPC_OFF = 2,  /* the program does not want it (gasp_control) */
	UPC_OVER = 4,
};

/* A call that our own wrappers name. */
struct upc_name {
	const char *name;
	uint32_t call;
};

enum { UPC_HANDLE_WORDS = 64 };

/* Non-blocking operations of a thread of UPC that are under way, by the runtime's handle. Each has the lowest number that was
 * free when it began, so that a loop makes the same distinct calls each time round. */
struct upc_handles {
	struct handles numbers;
	uint64_t taken[UPC_HANDLE_WORDS]; /* one bit for each number */
};

/* Functions of the runtime that events without file and line come through (upc_callers.h). */
struct upc_passage {
	uint64_t module, offset;
};

struct upc_passages {
	bool are_known;
	uint32_t count;
	struct upc_passage items[UPC_PASSAGES];
	int64_t last_word, last_site; /* the place that was asked for last, and what it is in the program */
};

struct upc_thread;

/* Words of keys that tell of an access or a barrier, the most frequent of all. */
enum { UPC_ACCESS_WORDS = 5, UPC_BARRIER_WORDS = 4 };

/* Fills the values of an event's key; how many words it has then. */
typedef uint32_t upc_key_reader(const struct upc_thread *thread, struct upc_arguments *arguments,
                                int64_t *key);

struct upc_thread {
	const struct upc_dialect *dialect;
	uint32_t obstacles;   /* why nothing is recorded just now: enum upc_obstacle */
	bool merges_barriers; /* the implementation has no event for a whole barrier */
	bool was_off;
	int me, threads;
	int64_t team; /* as an object */
	uint64_t team_identity;

	uint32_t depth;  /* of `open` */
	uint32_t hiding; /* calls in it that hide others */
	struct upc_open open[UPC_NESTING];
	int64_t fields[FIELD_KEYS]; /* of the call at hand; ABSENT between calls */
	/* A upc_notify that may turn out to be the first half of a barrier. */
	struct {
		bool is_held;
		uint64_t start;
		int64_t site, id;
		struct upc_place at;
	} notify;
	/* Of the event at hand, if its start was not frequent; NULL: of a wrapped call. */
	const void *caller, *frame;
	struct upc_passages passages;
	struct upc_place siteless; /* of the call at hand, where no site could be made of it */

	uint8_t events[UPC_TAGS]; /* enum upc_event by tag */
	upc_key_reader *key_readers[UPC_EVENT_COUNT];
	struct upc_places places;
	struct upc_handles handles;
	struct upc_name names[UPC_NAMES];
	struct upc_function functions[UPC_FUNCTIONS];
	uint32_t open_functions, open_foralls;
	uint32_t user_events; /* that were created */
	int64_t user_texts[UPC_USER_EVENTS];
	uint32_t user_open[UPC_USER_EVENTS];

	uint64_t left_behind, unmatched_ends, unknown;
	unsigned unknown_ids[UPC_UNKNOWN_IDS];
	struct rank_state *rank_state;
	struct upc_thread *next;
};

#endif
