/* Everything that happened, in an order in which every cause comes before its effect, whatever the clocks say.
 *
 * relate() starts a replay for a sink (model/relations.h).
 *
 * A process goes on until it comes to the end of a call that needs something of another: a receive, a probe or
 * a completed request whose message was not sent yet, or a collective call that others have to enter first. Then
 * others go on. So of all calls
 *	the start of a send is seen before the end of what receives it,
 *	and the start of a collective call before the end of those that need it (`collective` in calls/mpi.calls),
 * and each process is seen in its own order (threads by its clock). There is no other order between processes.
 *
 * Messages are matched as MPI does (model/match.h), by the source and tag that were really received; collective
 * calls by their order on the communicator (model/collectives.h). A sink gets a message when it has been received: at the
 * end of MPI_Recv, MPI_Wait, ….
 *
 * What is missing from a trace holds nothing up: a receive from a process that has ended goes on without its
 * message, and where damage makes processes wait for each other, the earliest goes on. All of it is counted.
 *
 * Order alone tells which message a receive got. What the user did not want to be recorded (--from, --to, --only, --not) was counted, and takes its
 * place in the order (model/skipped_calls.c): what belongs to it is matched with nothing, and all else goes on. Where it was not
 * counted, the messages and collective calls of a process are passed over: from the first such pause or lost chunk on, and where
 * only some of the functions that send or receive were recorded.
 *
 * Time is linear in the number of events. Memory is that of the distinct calls, and of what is under way: who has sent
 * much that was not received yet goes on last. */
#ifndef TARRY_ANALYSIS_MODEL_REPLAY_H
#define TARRY_ANALYSIS_MODEL_REPLAY_H

#include "analysis/model/call_semantics.h"
#include "trace/reader.h"

struct replay_counts {
	uint64_t events;
	uint64_t messages;           /* received */
	uint64_t unmatched_sends;    /* whose receive is not in the trace */
	uint64_t unmatched_receives; /* whose send is not in the trace */
	uint64_t cancelled;
	uint64_t collectives;            /* collective calls, each counted once for all members */
	uint64_t incomplete_collectives; /* of which a member is missing */
	uint64_t mixed_collectives;      /* whose members made different calls */
	uint64_t forced;                 /* calls that were let through because everybody waited */
	uint64_t passed_over;            /* that send, receive or meet: with whom is not known */
	/* Messages and collective calls of which a side was not recorded, by the user's choice: the others of them are not matched. */
	uint64_t unrecorded;
	/* Of relate() alone (model/relations.h). */
	uint64_t violations; /* messages and collective calls that ended before what they needed began */
	int64_t start_ns;    /* what times count from, as clocks_ns() has it */
	/* What does not end in the trace, as far as anybody asked for it. */
	uint64_t open_requests;
	uint64_t open_accesses;
	uint64_t open_exposures; /* also those of which an origin's part does not end */
	uint64_t open_locks;
};

#endif
