/* The Jacobi experiment of the Performance Expert paper, with its computation: a square grid in strips, a number of iterations.
 *
 *     mpirun -n 4 ./jacobi before 6400 1000      compute, send the edges, receive the neighbours'
 *     mpirun -n 4 ./jacobi after 6400 1000       send the edges, compute the inside, receive, compute the edges
 *
 * Prints seconds, nanoseconds a point and rank, and a sum that is the same for both. Under SimGrid (-DSIMULATED) a point takes as
 * many nanoseconds as the fourth argument says, and only the edges are in memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, up, down;
static long width, rows, iterations;
static double point_ns;
static double *grids[2]; /* rows 0 to rows + 1 of the strip: the outer ones are the neighbours' edges */

#ifdef SIMULATED
#include <smpi/smpi.h>
/* Rows 0, 1, rows and rows + 1. */
static double *row_of(double *grid, long row)
{
	return grid + (row < 2 ? row : row - rows + 2) * width;
}

static double *new_grid(void)
{
	return calloc((size_t)width * 4, sizeof(double));
}

static void compute(long iteration, long first, long last)
{
	(void)iteration;
	if (last >= first)
		smpi_execute((double)((last - first + 1) * width) * point_ns * 1e-9);
}
#else
static double *row_of(double *grid, long row)
{
	return grid + row * width;
}

static double *new_grid(void)
{
	return calloc((size_t)width * (size_t)(rows + 2), sizeof(double));
}

static void compute(long iteration, long first, long last)
{
	double *grid = grids[iteration % 2], *new = grids[(iteration + 1) % 2];

	for (long i = first; i <= last; i++)
		for (long j = i * width + 1; j < (i + 1) * width - 1; j++)
			new[j] = (grid[j - width] + grid[j - 1] + grid[j + width] + grid[j + 1]) / 4;
}
#endif

static void begin(void)
{
	up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
	rows = width / size + (rank < width % size);
	for (int i = 0; i < 2; i++) {
		grids[i] = new_grid();
		for (long j = 0; rank == 0 && j < width; j++)
			row_of(grids[i], 0)[j] = 1;
	}
}

static void send_edges(double *grid)
{
	MPI_Send(row_of(grid, 1), (int)width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD);
	MPI_Send(row_of(grid, rows), (int)width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD);
}

static void receive_edges(double *grid)
{
	MPI_Recv(row_of(grid, 0), (int)width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(row_of(grid, rows + 1), (int)width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Neighbours communicate in the opposite order, because a send may wait for its receive. */
static void run_before(void)
{
	for (long i = 0; i < iterations; i++) {
		double *new = grids[(i + 1) % 2];

		compute(i, 1, rows);
		if (rank % 2)
			receive_edges(new);
		send_edges(new);
		if (rank % 2 == 0)
			receive_edges(new);
	}
}

static void run_after(void)
{
	MPI_Request sent[2];

	for (long i = 0; i < iterations; i++) {
		double *grid = grids[i % 2];

		MPI_Isend(row_of(grid, 1), (int)width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &sent[0]);
		MPI_Isend(row_of(grid, rows), (int)width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &sent[1]);
		compute(i, 2, rows - 1);
		receive_edges(grid);
		MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
		compute(i, 1, 1);
		if (rows > 1)
			compute(i, rows, rows);
	}
}

static double sum_of_strip(void)
{
	double sum = 0;

#ifndef SIMULATED
	for (long i = width; i < (rows + 1) * width; i++)
		sum += grids[iterations % 2][i];
#endif
	return sum;
}

int main(int argc, char **argv)
{
	double started, seconds, longest, sum, all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc < 4)
		MPI_Abort(MPI_COMM_WORLD, 2);
	width = atol(argv[2]);
	iterations = atol(argv[3]);
	point_ns = argc > 4 ? atof(argv[4]) : 0;
	begin();
	MPI_Barrier(MPI_COMM_WORLD);
	started = MPI_Wtime();
	if (strcmp(argv[1], "before") == 0)
		run_before();
	else
		run_after();
	seconds = MPI_Wtime() - started;
	sum = sum_of_strip();
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("seconds %.6f point_ns %.3f sum %.9f\n", longest,
		       longest * 1e9 * size / ((double)width * (double)width * (double)iterations), all);
	MPI_Finalize();
	return 0;
}
