/* What is known of the program's communicators. A communicator gets a state after a few collective calls on it, because that takes communicators of
 * our own, of which an MPI library has few; MPI_COMM_WORLD gets it at its first one. The state is an attribute, and ends with the communicator;
 * what is left when the program calls MPI_Finalize ends then. */
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

/* Operations of one kind and size. */
struct coll_entry {
	struct coll_trial trial;
	int16_t algorithms
		[TRIAL_CANDIDATES]; /* candidates, as rows of coll_algorithms; the first is not used */
	bool is_forced;
	uint64_t calls, bytes_min, bytes_max;
};

struct coll_state {
	struct coll_comm coll;
	struct coll_shape shape;
	struct coll_correction correction; /* the same on all members */
	struct coll_start start;           /* of measured calls */
	MPI_Comm of;                       /* the program's */
	int64_t number;                    /* the same on all members; later ones have larger numbers */
	struct coll_state *next;
	struct coll_entry entries[COLL_OPERATIONS][SIZE_CLASSES];
};

/* From now on communicators may have states: all processes of MPI_COMM_WORLD have agreed. */
void states_begin(void);

/* Of a communicator; NULL: its collectives are left to MPI. Collective, if `call` is one that all members make: at one of them the state is made. Size
 * and rank are checked against what the call says. */
struct coll_state *state_find(MPI_Comm comm, const struct coll_call *call);

/* What is known of an entry, for `tarry coll`; written by the process of rank 0. */
void outcome_write(const struct coll_state *state, int operation, int class);
/* A sentence for the user. */
void coll_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop

#endif
