/* pair: check=argument.root-outside ranks=4 at=1,2,3
 *
 * The side that receives names a root that is not there, and MPI rejects its calls; the other side makes none. The calls behind that
 * belong together all the same. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0;
	MPI_Comm part, across;

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &part);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0, 1, &across);
	MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
#ifdef WRONG
	if (rank > 0)
		MPI_Bcast(&value, 1, MPI_INT, 1, across); /* FOUND */
#else
	value = rank == 0;
	MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, across);
	expect(value == 1);
#endif
	MPI_Barrier(across);
	MPI_Comm_free(&across);
	MPI_Comm_free(&part);
	return finish();
}
