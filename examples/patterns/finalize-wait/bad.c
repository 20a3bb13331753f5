/* One process writes the results at the end while all others wait in MPI_Finalize.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(WORK_US);
	MPI_Finalize(); /* @mpi.finalize-wait rank=1,2 total=0.4 count=2 partner=0 */
	return 0;
}
