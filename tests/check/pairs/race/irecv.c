/* pair: check=race.message-order ranks=3 at=0,1,2
 *
 * Two receives are pending; the second one is waited for first. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, source = 1;
	MPI_Request requests[2];

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		source = MPI_ANY_SOURCE;
#endif
		MPI_Irecv(&value[0], 1, MPI_INT, source, 5, MPI_COMM_WORLD, &requests[0]); /* FOUND */
		MPI_Irecv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* PARTNER */
	}
	return finish();
}
