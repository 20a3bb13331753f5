/* How each process ended, according to the trace: the open call of a process that was killed or hangs, the
 * processes it waits for, and whether it would have waited for ever.
 *
 *	struct open_calls *open = open_calls_new(session);
 *	for (uint32_t i = 0; i < open->process_count; i++)
 *		if (open->ends[i].state == END_IN_CALL) … open->ends[i].call, open->ends[i].since_ns …
 *	if (open->ring_count) … a deadlock of open->ring[0], …: each waits for the next, the last for the first …
 *	open_calls_free(open);
 *
 * A process in a blocking call waits for others, except for messages already sent and receives already
 * posted; and a computing process may still send. So a process is stuck only if none of the processes it
 * waits for can continue: a cycle of these is a deadlock. Processes that wait for one in MPI_Finalize are
 * stuck, too, and so are members of a communicator in different collective calls. Processes with several
 * threads and intercommunicators are not evaluated. */
#ifndef TARRY_ANALYSIS_MODEL_OPEN_CALLS_H
#define TARRY_ANALYSIS_MODEL_OPEN_CALLS_H

#include "analysis/model/call_needs.h"
#include "analysis/model/session.h"

enum end_state {
	END_UNKNOWN,  /* it made no call */
	END_FINISHED, /* MPI_Finalize has returned, or the UPC thread has ended */
	END_IN_CALL,
	END_POLLING, /* tests repeatedly, and works in between */
	END_OUTSIDE, /* outside MPI when it ended */
	END_BY_ABORT,
};

/* The needs of a process that is to continue. */
struct process_end {
	enum end_state state;
	const struct call *call;      /* the open one; END_OUTSIDE: the last one; NULL: none */
	const struct call_info *info; /* of it; NULL: not a function of MPI or UPC */
	int64_t since_ns;             /* its start; END_OUTSIDE: its end; END_POLLING: of the last one */
	uint32_t process, thread;
	uint32_t peer;                /* named by the call; NO_PROCESS: none, or unknown */
	struct needed_partners needs; /* the processes it waits for */
	bool is_stuck;                /* none of them, or not all, will ever arrive */
	uint64_t comm;                /* identity; 0: none */
};

struct open_calls {
	struct arena arena;
	struct process_end *ends; /* by process */
	uint32_t process_count;
	uint32_t open_count; /* processes in a call, or polling */
	int64_t until_ns;    /* the last time they were known to be there */
	bool is_over; /* until_ns is the end of the job, or of the look; otherwise, of the last record */
	uint32_t *ring;
	uint32_t ring_count;
	uint32_t stuck_count;
	uint64_t steps; /* visited partners: the cost of the answer */
};

struct open_calls *open_calls_new(struct analysis_session *session);
void open_calls_free(struct open_calls *open);

/* True if any process is in a call, as far as its events were read. */
bool has_open_calls(struct reader *reader);

#endif
