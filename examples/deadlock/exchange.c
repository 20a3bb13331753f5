/* Smooths a field on a ring of ranks. In each step every rank sends its edges to the next rank and then receives those of the previous
 * one. Small edges fit into the buffers of the MPI library, and the program works. Above some size MPI_Send waits until the edge is
 * received: every rank sends, none receives. `tarry check` shows this deadlock.
 *
 *	mpicc -g -o exchange exchange.c
 *	tarry check -- mpirun -n 4 ./exchange           deadlock: 100000 numbers in an edge
 *	tarry check -- mpirun -n 4 ./exchange 10        works, and is reported as a potential deadlock */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 3, NUMBERS = 100000, TAG_EDGE = 7 };

static void exchange(const double *edge, double *halo, int count)
{
	int rank, size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Send(edge, count, MPI_DOUBLE, (rank + 1) % size, TAG_EDGE, MPI_COMM_WORLD);
	MPI_Recv(halo, count, MPI_DOUBLE, (rank + size - 1) % size, TAG_EDGE, MPI_COMM_WORLD,
	         MPI_STATUS_IGNORE);
}

static void smooth(double *edge, const double *halo, int count)
{
	for (int i = 0; i < count; i++)
		edge[i] = (edge[i] + halo[i]) / 2;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : NUMBERS, rank;
	double *edge = calloc((size_t)count, sizeof *edge), *halo = calloc((size_t)count, sizeof *halo);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!edge || !halo)
		MPI_Abort(MPI_COMM_WORLD, 1);
	edge[0] = rank;
	for (int step = 0; step < STEPS; step++) {
		exchange(edge, halo, count);
		smooth(edge, halo, count);
	}
	if (rank == 0)
		printf("%g\n", edge[0]);
	free(halo);
	free(edge);
	MPI_Finalize();
	return 0;
}
