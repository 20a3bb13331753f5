/* pair: check=deadlock.cycle also=message.tag-mismatch ranks=2 at=0,1 */
#include "../pair.h"

enum { REQUEST = 11, REPLY = 12 };

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	if (rank == 0) {
		MPI_Ssend(&rank, 1, MPI_INT, 1, REQUEST,
		          MPI_COMM_WORLD); /* FOUND FOUND: message.tag-mismatch */
		MPI_Recv(&theirs, 1, MPI_INT, 1, REPLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, 0, REPLY, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND FOUND: message.tag-mismatch */
#else
		MPI_Recv(&theirs, 1, MPI_INT, 0, REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		MPI_Ssend(&rank, 1, MPI_INT, 0, REPLY, MPI_COMM_WORLD);
	}
	expect(theirs == 1 - rank);
	return finish();
}
