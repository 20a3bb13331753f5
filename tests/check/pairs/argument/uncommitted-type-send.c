/* pair: check=argument.uncommitted-type ranks=2 at=0
 *
 * Types are built of others that were never committed, and questions about them are allowed. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 3, 4}, bytes;
	MPI_Aint lower, extent;
	MPI_Datatype pair, two, copy;

	start(&argc, &argv);
	return_errors();
	MPI_Type_contiguous(2, MPI_INT, &pair); /* PARTNER */
	MPI_Type_size(pair, &bytes);
	MPI_Type_get_extent(pair, &lower, &extent);
	expect(bytes == 8 && lower == 0 && extent == 8);
	MPI_Type_vector(2, 1, 1, pair, &two);
	MPI_Type_commit(&two);
	MPI_Type_dup(two, &copy);
	if (rank == 0) {
		MPI_Send(values, 1, copy, 1, 0, MPI_COMM_WORLD);
#ifdef WRONG
		MPI_Send(values, 1, pair, 1, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	} else {
		MPI_Recv(values, 1, two, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef WRONG
		MPI_Request request;
		MPI_Irecv(values, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Cancel(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	}
	MPI_Type_free(&pair);
	MPI_Type_free(&two);
	MPI_Type_free(&copy);
	return finish();
}
