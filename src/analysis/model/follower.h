/* Modules that follow some of the calls in a replay and write rows of relations: one-sided epochs, locks, requests. The table in
 * model/replay.c lists them.
 *
 * Calls of a process come in their order, each when it is over. Between processes there is the replay's order: what one
 * process waits for in messages and collective calls comes before, nothing else. */
#ifndef TARRY_ANALYSIS_MODEL_FOLLOWER_H
#define TARRY_ANALYSIS_MODEL_FOLLOWER_H

#include "analysis/model/replay.h"
#include "analysis/model/row_writer.h"

struct replay_input {
	const struct reader *reader;
	const struct comm_table *comms;
	struct row_writer *rows;
	struct replay_counts *counts; /* what does not end in the trace is added to them */
};

/* Only `new`, `wants`, `call` and `finish` must be there. */
struct follower {
	/* NULL: nobody wants its rows, or there are no such calls in the trace. */
	void *(*new)(const struct replay_input *input);
	/* Asked once for each distinct call. */
	bool (*wants)(void *self, const struct call_semantics *semantics);
	void (*call)(void *self, const struct occurrence *call, const struct event *event);
	/* Here, calls of a process are missing by the user's choice: a pause. Requests under way may have ended. */
	void (*paused)(void *self, uint32_t process);
	/* From here on, calls of a process may be missing: a pause in which they were not counted, or lost chunks. */
	void (*lost)(void *self, uint32_t process);
	/* A process has ended. */
	void (*ended)(void *self, uint32_t process);
	/* Much of what this process did waits for others, so they go on first. Asked after each call that is followed. */
	bool (*is_ahead)(void *self, uint32_t process);
	/* Asked now and then. If it is full it gets, by process, a time before which no call that follows starts. */
	bool (*is_full)(void *self);
	void (*settle)(void *self, const int64_t *now);
	/* The trace is over: writes the rest, and releases. */
	void (*finish)(void *self);
};

extern const struct follower rma_follower, request_follower, partition_follower, polling_follower,
	mutex_follower, thread_fence_follower, team_follower;

#endif
