/* pair: check=argument.root-outside ranks=3 at=0,1,2
 *
 * In an intercommunicator the root is a rank of the other side, and its own side says MPI_ROOT or MPI_PROC_NULL. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, root;
	MPI_Comm part, across;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &part);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0, 1, &across);
	root = rank == 2 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 1;
	value = rank;
	MPI_Bcast(&value, 1, MPI_INT, root, across);
	expect(rank || value == 2);
#ifdef WRONG
	MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Bcast(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
#endif
	MPI_Comm_free(&across);
	MPI_Comm_free(&part);
	return finish();
}
