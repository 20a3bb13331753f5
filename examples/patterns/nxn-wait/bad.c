/* One process has more work than the others before a sum that all need.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 2)
		usleep(WORK_US);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @mpi.nxn-wait rank=0,1 total=0.4 count=2 partner=2 */
	MPI_Finalize();
	return 0;
}
