/* pair: check=argument.rank-outside ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 1;
	MPI_Request request = MPI_REQUEST_NULL;

	start(&argc, &argv);
	return_errors();
	if (rank == 1) {
#ifdef WRONG
		MPI_Irecv(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &request); /* FOUND */
#else
		MPI_Irecv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, &request);
		MPI_Send(&size, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 2);
		MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	}
	return finish();
}
