/* pair: check=message.truncated ranks=2 at=0,1 exit=any
 *
 * MPI ends the program in MPI_Wait. Which message arrived is known only then. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[8] = {0}, room = 8;
	MPI_Request request;

	start(&argc, &argv);
#ifdef WRONG
	room = 4;
#endif
	if (rank == 0) {
		MPI_Send(values, 8, MPI_INT, 1, 3, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Irecv(values, room, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	return finish();
}
