/* Everything that happened, in an order in which every cause comes before its effect, whatever the clocks say.
 *
 *	static void got_message(void *context, struct step *step, const struct message *message)
 *	{
 *		draw(message->from.process, message->from.start, step->process, step->event->end);
 *	}
 *
 *	struct visitor visitor = {.context = mine, .message = got_message};
 *	struct replay_counts counts;
 *	replay(reader, &visitor, &counts);
 *
 * A process goes on until it comes to the end of a call that needs something of another: a receive, a probe or
 * a completed request whose message was not sent yet, or a collective call that others have to enter first. Then
 * others go on. So of all calls
 *	the start of a send is seen before the end of what receives it,
 *	and the start of a collective call before the end of those that need it (`meets` in calls/mpi.calls),
 * and each process is seen in its own order (threads by its clock). There is no other order between processes.
 *
 * Messages are matched as MPI does (model/match.h), by the source and tag that were really received; collective
 * calls by their order on the communicator (model/collectives.h). A message is visited when it has been received: at the
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

/* A call of a process, at its start or its end. */
struct step {
	uint32_t process; /* index in the reader */
	struct stream *stream;
	const struct event *event;
	const struct call_semantics *semantics;
	/* When the call began, in the visitor's own sense: `enter` may set it, and it comes back with the messages
	 * that this call sent (`from.moment`) and with the collective calls that others left because of it (`cause`).
	 * The start in ticks, if it is not set. */
	int64_t moment;
};

/* The call at one end of a message: that which sent it, or which posted the receive. */
struct message_end {
	uint32_t process;
	struct stream *stream;
	const struct call
		*call;       /* of a prepared request: which prepared it; its fields describe the message */
	uint64_t start, end; /* of the call that sent or posted it; of a prepared one, which started it */
	int64_t moment;
};

struct message {
	bool probed; /* only looked at by this call: it is visited again when it is received */
	struct message_end from, to;
	uint64_t comm; /* identity */
	uint32_t source, dest;
	int32_t tag;
};

/* Bytes of the message, as its sender gave them. */
uint64_t message_bytes(const struct message *message);

/* A collective call of a process is complete. */
struct collective_end {
	uint64_t comm;           /* identity */
	const struct call *call; /* which this process made or prepared */
	uint64_t start;          /* of this process's part */
	enum meets meets;
	/* The last one to come of those whom this process needed, and the moment of its coming; NO_PROCESS: it needed
	 * nobody, or nobody of them is in the trace. */
	uint32_t cause;
	int64_t cause_moment;
	/* The same for all processes of one collective, and different for others: counted for each `order`. */
	uint32_t order;
	uint64_t sequence;
};

/* Each may be NULL. For one call: enter, then message and collective for all that it completed, then leave. */
struct visitor {
	void *context;
	void (*enter)(void *context, struct step *step);
	void (*message)(void *context, struct step *step, const struct message *message);
	void (*collective)(void *context, struct step *step, const struct collective_end *collective);
	void (*leave)(void *context, struct step *step);
	/* Now and then, with a part from 0 to 1. */
	void (*progress)(double part);
};

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

void replay(struct reader *reader, const struct visitor *visitor, struct replay_counts *counts);

#endif
