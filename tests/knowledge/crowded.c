/* A halo exchange in a ring whose ranks compute, with more of them than there are processors: all are late for each other,
 * and the program is not at fault. With a number as argument, the last rank also sleeps for this many milliseconds each
 * time: that is its own. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 15, WORK = 2000000 };

static void compute(void)
{
	volatile double x = 1;

	for (int i = 0; i < WORK; i++)
		x = x * 1.0000001 + 1e-9;
}

static void exchange(int left, int right)
{
	double from_left, from_right, mine = left;
	MPI_Request requests[4];

	MPI_Irecv(&from_left, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&from_right, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(&mine, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(&mine, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < TIMES; i++) {
		compute();
		if (argc > 1 && rank == size - 1)
			nanosleep(&(struct timespec){.tv_nsec = atoi(argv[1]) * 1000000L}, NULL);
		exchange((rank + size - 1) % size, (rank + 1) % size);
	}
	MPI_Finalize();
	return 0;
}
