/* pair: check=message.truncated ranks=2 at=0,1 exit=any */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2][8] = {{0}}, room = 8;
	MPI_Request requests[2];

	start(&argc, &argv);
#ifdef WRONG
	room = 4;
#endif
	if (rank == 0) {
		MPI_Send(values[0], 8, MPI_INT, 1, 3, MPI_COMM_WORLD);
		MPI_Send(values[1], 8, MPI_INT, 1, 4, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Irecv(values[0], 8, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(values[1], room, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[1]); /* FOUND */
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	return finish();
}
