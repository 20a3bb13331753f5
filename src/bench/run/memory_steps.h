/* What may make an MPI library allocate, one after the other. */
#ifndef TARRY_BENCH_RUN_MEMORY_STEPS_H
#define TARRY_BENCH_RUN_MEMORY_STEPS_H

#include <mpi.h>

enum { MEMORY_STEPS_MAX = 16 };

struct allocating {
	const char *name;
	int times;                  /* how often it is done: what it takes is divided by that */
	int (*run)(MPI_Comm world); /* collective; MPI's error code. NULL: has been done before */
};

/* Both end with one without a name. What the planted ones take is known: they show whether looking is right. */
extern const struct allocating memory_steps[], planted_memory_steps[];
#define MEMORY_PLANT "memory"

/* Takes what steps need of their own, so that it is not counted. */
void memory_steps_prepare(void);
/* All wait for all, with messages of a byte only. */
int memory_meet(MPI_Comm world);

/* Of all that steps have made. */
void memory_steps_release(void);

#endif
