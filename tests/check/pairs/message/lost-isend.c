/* pair: check=message.lost ranks=4 at=1,2,3 races
 *
 * One process takes the messages of all others, in whatever order they come. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[8], sum = 0;
	MPI_Request requests[2];
	MPI_Status status;

	start(&argc, &argv);
	if (rank == 0) {
		for (int i = 0; i < 3; i++) {
			MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
			sum += values[i];
		}
		expect(sum == 6);
#ifndef WRONG
		for (int i = 0; i < 3; i++) {
			MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
			MPI_Recv(&values[i], 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
			         &status);
			expect(status.MPI_TAG == 10 + status.MPI_SOURCE);
		}
#endif
	} else {
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&rank, 1, MPI_INT, 0, 10 + rank, MPI_COMM_WORLD, &requests[1]); /* FOUND */
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	return finish();
}
