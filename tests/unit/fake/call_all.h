/* Every C function and every Fortran entry point, each with a function that calls it once: made from the table. */
#ifndef TESTS_UNIT_FAKE_CALL_ALL_H
#define TESTS_UNIT_FAKE_CALL_ALL_H

#include "calls/ids.h"

#include <mpi.h>

struct one_call {
	const char *name;
	enum call_id id;
	void (*call)(void);
};

/* Room for whatever calls read and write through pointers. */
extern MPI_Count rooms[16][64]; /* one for each parameter */

static inline void *room(int number)
{
	return rooms[number];
}

/* A row without a name ends them. */
extern const struct one_call c_calls[], fortran_calls[];

#endif
