/* Rank 1 asks for the size of its message with MPI_Probe and waits there for rank 0, which works before it sends. The
 * receive after the probe does not wait.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORK_US = 300000, NUMBERS = 100 };

static void receive(void)
{
	MPI_Status status;
	int count, *data;

	MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	/* @mpi.late-standard-send rank=1 total=0.3 count=1 partner=0 */
	MPI_Get_count(&status, MPI_INT, &count);
	data = malloc((size_t)count * sizeof *data);
	MPI_Recv(data, count, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	free(data);
}

int main(int argc, char **argv)
{
	int rank, data[NUMBERS] = {0};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		usleep(WORK_US);
		MPI_Send(data, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		receive();
	}
	MPI_Finalize();
	return 0;
}
