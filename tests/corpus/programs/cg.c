/* corpus: ranks=4
 *
 * Conjugate gradients for a sparse system, the rows of the matrix spread over the ranks in parts of unequal size. The
 * search direction is put together on every rank for the product with the matrix (Allgatherv), and two sums in
 * each iteration bring all together (Allreduce); the matrix itself is made on rank 0 and handed out (Scatterv).
 *
 * Check: the right-hand side was made for a known solution. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 12, UNKNOWNS = SIDE * SIDE, MOST_IN_ROW = 5, MOST_ITERATIONS = 200 };

struct row {
	int entries;
	int column[MOST_IN_ROW];
	double value[MOST_IN_ROW];
};

/* Which rank has which rows. */
struct parts {
	int rank, size;
	int *counts, *firsts;
	int rows; /* here */
};

static void *get_memory(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

/* Rank 0 gets fewest rows, the last rank most. */
static void parts_init(struct parts *p)
{
	int weights, left = UNKNOWNS;

	MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &p->size);
	p->counts = get_memory((size_t)p->size, sizeof(int));
	p->firsts = get_memory((size_t)p->size, sizeof(int));
	weights = p->size * (p->size + 5) / 2;
	for (int i = 0; i < p->size; i++) {
		p->counts[i] = i + 1 < p->size ? UNKNOWNS * (i + 3) / weights : left;
		p->firsts[i] = UNKNOWNS - left;
		left -= p->counts[i];
	}
	p->rows = p->counts[p->rank];
}

static void parts_release(struct parts *p)
{
	free(p->counts);
	free(p->firsts);
}

/* The five-point operator on a square. */
static void fill_row(struct row *row, int number)
{
	int x = number % SIDE, y = number / SIDE;
	const int neighbours[4] = {y > 0 ? number - SIDE : -1, x > 0 ? number - 1 : -1,
	                           x + 1 < SIDE ? number + 1 : -1, y + 1 < SIDE ? number + SIDE : -1};

	row->entries = 0;
	row->column[row->entries] = number;
	row->value[row->entries++] = 4;
	for (int i = 0; i < 4; i++)
		if (neighbours[i] >= 0) {
			row->column[row->entries] = neighbours[i];
			row->value[row->entries++] = -1;
		}
}

static struct row *hand_out_matrix(const struct parts *p)
{
	struct row *all = NULL, *own = get_memory((size_t)p->rows, sizeof(*own));
	MPI_Datatype type;

	MPI_Type_contiguous(sizeof(struct row), MPI_BYTE, &type);
	MPI_Type_commit(&type);
	if (p->rank == 0) {
		all = get_memory(UNKNOWNS, sizeof(*all));
		for (int i = 0; i < UNKNOWNS; i++)
			fill_row(&all[i], i);
	}
	MPI_Scatterv(all, p->counts, p->firsts, type, own, p->rows, type, 0, MPI_COMM_WORLD);
	MPI_Type_free(&type);
	free(all);
	return own;
}

/* result = matrix * vector, `own` being this rank's part of the vector. */
static void multiply(const struct parts *p, const struct row *rows, const double *own, double *whole,
                     double *result)
{
	MPI_Allgatherv(own, p->rows, MPI_DOUBLE, whole, p->counts, p->firsts, MPI_DOUBLE, MPI_COMM_WORLD);
	for (int i = 0; i < p->rows; i++) {
		result[i] = 0;
		for (int j = 0; j < rows[i].entries; j++)
			result[i] += rows[i].value[j] * whole[rows[i].column[j]];
	}
}

static double product(const struct parts *p, const double *a, const double *b)
{
	double own = 0, all;

	for (int i = 0; i < p->rows; i++)
		own += a[i] * b[i];
	MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

/* Solves for x, which begins with zeros; r begins as the right-hand side. Returns the iterations it took. */
static int solve(const struct parts *p, const struct row *rows, double *x, double *r)
{
	double *direction = get_memory((size_t)p->rows, sizeof(double)),
	       *image = get_memory((size_t)p->rows, sizeof(double));
	double *whole = get_memory(UNKNOWNS, sizeof(double));
	double rest = product(p, r, r), before;
	int iteration = 0;

	for (int i = 0; i < p->rows; i++)
		direction[i] = r[i];
	for (; iteration < MOST_ITERATIONS && rest > 1e-20; iteration++) {
		multiply(p, rows, direction, whole, image);
		double step = rest / product(p, direction, image);

		for (int i = 0; i < p->rows; i++) {
			x[i] += step * direction[i];
			r[i] -= step * image[i];
		}
		before = rest;
		rest = product(p, r, r);
		for (int i = 0; i < p->rows; i++)
			direction[i] = r[i] + rest / before * direction[i];
	}
	free(direction);
	free(image);
	free(whole);
	return iteration;
}

static double known_solution(int number)
{
	return sin(number * 0.1) + 2;
}

int main(int argc, char **argv)
{
	struct parts parts;
	double error = 0, largest = 0;
	int iterations;

	MPI_Init(&argc, &argv);
	parts_init(&parts);
	struct row *rows = hand_out_matrix(&parts);
	double *x = get_memory((size_t)parts.rows, sizeof(double)),
	       *r = get_memory((size_t)parts.rows, sizeof(double));

	for (int i = 0; i < parts.rows; i++)
		for (int j = 0; j < rows[i].entries; j++)
			r[i] += rows[i].value[j] * known_solution(rows[i].column[j]);
	iterations = solve(&parts, rows, x, r);
	for (int i = 0; i < parts.rows; i++)
		error = fmax(error, fabs(x[i] - known_solution(parts.firsts[parts.rank] + i)));
	MPI_Reduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (parts.rank == 0)
		printf("%s : %d iterations, error %.1e\n", largest < 1e-8 ? "ok" : "wrong", iterations,
		       largest);
	free(rows);
	free(x);
	free(r);
	parts_release(&parts);
	MPI_Finalize();
	return 0;
}
