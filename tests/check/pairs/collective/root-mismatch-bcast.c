/* pair: check=collective.root-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, root = 1;
	MPI_Comm across;

	start(&argc, &argv);
	/* Between two groups the root is seen differently from both sides. */
	MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 1, &across);
	value = rank;
	MPI_Bcast(&value, 1, MPI_INT, rank ? MPI_ROOT : 0, across);
	expect(value == 1);
	MPI_Comm_free(&across);
#ifdef WRONG
	root = rank;
#endif
	MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
