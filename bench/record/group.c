/* MPI_Irecv, MPI_Isend and MPI_Waitall with a message of 8 bytes from a process to itself, so that no
 * other process affects the time. */
#include "../timed.h"

#include <mpi.h>

static void swap(double *in, double *out)
{
	MPI_Request request[2];

	MPI_Irecv(in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request[0]);
	MPI_Isend(out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	long rounds = argument(argc, argv, 1, 1000000) / LAPS;
	double in = 0, out = 1;
	struct timing timing;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (long i = 0; i < rounds; i++)
			swap(&in, &out);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, rounds, 3);
	return 0;
}
