/* Edges travel while the inner cells are computed. */
#include "work.h"

enum { STEPS = 100, CELLS = 1000, EDGE = 100 };

int main(int argc, char **argv)
{
	double cells[CELLS] = {1}, edges[2][EDGE];
	int rank, size, left, right;
	MPI_Request requests[4];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	left = (rank + size - 1) % size;
	right = (rank + 1) % size;
	for (int i = 0; i < STEPS; i++) {
		MPI_Irecv(edges[0], EDGE, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(edges[1], EDGE, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
		MPI_Isend(cells + CELLS - EDGE, EDGE, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
		MPI_Isend(cells, EDGE, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
		work(cells + EDGE, CELLS - 2 * EDGE);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
