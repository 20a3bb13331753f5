/* pair: check=request.overwritten ranks=2 at=1
 *
 * The variable may be used again as soon as the request is kept elsewhere. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {0};
	MPI_Request request, kept[4];

	start(&argc, &argv);
	if (rank == 0) {
		for (int i = 0; i < 4; i++)
			MPI_Send(&size, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
		return finish();
	}
	for (int i = 0; i < 3; i++) {
		MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
		kept[i] = request;
	}
	MPI_Waitall(3, kept, MPI_STATUSES_IGNORE);
	expect(values[0] == 2 && values[2] == 2);
#ifdef WRONG
	MPI_Irecv(&values[3], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request); /* PARTNER */
	MPI_Irecv(&values[0], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request); /* FOUND */
	MPI_Send(&size, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
#else
	MPI_Irecv(&values[3], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
