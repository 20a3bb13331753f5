/* Data that a test plants in the fake MPI library before a call, and data that it finds after it. The memory is shared with forked
 * children: a scenario runs in a child (see scenario.h), and the test reads the data from outside.
 *
 *	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 3, .MPI_TAG = 7, .bytes = 400};
 *	MPI_Recv(…);
 *	assert_int_equal(fake->calls[CALL_Recv], 1); */
#ifndef TESTS_UNIT_FAKE_CONTROL_H
#define TESTS_UNIT_FAKE_CONTROL_H

#include "calls/ids.h"

#include <mpi.h>

enum { FAKE_MANY = 2048, FAKE_LOG = 64 };

/* Handles of persistent requests have this bit, and outlive their completion. */
enum { FAKE_PERSISTENT = 1 << 29 };

struct fake_mpi {
	/* planted */
	int rank, size;             /* in MPI_COMM_WORLD */
	int other_rank, other_size; /* in new communicators */
	int remote_size;            /* of new communicators; 0: the same */
	int thread_level;
	int inter, topology, neighbours; /* of new communicators */
	int type_bytes;                  /* of new datatypes */
	int envelope_types;              /* number of types in a datatype */
	int next_handle;                 /* of the next object; 0: an unused one */
	int flag, index, outcount;
	int indices[FAKE_MANY];
	MPI_Status statuses[FAKE_MANY];
	long eager_limit;                /* a control variable; 0: none */
	int codes[MPI_CALLS];            /* returned by functions */
	void (*inside)(enum call_id id); /* called inside of each function */
	/* found */
	unsigned long calls[MPI_CALLS];
	enum call_id log[FAKE_LOG]; /* the last calls, with wrap-around */
	unsigned long logged;
	int tool_uses; /* unended uses of the tools interface */
};

extern struct fake_mpi *fake;

/* Clears everything: process 2 of 4. */
void fake_reset(void);

/* Fortran's MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE and MPI_IN_PLACE of the old interface and the new. */
extern int fake_status_ignore_, fake_in_place_, *const fake_statuses_ignore, *const fake_f08_in_place;

#endif
