/* Equal work, and a sum over all in each step. */
#include "work.h"

enum { STEPS = 100, CELLS = 1000 };

int main(int argc, char **argv)
{
	double cells[CELLS] = {1}, sum = 0, all;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < STEPS; i++) {
		sum += work(cells, CELLS);
		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
