/* pair: check=none ranks=3
 *
 * Rank 1 waits for a later message, and rank 0 polls for longer than a mismatch needs: rank 2 computes, and lets both continue. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int value = 0, other = 0, flag = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Isend(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
		while (!flag)
			MPI_Iprobe(2, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), usleep(1000);
		MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		sleep(8);
		MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
