/* Repeated blocking sends to MPI_PROC_NULL: the overhead of a recorder on the cheapest call. */
#include "../timed.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	long rounds = argument(argc, argv, 1, 2000000) / LAPS;
	double payload = 1;
	struct timing timing;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (long i = 0; i < rounds; i++)
			MPI_Send(&payload, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, rounds, 1);
	return 0;
}
