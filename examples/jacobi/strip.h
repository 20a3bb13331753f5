/* A process's strip of the grid: rows 1 to ROWS, with the edges of its neighbours in rows 0 and ROWS + 1.
 *
 * The grid is small, so that the example runs anywhere; the program sleeps instead of computing a large grid. As on a real
 * machine, processes are not equally fast all the time: in each iteration another one takes longer. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROWS = 16, WIDTH = 512, ITERATIONS = 100, ROW_US = 100, SLOW = 5 };

static double grids[2][ROWS + 2][WIDTH];
static int rank, size, up, down;

static void strip_begin(void)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
	/* The upper boundary of the whole grid is hot. */
	for (int j = 0; rank == 0 && j < WIDTH; j++)
		grids[0][0][j] = grids[1][0][j] = 1;
}

/* New values of some rows, from those of the previous iteration. */
static void compute(int iteration, int first, int last)
{
	double(*grid)[WIDTH] = grids[iteration % 2], (*new)[WIDTH] = grids[(iteration + 1) % 2];
	long us = (long)(last - first + 1) * ROW_US * (iteration % size == rank * 3 % size ? SLOW : 1);

	for (int i = first; i <= last; i++)
		for (int j = 1; j < WIDTH - 1; j++)
			new[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i + 1][j] + grid[i][j + 1]) / 4;
	nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000}, NULL);
}

/* The same number for every version. */
static void strip_end(double started)
{
	double sum = 0, all, time = MPI_Wtime() - started, longest;

	for (int i = 1; i <= ROWS; i++)
		for (int j = 0; j < WIDTH; j++)
			sum += grids[ITERATIONS % 2][i][j];
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.3f s, sum %.9f\n", longest, all);
}
