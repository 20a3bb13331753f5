/* The first process arrives late at a prefix sum: all others need its part.
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
	if (rank == 0)
		usleep(WORK_US);
	MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM,
	         MPI_COMM_WORLD); /* @mpi.early-scan rank=1,2 total=0.4 partner=0 */
	MPI_Finalize();
	return 0;
}
