/* How all processes ended, reported by the leader at the end: an unmatched operation is an error only if its
 * possible partners ended normally. */
#ifndef TARRY_CHECK_KNOWN_PROCESS_ENDS_H
#define TARRY_CHECK_KNOWN_PROCESS_ENDS_H

#include "base/array.h"
#include "base/map.h"
#include "check/protocol/messages.h"

struct ended_world {
	uint64_t world;
	uint32_t size;
};

struct process_ends {
	ARRAY(struct ended_world) worlds;
	struct map exceptions; /* world and rank to enum process_end, + END_STUCK, END_FIRST */
	bool is_known;         /* false: unknown */
	bool all_finalized;
	bool nobody_moves; /* every process has finalized, or is in a call that it does not leave */
};

enum {
	END_STUCK = 16,
	END_FIRST = 32,      /* it vanished before all others of its world, without an explanation */
	END_DEADLOCKED = 64, /* it waits for ever: this was reported, and it was ended */
};

/* A process that did not finalize. */
void ends_add_exception(struct process_ends *ends, uint64_t world, uint32_t rank, uint32_t end);
void ends_add_world(struct process_ends *ends, uint64_t world, uint32_t size);

void ends_put(struct message_writer *out, const struct process_ends *ends);
bool ends_take(struct cursor *in, struct process_ends *ends);
void ends_release(struct process_ends *ends);

/* All operations that the process would ever begin are known. */
bool process_has_finalized(const struct process_ends *ends, uint64_t world, uint32_t rank);
bool process_vanished_first(const struct process_ends *ends, uint64_t world, uint32_t rank);
/* The run was ended, and this process with it. */
bool process_was_stopped(const struct process_ends *ends, uint64_t world, uint32_t rank);
bool process_is_deadlocked(const struct process_ends *ends, uint64_t world, uint32_t rank);
bool process_is_stuck(const struct process_ends *ends, uint64_t world, uint32_t rank);

#endif
