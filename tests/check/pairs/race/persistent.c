/* pair: check=race.message-order ranks=3 among=0
 *
 * A persistent receive; the right one takes messages of one process only, which cannot overtake each other. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		              &request); /* FOUND */
		for (int i = 0; i < 2; i++) {
			MPI_Start(&request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			sum += value;
		}
		MPI_Request_free(&request);
		expect(sum == 3);
	}
#ifdef WRONG
	else
		MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD); /* PARTNER */
#else
	for (value = 1; rank == 2 && value < 3; value++)
		MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_WORLD);
#endif
	return finish();
}
