/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int got[2] = {-1, -1};
	start(&argc, &argv);
	/* Rank 1 sends the second message only after an answer, which rank 0 gives when it has both. */
	MPI_Request requests[2];

	if (rank == 0) {
		for (int i = 0; i < 2; i++)
			MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]); /* MAY */
#ifdef WRONG
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
#else
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
		MPI_Send(&rank, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
#ifndef WRONG
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#endif
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(&got[0], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	expect(got[0] == 1 - rank);
	return finish();
}
