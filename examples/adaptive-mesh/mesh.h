/* A one-dimensional mesh in strips, one for each rank. From step REFINED to COARSENED the mesh is fine around a front: the strips that it crosses have FINE
 * times the cells. Each step, ranks exchange edges with their neighbours and agree on a time step. Ranks sleep instead of computing. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 40, REFINED = 10, COARSENED = 30, FINE = 4, CELLS = 64, CELL_US = 60, CELL_BYTES = 64 };

static int rank, size;

static int is_refined(int step)
{
	return step >= REFINED && step < COARSENED;
}

/* The front crosses the first quarter of the strips. */
static int cells_of_strip(int strip, int step)
{
	return is_refined(step) && 4 * strip < size ? FINE * CELLS : CELLS;
}

static int cells_of_mesh(int step)
{
	int all = 0;

	for (int strip = 0; strip < size; strip++)
		all += cells_of_strip(strip, step);
	return all;
}

static void advance(int cells)
{
	double edge = rank, left = 0, right = 0, own = 1.0 / cells, step;
	int before = (rank + size - 1) % size, after = (rank + 1) % size;

	usleep(cells * CELL_US);
	MPI_Sendrecv(&edge, 1, MPI_DOUBLE, before, 0, &right, 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	MPI_Sendrecv(&edge, 1, MPI_DOUBLE, after, 1, &left, 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	MPI_Allreduce(&own, &step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}
