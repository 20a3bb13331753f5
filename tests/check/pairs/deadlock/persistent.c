/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;
	MPI_Request request;

	MPI_Recv_init(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* MAY */
	for (int i = 0; i < 3; i++) {
		MPI_Start(&request); /* MAY */
#ifdef WRONG
		if (i == 2)
			MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
#endif
		MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	expect(theirs == other);
	return finish();
}
