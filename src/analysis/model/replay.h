/* Replays a trace in causal order, independent of clocks: every cause precedes its effect.
 *
 * relate() starts a replay for a sink (model/relations.h).
 *
 * A process continues until the end of a call that needs another process: a receive, a probe or a completed
 * request whose message was not sent yet, or a collective call that others must enter first. Then other
 * processes continue. So for all calls,
 *	the start of a send precedes the end of its receive,
 *	the start of a collective call precedes the end of those that need it (`collective` in calls/mpi.calls),
 * and the calls of each process are in order (threads by its clock). There is no other
 * order between processes.
 *
 * Messages are matched by MPI's rules (model/match.h), with the actual source and tag; collective calls by
 * their order on the communicator (model/collectives.h). A sink gets a message when it has been received: at
 * the end of MPI_Recv, MPI_Wait, …
 *
 * Gaps in a trace do not block the replay: a receive from a process that has ended continues without
 * its message, and if processes wait for each other because of damage, the earliest continues. All
 * of these are counted.
 *
 * Matching depends on order alone. Calls that the user excluded (--from, --to, --only, --not) were counted,
 * and take their places in the order (model/skipped_calls.c): their partners stay unmatched, and everything
 * else is matched. Without counts, the messages and collective calls of a process are skipped: from the first
 * such pause or lost chunk on, and if only some of the functions that send or receive were recorded.
 *
 * Time is linear in the number of events. Memory is needed for distinct calls and pending operations:
 * processes with many unreceived messages continue last. */
#ifndef TARRY_ANALYSIS_MODEL_REPLAY_H
#define TARRY_ANALYSIS_MODEL_REPLAY_H

#include "analysis/model/call_semantics.h"
#include "trace/reader.h"

struct replay_counts {
	uint64_t events;
	uint64_t messages;           /* received */
	uint64_t unmatched_sends;    /* without a receive in the trace */
	uint64_t unmatched_receives; /* without a send in the trace */
	uint64_t cancelled;
	uint64_t collectives;            /* collective calls, each counted once for all members */
	uint64_t incomplete_collectives; /* with missing members */
	uint64_t mixed_collectives;      /* whose members made different calls */
	uint64_t forced;                 /* calls released because all processes waited */
	uint64_t passed_over;            /* calls with unknown partners */
	/* Messages and collective calls of which a side was excluded by the user: their other
	 * sides are not matched. */
	uint64_t unrecorded;
	/* Set only by relate() (model/relations.h). */
	uint64_t violations; /* messages and collective calls that ended before their causes began */
	int64_t start_ns;    /* origin of the times, in the sense of clocks_ns() */
	/* Operations that do not end in the trace, if they were followed. */
	uint64_t open_requests;
	uint64_t open_accesses;
	uint64_t open_exposures; /* including those with an origin that does not end */
	uint64_t open_locks;
};

#endif
