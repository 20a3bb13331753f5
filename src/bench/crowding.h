/* Whether processes have to share processors: then one waits for the other in its sleep, and times say little. */
#ifndef TARRY_BENCH_CROWDING_H
#define TARRY_BENCH_CROWDING_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { PROCESSOR_MASK_BYTES = 1024 }; /* one bit each: as many as Linux can have */

struct crowding {
	int processes;  /* on the most crowded node */
	int processors; /* which they may use there */
	bool is_crowded;
};

/* Of one node: where each of its processes may run. */
struct crowding crowding_judge(const unsigned char (*masks)[PROCESSOR_MASK_BYTES], int processes);

/* Collective; the worst node, in all processes. */
struct crowding crowding_find(MPI_Comm comm);

/* Collective; whether the node of this process is crowded by processes of `comm`, which is what waiting has to mind. */
bool crowding_here(MPI_Comm comm);

#endif
