/* pair: check=collective.root-mismatch ranks=2 at=0,1
 *
 * MPI survives the mismatch: the program runs on, also if it computes for longer than a deadlock needs. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int value, root = 0;

	start(&argc, &argv);
	value = rank;
#ifdef WRONG
	root = rank;
#endif
	MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); /* FOUND */
	if (rank == 0)
		sleep(3);
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
