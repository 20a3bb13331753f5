/* Rank 0 has more work than the others before a barrier, where they wait for it.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000 };

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	usleep(rank == 0 ? WORK_US : WORK_US / 3);
	MPI_Barrier(MPI_COMM_WORLD); /* @mpi.barrier-wait rank=1,2 total=0.4 count=2 partner=0 */
	MPI_Finalize();
	return 0;
}
