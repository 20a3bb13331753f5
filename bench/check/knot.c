/* Two ranks that wait for each other forever and print when they started to wait. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct timespec now;
	int rank, value;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	clock_gettime(CLOCK_REALTIME, &now);
	printf("{\"began_ns\": %lld}\n", now.tv_sec * 1000000000LL + now.tv_nsec);
	fflush(stdout);
	MPI_Recv(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
