/* corpus: ranks=4 openmp
 *
 * Jacobi iteration for a potential, in rows: ranks between machines, OpenMP's threads inside. The main thread alone talks
 * to MPI (MPI_THREAD_FUNNELED): it exchanges border rows with Sendrecv while all threads wait, and the residual of
 * all threads is compared over all ranks now and then.
 *
 * Check: each rank's main thread also computes everything alone and finds exactly the same numbers in its rows. */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, SWEEPS = 50, SWEEPS_BETWEEN_CHECKS = 10 };

struct slab {
	int first, rows;
	int up, down;
	double *now, *next; /* rows + 2 of SIDE + 2 */
};

static double rim_value(int row, int column)
{
	return (row * row + 7 * column) % 100;
}

static double *at(double *cells, int row, int column)
{
	return &cells[row * (SIDE + 2) + column];
}

/* The rim of the square has given values, and keeps them. */
static void fill(const struct slab *s, double *cells)
{
	for (int row = 0; row < s->rows + 2; row++)
		for (int column = 0; column < SIDE + 2; column++) {
			int whole_row = s->first + row;
			int rim = whole_row == 0 || whole_row == SIDE + 1 || column == 0 ||
			          column == SIDE + 1;

			*at(cells, row, column) = rim ? rim_value(whole_row, column) : 0;
		}
}

/* The slab of one rank of many. */
static void slab_init(struct slab *s, int rank, int size)
{
	s->first = SIDE * rank / size;
	s->rows = SIDE * (rank + 1) / size - s->first;
	s->up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	s->down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
	s->now = calloc((size_t)(s->rows + 2) * (SIDE + 2), sizeof(double));
	s->next = calloc((size_t)(s->rows + 2) * (SIDE + 2), sizeof(double));
	if (!s->now || !s->next)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fill(s, s->now);
	fill(s, s->next);
}

static void slab_release(struct slab *s)
{
	free(s->now);
	free(s->next);
}

static void swap(struct slab *s)
{
	double *old = s->now;

	s->now = s->next;
	s->next = old;
}

static void exchange_rows(const struct slab *s)
{
	MPI_Sendrecv(at(s->now, 1, 0), SIDE + 2, MPI_DOUBLE, s->up, 1, at(s->now, s->rows + 1, 0), SIDE + 2,
	             MPI_DOUBLE, s->down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(at(s->now, s->rows, 0), SIDE + 2, MPI_DOUBLE, s->down, 2, at(s->now, 0, 0), SIDE + 2,
	             MPI_DOUBLE, s->up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* By all threads, or by one that is alone. */
static void sweep(const struct slab *s, double *change)
{
	double largest = 0;

#pragma omp for
	for (int row = 1; row <= s->rows; row++)
		for (int column = 1; column <= SIDE; column++) {
			double sum = *at(s->now, row - 1, column) + *at(s->now, row + 1, column) +
			             *at(s->now, row, column - 1) + *at(s->now, row, column + 1);

			largest = fmax(largest, fabs(sum / 4 - *at(s->now, row, column)));
			*at(s->next, row, column) = sum / 4;
		}
#pragma omp critical
	*change = fmax(*change, largest);
#pragma omp barrier
}

/* Returns the largest change in the last sweep that all looked at. */
static double iterate(struct slab *s)
{
	double change = 0, all = 0;

#pragma omp parallel
	for (int i = 1; i <= SWEEPS; i++) {
#pragma omp master
		exchange_rows(s);
#pragma omp barrier
		sweep(s, &change);
#pragma omp master
		{
			swap(s);
			if (i % SWEEPS_BETWEEN_CHECKS == 0)
				MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
			change = 0;
		}
#pragma omp barrier
	}
	return all;
}

static int count_wrong_rows(const struct slab *part)
{
	struct slab whole;
	double change = 0;
	int wrong = 0;

	slab_init(&whole, 0, 1);
	for (int i = 0; i < SWEEPS; i++) {
		sweep(&whole, &change);
		swap(&whole);
	}
	for (int row = 1; row <= part->rows; row++)
		wrong += memcmp(at(part->now, row, 1), at(whole.now, part->first + row, 1),
		                SIDE * sizeof(double)) != 0;
	slab_release(&whole);
	return wrong;
}

int main(int argc, char **argv)
{
	int rank, size, provided, wrong, wrong_anywhere;
	struct slab part;
	double change;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	if (provided < MPI_THREAD_FUNNELED)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	slab_init(&part, rank, size);
	change = iterate(&part);
	wrong = count_wrong_rows(&part);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s : %d sweeps with %d threads, change %.3f\n", wrong_anywhere ? "wrong" : "ok",
		       SWEEPS, omp_get_max_threads(), change);
	slab_release(&part);
	MPI_Finalize();
	return 0;
}
