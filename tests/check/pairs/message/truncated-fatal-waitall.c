/* pair: check=message.truncated ranks=2 at=0,1 exit=any */
#include "../pair.h"

int main(int argc, char **argv)
{
	int all[2][8] = {{0}}, room = 8;
	MPI_Request q[2];

	start(&argc, &argv);
#ifdef WRONG
	room = 4;
#endif
	if (rank == 0) {
		MPI_Send(all[0], 8, MPI_INT, 1, 3, MPI_COMM_WORLD);
		MPI_Send(all[1], 8, MPI_INT, 1, 4, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Irecv(all[0], 8, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &q[0]);
		MPI_Irecv(all[1], room, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &q[1]); /* FOUND */
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	}
	return finish();
}
