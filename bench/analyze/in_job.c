/* A ring that makes a million calls a rank. Each rank prints when it calls MPI_Finalize: the time since 1970 in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	int rank, size, in, out = 1, rounds = argc > 1 ? atoi(argv[1]) : 333333;
	MPI_Request requests[2];
	struct timespec now;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < rounds; i++) {
		MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	clock_gettime(CLOCK_REALTIME, &now);
	printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
	MPI_Finalize();
	return 0;
}
