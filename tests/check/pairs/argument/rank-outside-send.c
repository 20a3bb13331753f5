/* pair: check=argument.rank-outside ranks=4 at=3
 *
 * A rank has to be one of the communicator: of an intercommunicator, of the other side. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 5;
	MPI_Comm part, across;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_split(MPI_COMM_WORLD, rank == 3, 0, &part);
	MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 3 ? 0 : 3, 1, &across);
	MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, part);
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 2, 0, across);
	if (rank == 2)
		MPI_Recv(&value, 1, MPI_INT, 0, 0, across, MPI_STATUS_IGNORE);
#ifdef WRONG
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 2, 0, part); /* FOUND */
#endif
	MPI_Comm_free(&across);
	MPI_Comm_free(&part);
	return finish();
}
