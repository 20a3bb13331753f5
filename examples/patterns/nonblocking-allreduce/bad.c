/* A sum is started without blocking, but completed at once: nothing is gained.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		usleep(WORK_US);
	MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* @mpi.nxn-wait rank=0 total=0.2 partner=1 */
	if (rank == 0)
		usleep(WORK_US);
	MPI_Barrier(MPI_COMM_WORLD); /* @mpi.barrier-wait rank=1 total=0.2 */
	MPI_Finalize();
	return 0;
}
