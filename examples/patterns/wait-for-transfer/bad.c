/* Rank 0 has sent all messages long before rank 1 completes its receives, but each MPI_Wait still takes long to transfer one.
 *
 * tarry-example: ranks=2 slow=MPI_Wait besides=mpi.finalize-wait whatif=mpi.wait-for-transfer */
#include <mpi.h>
#include <unistd.h>

enum { MESSAGES = 20, NUMBERS = 100, WORK_US = 100000 };

static double numbers[MESSAGES][NUMBERS];

int main(int argc, char **argv)
{
	MPI_Request request;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < MESSAGES && rank == 0; i++)
		MPI_Send(numbers[i], NUMBERS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
	usleep(WORK_US);
	for (int i = 0; i < MESSAGES && rank == 1; i++) {
		MPI_Irecv(numbers[i], NUMBERS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @mpi.wait-for-transfer rank=1 partner=0 */
	}
	MPI_Finalize();
	return 0;
}
