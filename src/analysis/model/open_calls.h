/* How each process ended, as far as the trace tells: in which call a process is that was killed or hangs, for whom it waits, and
 * whether it would have waited for ever.
 *
 *	struct open_calls *open = open_calls_new(session);
 *	for (uint32_t i = 0; i < open->process_count; i++)
 *		if (open->ends[i].state == END_IN_CALL) … open->ends[i].call, open->ends[i].since_ns …
 *	if (open->ring_count) … a deadlock of open->ring[0], … each of which waits for the next, the last for the first …
 *	open_calls_free(open);
 *
 * A process in a blocking call waits for others. A message that was sent, or a receive that was posted, is no reason to wait, and who
 * computes may still send. So a process is stuck only if nobody that it waits for can go on: a ring of these is a
 * deadlock. Whoever waits for a process that has reached MPI_Finalize is stuck, too, and so are members of a communicator
 * in different collective calls. Of a process with several threads, and of intercommunicators, nothing is claimed. */
#ifndef TARRY_ANALYSIS_MODEL_OPEN_CALLS_H
#define TARRY_ANALYSIS_MODEL_OPEN_CALLS_H

#include "analysis/model/call_needs.h"
#include "analysis/model/session.h"

enum end_state {
	END_UNKNOWN,  /* it made no call */
	END_FINISHED, /* MPI_Finalize is over, or the thread of UPC has ended */
	END_IN_CALL,
	END_POLLING, /* asks again and again, and does something else in between */
	END_OUTSIDE, /* it computed, or was ended there */
	END_BY_ABORT,
};

/* What a process needs to go on. */
struct process_end {
	enum end_state state;
	const struct call *call;      /* the open one; END_OUTSIDE: the last one; NULL: there is none */
	const struct call_info *info; /* of it; NULL: no function of MPI or UPC */
	int64_t since_ns;             /* since when; END_OUTSIDE: its end; END_POLLING: the last one's */
	uint32_t process, thread;
	uint32_t peer;                /* whom the call names; NO_PROCESS: nobody, or it is not known */
	struct needed_partners needs; /* whom it waits for */
	bool is_stuck;                /* none of them, or not all, will ever come */
	uint64_t comm;                /* identity; 0: it has none */
};

struct open_calls {
	struct arena arena;
	struct process_end *ends; /* by process */
	uint32_t process_count;
	uint32_t open_count; /* processes in a call, or polling */
	int64_t until_ns;    /* when the last of them was known to be there */
	bool is_over; /* that is when the job ended, or was looked at; otherwise, the last that anybody recorded */
	uint32_t *ring;
	uint32_t ring_count;
	uint32_t stuck_count;
	uint64_t steps; /* partners that were looked at: what the answer cost */
};

struct open_calls *open_calls_new(struct analysis_session *session);
void open_calls_free(struct open_calls *open);

/* Whether any process is in a call, as far as its events were read. */
bool has_open_calls(struct reader *reader);

#endif
