/* Each rank puts into the memory of the next one, between fences. */
#include "work.h"

enum { STEPS = 100, CELLS = 1000 };

int main(int argc, char **argv)
{
	double cells[CELLS] = {1}, *window;
	int rank, size;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Win_allocate(CELLS * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
	                 &win);
	MPI_Win_fence(0, win);
	for (int i = 0; i < STEPS; i++) {
		MPI_Put(cells, CELLS, MPI_DOUBLE, (rank + 1) % size, 0, CELLS, MPI_DOUBLE, win);
		work(cells, CELLS);
		MPI_Win_fence(0, win);
	}
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
