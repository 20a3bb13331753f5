/* A communicator is created in the middle of the work, and one process arrives late.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	MPI_Comm mine;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(WORK_US);
	MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* @mpi.communicator-create-wait rank=1,2 total=0.4 partner=0 */
	MPI_Comm_free(&mine);
	MPI_Finalize();
	return 0;
}
