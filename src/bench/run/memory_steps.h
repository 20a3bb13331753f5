/* Steps that may make an MPI library allocate memory. */
#ifndef TARRY_BENCH_RUN_MEMORY_STEPS_H
#define TARRY_BENCH_RUN_MEMORY_STEPS_H

#include <mpi.h>

enum { MEMORY_STEPS_MAX = 16 };

struct allocating {
	const char *name;
	int times;                  /* repetitions, by which the result is divided */
	int (*run)(MPI_Comm world); /* collective; returns MPI's error code. NULL: already done */
};

/* Both end with an entry without a name. The planted steps allocate a known amount, to test the
 * measurement. */
extern const struct allocating memory_steps[], planted_memory_steps[];
#define MEMORY_PLANT "memory"

/* Allocates the memory of the steps themselves, so that it is not counted. */
void memory_steps_prepare(void);
/* A barrier of one-byte messages only. */
int memory_meet(MPI_Comm world);

/* Frees everything that the steps created. */
void memory_steps_release(void);

#endif
