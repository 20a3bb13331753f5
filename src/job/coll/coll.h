/* Executes each collective operation with the fastest algorithm on this machine. The generated wrappers
 * (src/calls/generator/coll.py) ask this layer whether it takes over a call:
 *
 *	struct coll_turn turn;
 *	if (coll_begin(&turn, &call, comm))
 *		return turn.code;                 one of our algorithms has executed it
 *	const int rc = PMPI_Allgather(…);
 *	coll_end(&turn);
 *	return rc;
 *
 * Invariants:
*   - All members of a communicator decide alike, by values that are equal on all members or that they agreed on.
*   - MPI gets all calls with invalid arguments, calls on intercommunicators and on communicators of one process,
 *     and calls before MPI_Init or after MPI_Finalize.
*   - Nothing is printed, and the process is never ended. If memory or communicators run out, all members leave the
 *     communicator to MPI. */
#ifndef TARRY_JOB_COLL_COLL_H
#define TARRY_JOB_COLL_COLL_H

#include "coll/algorithms/collective.h"
#include "coll/choice/trial.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct coll_state;

struct coll_turn {
	int code; /* return code of the call, if one of our algorithms executed it */
	/* Set if MPI's call is to be measured: */
	struct coll_state *state;
	struct coll_entry *entry;
	double start_s;
};

bool coll_begin(struct coll_turn *turn, const struct coll_call *call, MPI_Comm comm);
void coll_measure_library(const struct coll_turn *turn);

/* After MPI has executed the call. */
static inline void coll_end(const struct coll_turn *turn)
{
	if (__builtin_expect(turn->entry != NULL, 0))
		coll_measure_library(turn);
}

/* True between MPI_Init and MPI_Finalize, if all processes agreed in MPI_Init. */
bool coll_is_alive(void);

/* arguments.c: whether MPI would accept this call on a communicator of this kind. */
bool coll_arguments_are_good(const struct coll_call *call, int rank, int size);

#pragma GCC visibility pop

#endif
