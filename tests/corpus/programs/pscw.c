/* corpus: ranks=3
 *
 * A vibrating string, with one-sided exchanges between neighbours only: a rank posts its window to its neighbours (Post),
 * begins access to theirs (Start), puts its border cells there, and both sides end (Complete, Wait). While the puts
 * travel, the inner cells are computed; every other step the end is asked for (Win_test) instead of waited for.
 *
 * Check: after whole periods the string is back where it began. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 8, PERIODS = 1 }; /* cells of each rank */

struct string {
	int rank, size, neighbours;
	double *now, *before, *next; /* CELLS + 2 each; the outermost are the neighbours' */
	double *border;              /* where the neighbours put theirs: left, right */
	MPI_Win win;
	MPI_Group around;
};

static double *get_cells(void)
{
	double *cells = calloc(CELLS + 2, sizeof(double));

	if (!cells)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return cells;
}

static double form(const struct string *s, int cell)
{
	int length = s->size * CELLS + 1;

	return sin(M_PI * (s->rank * CELLS + cell) / length);
}

static void find_neighbours(struct string *s)
{
	MPI_Group all;
	int ranks[2];

	s->neighbours = 0;
	if (s->rank > 0)
		ranks[s->neighbours++] = s->rank - 1;
	if (s->rank + 1 < s->size)
		ranks[s->neighbours++] = s->rank + 1;
	MPI_Win_get_group(s->win, &all);
	MPI_Group_incl(all, s->neighbours, ranks, &s->around);
	MPI_Group_free(&all);
}

static void string_init(struct string *s)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &s->size);
	s->now = get_cells();
	s->before = get_cells();
	s->next = get_cells();
	for (int i = 1; i <= CELLS; i++)
		s->now[i] = s->before[i] = form(s, i);
	MPI_Win_allocate(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &s->border,
	                 &s->win);
	s->border[0] = s->border[1] = 0;
	find_neighbours(s);
}

static void string_release(struct string *s)
{
	MPI_Group_free(&s->around);
	MPI_Win_free(&s->win);
	free(s->now);
	free(s->before);
	free(s->next);
}

static void compute(struct string *s, int first, int last)
{
	for (int i = first; i <= last; i++)
		s->next[i] = s->now[i - 1] + s->now[i + 1] - s->before[i];
}

static void step(struct string *s, int number)
{
	double *oldest = s->before;
	int over = 0;

	MPI_Win_post(s->around, 0, s->win);
	MPI_Win_start(s->around, 0, s->win);
	if (s->rank > 0)
		MPI_Put(&s->now[1], 1, MPI_DOUBLE, s->rank - 1, 1, 1, MPI_DOUBLE, s->win);
	if (s->rank + 1 < s->size)
		MPI_Put(&s->now[CELLS], 1, MPI_DOUBLE, s->rank + 1, 0, 1, MPI_DOUBLE, s->win);
	compute(s, 2, CELLS - 1);
	MPI_Win_complete(s->win);
	if (number % 2)
		MPI_Win_wait(s->win);
	else
		while (!over)
			MPI_Win_test(s->win, &over);
	s->now[0] = s->border[0];
	s->now[CELLS + 1] = s->border[1];
	compute(s, 1, 1);
	compute(s, CELLS, CELLS);
	s->before = s->now;
	s->now = s->next;
	s->next = oldest;
}

/* Waves run one cell a step; one that went there and back has made a period. */
int main(int argc, char **argv)
{
	double error = 0, largest = 0;
	struct string s;
	int steps;

	MPI_Init(&argc, &argv);
	string_init(&s);
	steps = PERIODS * 2 * (s.size * CELLS + 1);
	/* At rest, the string was one step ago where it will be one step from now. */
	for (int i = 1; i <= CELLS; i++)
		s.before[i] = form(&s, i) * cos(M_PI / (s.size * CELLS + 1));
	for (int i = 0; i < steps; i++)
		step(&s, i);
	for (int i = 1; i <= CELLS; i++)
		error = fmax(error, fabs(s.now[i] - form(&s, i)));
	MPI_Reduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (s.rank == 0)
		printf("%s : %d steps, error %.1e\n", largest < 1e-6 ? "ok" : "wrong", steps, largest);
	string_release(&s);
	MPI_Finalize();
	return 0;
}
