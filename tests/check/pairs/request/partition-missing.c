/* pair: check=request.partition-missing ranks=2 at=0 mpi=mpich dies
 *
 * The wrong program would wait forever; a timer ends it. */
#include "../pair.h"

#include <sys/time.h>

int main(int argc, char **argv)
{
	int values[4] = {0}, done;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Psend_init(values, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	else
		MPI_Precv_init(values, 1, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request); /* MAY */
	if (rank == 0) {
		MPI_Pready_list(3, (int[]){0, 3, 2}, request);
		/* Asking is allowed at any time. */
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		expect(!done);
#ifndef WRONG
		MPI_Pready(1, request);
#endif
	}
#ifdef WRONG
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 300000}, NULL);
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Request_free(&request);
	return finish();
}
