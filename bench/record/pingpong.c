/* Ping-pong of 8 bytes between two ranks: one round is a send and a receive on each. */
#include "../timed.h"

#include <mpi.h>

static void round_trips(int rank, long rounds, double *ball)
{
	for (long i = 0; i < rounds; i++) {
		if (rank == 0)
			MPI_Send(ball, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(ball, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(ball, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	long rounds = argument(argc, argv, 1, 1000000) / LAPS;
	double ball = 1;
	struct timing timing;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		round_trips(rank, rounds, &ball);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, rounds, 2);
	return 0;
}
