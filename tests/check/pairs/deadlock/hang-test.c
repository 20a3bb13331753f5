/* pair: check=deadlock.hang options=--hang-timeout=3 ranks=2 at=0,1 */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Request request;
	int flag = 0;

	if (rank == 0) {
		MPI_Irecv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
		while (!flag)
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE), usleep(5000); /* FOUND */
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
#ifndef WRONG
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	}
	expect(theirs == 1 - rank);
	return finish();
}
