/* The root arrives late at a broadcast: all others wait for its data.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(WORK_US);
	MPI_Bcast(&value, 1, MPI_INT, 0,
	          MPI_COMM_WORLD); /* @mpi.late-broadcast rank=1,2 total=0.4 count=2 partner=0 */
	MPI_Finalize();
	return 0;
}
