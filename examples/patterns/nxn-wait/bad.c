/* One process has more work than the others before a sum that all need. Before an exchange in pairs one process of each pair has more work, and only
 * its partner waits for it.
 *
 * tarry-example: ranks=4 whatif=none */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum, counts[4] = {0}, places[4] = {0, 1, 2, 3}, given[4] = {0}, got[4];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 2)
		usleep(WORK_US);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @mpi.nxn-wait rank=0,1,3 total=0.6 count=3 partner=2 */
	if (rank % 2 == 0)
		usleep(rank == 2 ? WORK_US : WORK_US / 2);
	counts[rank ^ 1] = 1;
	MPI_Alltoallv(given, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
	/* @mpi.nxn-wait rank=1,3 total=0.3 count=2 partner=0,2 */
	if (rank < 2)
		usleep(WORK_US / 2);
	MPI_Finalize();
	return 0;
}
