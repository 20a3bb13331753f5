/* Conjugate gradients for a 2D Laplacian, rows spread over the ranks: a halo exchange by MPI_Sendrecv and two small MPI_Allreduce in each iteration. */
#include "../timed.h"

#include <mpi.h>

enum { WIDTH = 512, ROWS = 256, ITERATIONS_OF_LAP = 40 };

typedef double field[ROWS + 2][WIDTH];

static double dot(field a, field b)
{
	double sum = 0, all;

	for (int y = 1; y <= ROWS; y++)
		for (int x = 0; x < WIDTH; x++)
			sum += a[y][x] * b[y][x];
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void multiply(field p, field q, int above, int below)
{
	MPI_Sendrecv(p[1], WIDTH, MPI_DOUBLE, above, 0, p[ROWS + 1], WIDTH, MPI_DOUBLE, below, 0,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(p[ROWS], WIDTH, MPI_DOUBLE, below, 1, p[0], WIDTH, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	for (int y = 1; y <= ROWS; y++)
		for (int x = 0; x < WIDTH; x++)
			q[y][x] = 4.1 * p[y][x] - p[y - 1][x] - p[y + 1][x] - (x ? p[y][x - 1] : 0) -
			          (x + 1 < WIDTH ? p[y][x + 1] : 0);
}

static void add(field to, double factor, field from)
{
	for (int y = 1; y <= ROWS; y++)
		for (int x = 0; x < WIDTH; x++)
			to[y][x] += factor * from[y][x];
}

static field x, r, p, q;

/* Returns the new residual. */
static double iterate(double residual, int above, int below)
{
	double alpha, next;

	multiply(p, q, above, below);
	alpha = residual / dot(p, q);
	add(x, alpha, p);
	add(r, -alpha, q);
	next = dot(r, r);
	for (int row = 1; row <= ROWS; row++)
		for (int column = 0; column < WIDTH; column++)
			p[row][column] = r[row][column] + next / residual * p[row][column];
	return next;
}

static void restart(int rank)
{
	memset(x, 0, sizeof x);
	for (int row = 1; row <= ROWS; row++)
		for (int column = 0; column < WIDTH; column++)
			r[row][column] = p[row][column] = (row * 7 + column * 3 + rank) % 11;
}

int main(int argc, char **argv)
{
	struct timing timing;
	double residual;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		restart(rank);
		residual = dot(r, r);
		for (int i = 0; i < ITERATIONS_OF_LAP; i++)
			residual = iterate(residual, rank ? rank - 1 : MPI_PROC_NULL,
			                   rank + 1 < size ? rank + 1 : MPI_PROC_NULL);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, ITERATIONS_OF_LAP, 4);
	return 0;
}
