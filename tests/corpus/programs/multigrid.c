/* corpus: ranks=4
 *
 * Multigrid for a string under load. The finest level is spread over all ranks; a coarser one has half the cells, and when
 * a rank would have too few of them, every other rank hands its cells to its neighbour and leaves the communicator
 * (Comm_split with MPI_UNDEFINED): the coarsest level is one rank's alone, and the others wait for it. Going up again,
 * cells are handed back.
 *
 * Check: the string has the known form. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 128, CYCLES = 5, SMOOTHINGS = 3, FEWEST = 16, COARSEST = 4, MOST_LEVELS = 16 };

/* The part of a rank at one level; u and f have a border cell on each side. */
struct level {
	MPI_Comm comm; /* MPI_COMM_NULL: this rank takes no part */
	int rank, size, cells;
	double width; /* of a cell */
	double *u, *f;
};

struct levels {
	struct level level[MOST_LEVELS];
	int count;
};

static double *get_cells(int count)
{
	double *cells = calloc((size_t)count + 2, sizeof(double));

	if (!cells)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return cells;
}

static void level_init(struct level *l, MPI_Comm comm, int cells, double width)
{
	l->comm = comm;
	l->cells = cells;
	l->width = width;
	l->u = get_cells(cells);
	l->f = get_cells(cells);
	MPI_Comm_rank(comm, &l->rank);
	MPI_Comm_size(comm, &l->size);
}

static void level_release(struct level *l)
{
	MPI_Comm_free(&l->comm);
	free(l->u);
	free(l->f);
}

static int neighbour(const struct level *l, int distance)
{
	int rank = l->rank + distance;

	return rank < 0 || rank >= l->size ? MPI_PROC_NULL : rank;
}

/* Beyond its ends the string is fixed at zero, half a cell away from the last one's middle. */
static void exchange_ends(const struct level *l, double *cells)
{
	int left = neighbour(l, -1), right = neighbour(l, 1);

	cells[0] = -cells[1];
	cells[l->cells + 1] = -cells[l->cells];
	MPI_Sendrecv(&cells[l->cells], 1, MPI_DOUBLE, right, 1, &cells[0], 1, MPI_DOUBLE, left, 1, l->comm,
	             MPI_STATUS_IGNORE);
	MPI_Sendrecv(&cells[1], 1, MPI_DOUBLE, left, 2, &cells[l->cells + 1], 1, MPI_DOUBLE, right, 2,
	             l->comm, MPI_STATUS_IGNORE);
}

static double residual(const struct level *l, int i)
{
	return l->f[i] - (2 * l->u[i] - l->u[i - 1] - l->u[i + 1]) / (l->width * l->width);
}

static void smooth(struct level *l, int times)
{
	double *change = get_cells(l->cells);

	for (int t = 0; t < times; t++) {
		exchange_ends(l, l->u);
		for (int i = 1; i <= l->cells; i++)
			change[i] = residual(l, i) * l->width * l->width / 3;
		for (int i = 1; i <= l->cells; i++)
			l->u[i] += change[i];
	}
	free(change);
}

/* The next coarser level, of this rank or of the one that takes its cells over. */
static void add_level(struct levels *all)
{
	const struct level *fine = &all->level[all->count - 1];
	struct level *coarse = &all->level[all->count];
	int merge = fine->size > 1 && fine->cells / 2 < FEWEST;
	MPI_Comm comm;

	MPI_Comm_split(fine->comm, merge && fine->rank % 2 ? MPI_UNDEFINED : 0, fine->rank, &comm);
	*coarse = (struct level){.comm = MPI_COMM_NULL};
	if (comm != MPI_COMM_NULL)
		level_init(coarse, comm, merge ? fine->cells : fine->cells / 2, 2 * fine->width);
	all->count++;
}

static void make_levels(struct levels *all)
{
	struct level *last = all->level;
	MPI_Comm comm;
	int size;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_size(comm, &size);
	level_init(last, comm, CELLS / size, 1.0 / CELLS);
	for (all->count = 1; last->comm != MPI_COMM_NULL && last->cells * last->size > COARSEST;) {
		add_level(all);
		last = &all->level[all->count - 1];
	}
}

static void release_levels(struct levels *all)
{
	for (int i = 0; i < all->count; i++)
		if (all->level[i].comm != MPI_COMM_NULL)
			level_release(&all->level[i]);
}

/* The right-hand side of the coarser level, given to the neighbour if this rank takes no part in it. */
static void go_down(struct level *fine, struct level *coarse)
{
	double *means = get_cells(fine->cells / 2);
	int half = fine->cells / 2;

	exchange_ends(fine, fine->u);
	for (int i = 0; i < half; i++)
		means[i] = (residual(fine, 2 * i + 1) + residual(fine, 2 * i + 2)) / 2;
	if (coarse->comm == MPI_COMM_NULL) {
		MPI_Send(means, half, MPI_DOUBLE, fine->rank - 1, 3, fine->comm);
	} else {
		for (int i = 0; i < half; i++)
			coarse->f[i + 1] = means[i];
		if (coarse->cells > half)
			MPI_Recv(&coarse->f[half + 1], half, MPI_DOUBLE, fine->rank + 1, 3, fine->comm,
			         MPI_STATUS_IGNORE);
		for (int i = 0; i < coarse->cells + 2; i++)
			coarse->u[i] = 0;
	}
	free(means);
}

static void go_up(struct level *fine, const struct level *coarse)
{
	int half = fine->cells / 2;
	double *correction = get_cells(half);

	if (coarse->comm == MPI_COMM_NULL)
		MPI_Recv(correction, half, MPI_DOUBLE, fine->rank - 1, 4, fine->comm, MPI_STATUS_IGNORE);
	else if (coarse->cells > half)
		MPI_Send(&coarse->u[half + 1], half, MPI_DOUBLE, fine->rank + 1, 4, fine->comm);
	for (int i = 0; i < fine->cells; i++)
		fine->u[i + 1] += coarse->comm == MPI_COMM_NULL ? correction[i / 2] : coarse->u[i / 2 + 1];
	free(correction);
}

static void cycle(struct levels *all, int number)
{
	struct level *fine = &all->level[number], *coarse = fine + 1;

	smooth(fine, number + 1 == all->count ? 20 * SMOOTHINGS : SMOOTHINGS);
	if (number + 1 == all->count)
		return;
	go_down(fine, coarse);
	if (coarse->comm != MPI_COMM_NULL)
		cycle(all, number + 1);
	go_up(fine, coarse);
	smooth(fine, SMOOTHINGS);
}

/* With a load of 1 the string hangs as x (1 - x) / 2. */
static double error_of(const struct level *l)
{
	double largest = 0, all;

	for (int i = 1; i <= l->cells; i++) {
		double x = (l->rank * l->cells + i - 0.5) * l->width;

		largest = fmax(largest, fabs(l->u[i] - x * (1 - x) / 2));
	}
	MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, l->comm);
	return all;
}

int main(int argc, char **argv)
{
	struct levels all;
	double error;

	MPI_Init(&argc, &argv);
	make_levels(&all);
	for (int i = 1; i <= all.level[0].cells; i++)
		all.level[0].f[i] = 1;
	for (int i = 0; i < CYCLES; i++)
		cycle(&all, 0);
	error = error_of(&all.level[0]);
	if (all.level[0].rank == 0)
		printf("%s : %d levels, error %.1e\n", error < 1e-3 ? "ok" : "wrong", all.count, error);
	release_levels(&all);
	MPI_Finalize();
	return 0;
}
