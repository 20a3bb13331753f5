/* Blocking sends to MPI_PROC_NULL with a different tag each time: the overhead on calls that are all
 * different. The standard allows tags up to 32767, more than a chunk of a trace remembers. */
#include "../timed.h"

#include <mpi.h>

enum { TAGS = 32767 };

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
			MPI_Send(&payload, 1, MPI_DOUBLE, MPI_PROC_NULL, (int)(i % TAGS), MPI_COMM_WORLD);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, rounds, 1);
	return 0;
}
