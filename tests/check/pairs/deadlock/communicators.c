/* pair: check=deadlock.cycle also=message.communicator-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Comm twin, used = MPI_COMM_WORLD;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	if (rank == 0) {
		MPI_Ssend(&rank, 1, MPI_INT, 1, 0,
		          MPI_COMM_WORLD); /* FOUND FOUND: message.communicator-mismatch */
	} else {
#ifdef WRONG
		used = twin;
#endif
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, used,
		         MPI_STATUS_IGNORE); /* FOUND FOUND: message.communicator-mismatch */
	}
	MPI_Comm_free(&twin);
	expect(rank == 0 || theirs == 0);
	return finish();
}
