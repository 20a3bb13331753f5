/* The state of a communicator of the program. A state needs communicators of our own, and MPI libraries have
 * few of them. So a communicator gets a state only after a few collective calls, MPI_COMM_WORLD at its first
 * one. The state is an attribute; it is freed with the communicator, at the latest in MPI_Finalize. */
#ifndef TARRY_JOB_COLL_STATES_H
#define TARRY_JOB_COLL_STATES_H

#include "coll/algorithms/collective.h"
#include "coll/algorithms/start.h"
#include "coll/choice/correction.h"
#include "coll/choice/levels.h"
#include "coll/choice/model.h"
#include "coll/choice/trial.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Operations of one kind and size class. */
struct coll_entry {
	struct coll_trial trial;
	int16_t algorithms
		[TRIAL_CANDIDATES]; /* candidates: rows of coll_algorithms; the first entry is unused (MPI) */
	bool is_forced;
	uint64_t calls, bytes_min, bytes_max;
};

struct coll_state {
	struct coll_comm coll;
	struct coll_shape shape;
	struct coll_correction correction; /* equal on all members */
	struct coll_start start;           /* of measured calls */
	MPI_Comm of;                       /* the program's */
	int64_t number;                    /* equal on all members; later ones are larger */
	struct coll_state *next;
	struct coll_entry entries[COLL_OPERATIONS][SIZE_CLASSES];
};

/* Enables states, after all processes of MPI_COMM_WORLD have agreed. */
void states_begin(void);

/* The state of a communicator; NULL: its collectives are left to MPI. Collective, because all members make
 * `call` and one of these calls creates the state. Checks size and rank against the call. */
struct coll_state *state_find(MPI_Comm comm, const struct coll_call *call);

/* Writes an entry for `tarry coll`, on rank 0. */
void outcome_write(const struct coll_state *state, int operation, int class);
/* A message to the user. */
void coll_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop

#endif
