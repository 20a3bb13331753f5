/* Rank 0 sends before it works, and rank 1 works before it asks for the size with MPI_Probe.
 * The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORK_US = 300000, NUMBERS = 10 };

static void receive(void)
{
	MPI_Status status;
	int count, *data;

	MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
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
		MPI_Send(data, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD);
		usleep(WORK_US / 2);
	} else {
		usleep(WORK_US / 2);
		receive();
	}
	MPI_Finalize();
	return 0;
}
