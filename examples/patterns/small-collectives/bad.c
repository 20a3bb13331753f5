/* Each number is summed up in a separate collective operation.
 *
 * tarry-example: ranks=2 args=8 slow=MPI_Allreduce */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { NUMBERS = 20, STEPS = 2000, WORK_US = 1000 };

int main(int argc, char **argv)
{
	double own[NUMBERS] = {0}, sum[NUMBERS];
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	MPI_Init(&argc, &argv);
	for (int step = 0; step < steps; step++) {
		usleep(WORK_US);
		for (int i = 0; i < NUMBERS; i++)
			MPI_Allreduce(&own[i], &sum[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		/* @mpi.small-collectives rank=0,1 */
	}
	MPI_Finalize();
	return 0;
}
