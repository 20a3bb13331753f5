/* pair: check=collective.root-mismatch ranks=4 at=1,3
 *
 * Each part of a split has its own root; in one of them the processes disagree. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 5, root;
	MPI_Comm part;

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
	root = rank % 2;
#ifdef WRONG
	if (rank == 1)
		root = 0;
#endif
	MPI_Bcast(&value, 1, MPI_INT, root, part); /* FOUND */
	expect(value == 5);
	MPI_Comm_free(&part);
	return finish();
}
