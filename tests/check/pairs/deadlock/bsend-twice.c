/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	static char room[1000 + 2 * MPI_BSEND_OVERHEAD];
	void *detached;
	int theirs = -1, bytes;
	start(&argc, &argv);
	/* Each sends once and receives twice. */
	const int other = 1 - rank;

	MPI_Buffer_attach(room, sizeof room);
	MPI_Bsend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#ifndef WRONG
	MPI_Bsend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#endif
	MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Buffer_detach(&detached, &bytes);
	expect(theirs == other);
	return finish();
}
