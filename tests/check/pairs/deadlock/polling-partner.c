/* pair: check=none ranks=2 */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Rank 1 polls, and does other work until a message arrives. */
	MPI_Request request;
	int flag = 0;

	if (rank == 0) {
		usleep(300000);
		MPI_Recv(&theirs, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		for (int i = 0; !flag; i++) {
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
			usleep(10000);
			if (i == 20)
				MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		}
	}
	expect(theirs == 1 - rank);
	return finish();
}
