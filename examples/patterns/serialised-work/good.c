/* All ranks work at the same time. MPI_Scan then gives each of them the sum up to its own part.
 *
 * tarry-example: ranks=4 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 12, WORK_US = 10000 };

int main(int argc, char **argv)
{
	double part = 0, sum = 0;

	MPI_Init(&argc, &argv);
	for (int step = 0; step < STEPS; step++) {
		usleep(WORK_US);
		part += 1;
		MPI_Scan(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
