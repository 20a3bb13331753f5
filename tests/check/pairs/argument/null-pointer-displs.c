/* pair: check=argument.null-pointer ranks=2 at=0,1 dies
 *
 * Displacements matter only where data arrives: not on other ranks than the root, and not if all counts are 0. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int all[2] = {0}, counts[2] = {1, 1}, none[2] = {0, 0}, displs[2] = {0, 1}, *where = displs;

	start(&argc, &argv);
	return_errors();
	MPI_Gatherv(&rank, 1, MPI_INT, rank ? NULL : all, rank ? NULL : counts, rank ? NULL : displs, MPI_INT,
	            0, MPI_COMM_WORLD);
	expect(rank || all[1] == 1);
	MPI_Gatherv(NULL, 0, MPI_INT, NULL, rank ? NULL : none, rank ? NULL : displs, MPI_INT, 0,
	            MPI_COMM_WORLD);
#ifdef WRONG
	where = NULL;
#endif
	MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, where, MPI_INT, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
