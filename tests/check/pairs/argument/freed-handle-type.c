/* pair: check=argument.freed-handle ranks=2 at=1 dies
 *
 * A type may be freed while it is in use, and types derived from it stay valid. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {rank, rank, rank, rank};
	MPI_Datatype pair, pairs, copy;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_contiguous(2, pair, &pairs); /* PARTNER */
	MPI_Type_commit(&pairs);
	copy = pairs;
	MPI_Type_free(&pair);
	if (rank == 0) {
		MPI_Irecv(values, 1, pairs, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Type_free(&pairs);
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(values, 1, copy, 0, 0, MPI_COMM_WORLD);
		MPI_Type_free(&pairs); /* PARTNER */
#ifdef WRONG
		MPI_Send(values, 1, copy, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	}
	return finish();
}
