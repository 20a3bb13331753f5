/* Those who follow some of the calls while relations are told, and tell relations of their own: one-sided epochs, locks,
 * requests, phases. A line for each in the table of model/trackers.c says who they are.
 *
 * Calls of a process come in their order, each when it is over. Between processes there is the replay's order: what one
 * process waits for in messages and collective calls comes before, nothing else. */
#ifndef TARRY_ANALYSIS_MODEL_TRACKER_H
#define TARRY_ANALYSIS_MODEL_TRACKER_H

#include "analysis/model/relations.h"

enum { TRACKERS_MAX = 8 };
/* Besides them: each call is told, or added up. */
enum { TOLD_BIT = 1 << TRACKERS_MAX, COUNTED_BIT = TOLD_BIT << 1 };

struct tracking {
	struct reader *reader;
	const struct comm_table *comms;
	const struct teller *teller;
	struct replay_counts *counts;
};

/* Of these, only `wants`, `call` and `end` must be there. */
struct tracker {
	void *context;
	/* Asked once for each distinct call. */
	bool (*wants)(void *context, const struct role *role);
	/* A call that it wants is over. */
	void (*call)(void *context, const struct occurrence *call, const struct event *event);
	/* The phase of calls that a thread begins from now on: asked after each call of the process that it wants. */
	uint32_t (*phase)(void *context, uint32_t process, uint32_t thread);
	/* A process has ended. */
	void (*gone)(void *context, uint32_t process);
	/* From here on, calls of a process may be missing: a pause, or lost chunks. */
	void (*blind)(void *context, uint32_t process);
	/* Much of what this process did waits for others: then it goes on last. Asked after each call that it wants. */
	bool (*is_ahead)(void *context, uint32_t process);
	/* Now and then: if it is full, it gets, by process, a time before which no call that follows starts. */
	bool (*is_full)(void *context);
	void (*settle)(void *context, const int64_t *now);
	/* The trace is over: tells the rest, and releases the context. */
	void (*end)(void *context);
};

/* All that somebody has a use for. Returns how many they are. */
uint32_t trackers_new(const struct tracking *about, struct tracker *trackers);

#endif
