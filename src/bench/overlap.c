#include "bench/overlap.h"

#include "bench/computing.h"

enum status overlap_prepare(struct trial *trial)
{
	(void)trial;
	computing_calibrate();
	return OK;
}

int overlap_finish(struct trial *trial, int code)
{
	if (code != MPI_SUCCESS)
		return code;
	if (trial->compute_ns > 0)
		compute(trial->compute_ns);
	return MPI_Wait(&trial->request, MPI_STATUS_IGNORE);
}
