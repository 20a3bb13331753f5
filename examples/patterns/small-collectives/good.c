/* All numbers are summed up at once. The error of a step is not among them: it decides whether there is a next one.
 *
 * tarry-example: ranks=2 args=8 slow=MPI_Allreduce */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { NUMBERS = 20, STEPS = 2000, WORK_US = 1000 };

int main(int argc, char **argv)
{
	double own[NUMBERS] = {0}, sum[NUMBERS], error = 1, worst = 1;
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	MPI_Init(&argc, &argv);
	for (int step = 0; step < steps && worst > 0; step++) {
		usleep(WORK_US / 2);
		MPI_Allreduce(own, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		usleep(WORK_US / 2);
		MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
