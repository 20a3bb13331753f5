/* pair: check=argument.tag-outside ranks=2 at=1 mpi=mpich
 *
 * Open MPI allows every integer. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3, *bound, found, tag;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
	tag = *bound;
	MPI_Irecv(&value, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD, &request);
	MPI_Send(&rank, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(value == !rank);
#ifdef WRONG
	if (rank == 1)
		MPI_Isend(&value, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD, &request); /* FOUND */
#endif
	return finish();
}
