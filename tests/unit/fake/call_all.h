/* Every C function and every Fortran entry point, each with a generated function that calls it once. */
#ifndef TESTS_UNIT_FAKE_CALL_ALL_H
#define TESTS_UNIT_FAKE_CALL_ALL_H

#include "calls/ids.h"

#include <mpi.h>

struct one_call {
	const char *name;
	enum call_id id;
	void (*call)(void);
};

/* Memory that calls read and write through pointers. */
extern MPI_Count rooms[16][64]; /* one for each parameter */

static inline void *room(int number)
{
	return rooms[number];
}

/* The last row has no name. */
extern const struct one_call c_calls[], fortran_calls[];

#endif
