/* pair: check=argument.tag-outside ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3, *bound, found;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
	MPI_Sendrecv_replace(&value, 1, MPI_INT, !rank, *bound, !rank, *bound, MPI_COMM_WORLD,
	                     MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(&value, 1, MPI_INT, !rank, 0, !rank, MPI_ANY_TAG, MPI_COMM_WORLD,
	                     MPI_STATUS_IGNORE);
#ifdef WRONG
	if (rank == 0)
		MPI_Ssend(&value, 1, MPI_INT, 1, -5, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
