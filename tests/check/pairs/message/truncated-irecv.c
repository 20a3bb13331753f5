/* pair: check=message.truncated ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	static double values[40000];
	MPI_Datatype half;
	MPI_Request request;
	int room = 40000 / 3;

	start(&argc, &argv);
	return_errors();
	MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &half);
	MPI_Type_commit(&half);
#ifdef WRONG
	room = 10;
#endif
	if (rank == 0)
		MPI_Send(values, 20, half, 1, 3, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Irecv(values, room, half, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request); /* FOUND */
	if (rank == 1)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_free(&half);
	return finish();
}
