/* A 2D heat equation, rows spread over the ranks: non-blocking halo exchange in every step, the largest change every 10. */
#include "../timed.h"

#include <math.h>
#include <mpi.h>

enum { WIDTH = 1024, ROWS = 256, STEPS_OF_LAP = 20 };

struct grid {
	double cells[ROWS + 2][WIDTH];
};

static void exchange(struct grid *grid, int above, int below)
{
	MPI_Request requests[4];

	MPI_Irecv(grid->cells[0], WIDTH, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(grid->cells[ROWS + 1], WIDTH, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(grid->cells[1], WIDTH, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(grid->cells[ROWS], WIDTH, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double relax(const struct grid *from, struct grid *to)
{
	double change = 0;

	for (int y = 1; y <= ROWS; y++)
		for (int x = 1; x < WIDTH - 1; x++) {
			to->cells[y][x] = 0.25 * (from->cells[y - 1][x] + from->cells[y + 1][x] +
			                          from->cells[y][x - 1] + from->cells[y][x + 1]);
			change = fmax(change, fabs(to->cells[y][x] - from->cells[y][x]));
		}
	return change;
}

int main(int argc, char **argv)
{
	struct grid *now = calloc(1, sizeof *now), *next = calloc(1, sizeof *next), *swap;
	double change, largest;
	struct timing timing;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	now->cells[1][WIDTH / 2] = 100;
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (int step = 0; step < STEPS_OF_LAP; step++) {
			exchange(now, rank ? rank - 1 : MPI_PROC_NULL,
			         rank + 1 < size ? rank + 1 : MPI_PROC_NULL);
			change = relax(now, next);
			swap = now, now = next, next = swap;
			if (step % 10 == 9)
				MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		}
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, STEPS_OF_LAP, 5);
	free(now), free(next);
	return 0;
}
