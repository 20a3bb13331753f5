/* One process has more work than the others before a sum that all need, and before an exchange in pairs, which only its partner
 * waits in.
 *
 * tarry-example: ranks=4 */
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
	if (rank == 2)
		usleep(WORK_US);
	counts[rank ^ 1] = 1;
	MPI_Alltoallv(given, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
	/* @mpi.nxn-wait rank=3 total=0.2 count=1 partner=2 */
	if (rank < 2)
		usleep(WORK_US);
	MPI_Finalize();
	return 0;
}
