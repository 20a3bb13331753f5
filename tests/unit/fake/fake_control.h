/* What a test plants in the fake MPI library before a call, and what it finds there afterwards. All of it lies in
 * memory that is shared with forked children: scenarios run in one (see scenario.h), tests look at it from outside.
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
	int other_rank, other_size; /* in communicators that were made */
	int remote_size;            /* of them; 0: the same */
	int thread_level;
	int inter, topology, neighbours; /* of communicators that were made */
	int type_bytes;                  /* of datatypes that were made */
	int envelope_types;              /* that a datatype was made of */
	int next_handle;                 /* of whatever is made next; 0: one that was never there */
	int flag, index, outcount;
	int indices[FAKE_MANY];
	MPI_Status statuses[FAKE_MANY];
	long eager_limit;                /* a control variable; 0: there is none */
	int codes[MPI_CALLS];            /* that functions return */
	void (*inside)(enum call_id id); /* called inside of each function */
	/* found */
	unsigned long calls[MPI_CALLS];
	enum call_id log[FAKE_LOG]; /* the last calls, with wrap-around */
	unsigned long logged;
	int tool_uses; /* of the interface for tools that have not ended */
};

extern struct fake_mpi *fake;

/* Nothing is planted and nothing was called: process 2 of 4. */
void fake_reset(void);

/* Fortran's MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE and MPI_IN_PLACE of the old interface and the new. */
extern int fake_status_ignore_, fake_in_place_, *const fake_statuses_ignore, *const fake_f08_in_place;

#endif
