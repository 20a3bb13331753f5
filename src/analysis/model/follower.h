/* Modules that process some of the calls of a replay and write rows of relations: one-sided epochs, locks,
 * requests. The table in model/replay.c lists them.
 *
 * Calls of a process arrive in order, each when it is complete. Between processes, only the order of the
 * replay is guaranteed: a call arrives after the messages and collective calls that it waited for. */
#ifndef TARRY_ANALYSIS_MODEL_FOLLOWER_H
#define TARRY_ANALYSIS_MODEL_FOLLOWER_H

#include "analysis/model/replay.h"
#include "analysis/model/row_writer.h"

struct replay_input {
	const struct reader *reader;
	const struct comm_table *comms;
	struct row_writer *rows;
	struct replay_counts *counts; /* operations that do not end in the trace are added to them */
	const struct analysis_session *session;
};

/* `new`, `wants`, `call` and `finish` are required. */
struct follower {
	/* NULL: its rows are not wanted, or the trace has no such calls. */
	void *(*new)(const struct replay_input *input);
	/* Asked once for each distinct call. */
	bool (*wants)(void *self, const struct call_semantics *semantics);
	void (*call)(void *self, const struct occurrence *call, const struct event *event);
	/* Calls of a process are missing here by the user's choice: a pause. Pending
	 * requests may have ended. */
	void (*paused)(void *self, uint32_t process);
	/* From here on, calls of a process may be missing: an uncounted pause, or lost chunks. */
	void (*lost)(void *self, uint32_t process);
	/* A process has ended. */
	void (*ended)(void *self, uint32_t process);
	/* True if much data of this process waits for others, so that they should continue first. Asked
	 * after each followed call. */
	bool (*is_ahead)(void *self, uint32_t process);
	/* Asked occasionally. If it is full, it receives, by process, a time before which no
	 * further call starts. */
	bool (*is_full)(void *self);
	void (*settle)(void *self, const int64_t *now);
	/* The trace has ended: writes the rest, and releases memory. */
	void (*finish)(void *self);
};

extern const struct follower rma_follower, request_follower, partition_follower, polling_follower,
	mutex_follower, thread_fence_follower, team_follower;

#endif
