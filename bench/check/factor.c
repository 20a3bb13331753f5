/* LU factorisation with pivots, rows dealt out to the ranks in turn: for each column a search for the pivot, an exchange of two rows and a broadcast of the pivot's row. As in
 * ScaLAPACK, each of them is described by a new datatype. */
#include "../timed.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>

enum { SIZE = 384, COLUMNS_OF_LAP = SIZE };

/* By columns; a rank has every size-th row. */
struct matrix {
	double *own;
	int rows, rank, size;
	MPI_Comm comm;
};

static double *at(const struct matrix *m, int row, int column)
{
	return &m->own[(size_t)column * (size_t)m->rows + (size_t)(row / m->size)];
}

static bool is_own(const struct matrix *m, int row)
{
	return row % m->size == m->rank;
}

/* Of a row, from this column on. */
static MPI_Datatype row_type(const struct matrix *m, int column)
{
	MPI_Datatype type;

	MPI_Type_vector(SIZE - column, 1, m->rows, MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	return type;
}

static int find_pivot(const struct matrix *m, int column)
{
	struct {
		double value;
		int row;
	} mine = {-1, 0}, largest;

	for (int row = column; row < SIZE; row++)
		if (is_own(m, row) && fabs(*at(m, row, column)) > mine.value) {
			mine.value = fabs(*at(m, row, column));
			mine.row = row;
		}
	MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, m->comm);
	return largest.row;
}

static void exchange(const struct matrix *m, int one, int other)
{
	const bool has_both = is_own(m, one) && is_own(m, other);
	const int mine = is_own(m, one) ? one : other, partner = (is_own(m, one) ? other : one) % m->size;
	MPI_Datatype type;

	if (one == other || (!is_own(m, one) && !is_own(m, other)))
		return;
	for (int column = 0; has_both && column < SIZE; column++) {
		const double kept = *at(m, one, column);
		*at(m, one, column) = *at(m, other, column);
		*at(m, other, column) = kept;
	}
	if (has_both)
		return;
	type = row_type(m, 0);
	MPI_Sendrecv_replace(at(m, mine, 0), 1, type, partner, 0, partner, 0, m->comm, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
}

/* The pivot's row goes to all. */
static void spread(const struct matrix *m, int column, double *pivot)
{
	const int root = column % m->size;
	MPI_Datatype type;

	if (m->rank != root) {
		MPI_Bcast(pivot + column, SIZE - column, MPI_DOUBLE, root, m->comm);
		return;
	}
	type = row_type(m, column);
	MPI_Bcast(at(m, column, column), 1, type, root, m->comm);
	MPI_Type_free(&type);
	for (int i = column; i < SIZE; i++)
		pivot[i] = *at(m, column, i);
}

static void eliminate(const struct matrix *m, int column, const double *pivot)
{
	const int first = (column + m->size - m->rank) / m->size; /* own row after `column` */
	double *factors = &m->own[(size_t)column * (size_t)m->rows];

	for (int row = first; row < m->rows; row++)
		factors[row] /= pivot[column];
	for (int i = column + 1; i < SIZE; i++)
		for (int row = first; row < m->rows; row++)
			m->own[(size_t)i * (size_t)m->rows + (size_t)row] -= factors[row] * pivot[i];
}

int main(int argc, char **argv)
{
	static double pivot[SIZE];
	struct timing timing;
	struct matrix m;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &m.comm);
	MPI_Comm_rank(m.comm, &m.rank);
	MPI_Comm_size(m.comm, &m.size);
	m.rows = SIZE / m.size;
	m.own = malloc(sizeof *m.own * SIZE * (size_t)m.rows);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (int i = 0; i < SIZE * m.rows; i++)
			m.own[i] = (double)((i * 7919 + m.rank * 104729) % 10007) / 10007;
		for (int column = 0; column < SIZE; column++) {
			exchange(&m, column, find_pivot(&m, column));
			spread(&m, column, pivot);
			eliminate(&m, column, pivot);
		}
		end_lap(&timing);
	}
	free(m.own);
	MPI_Comm_free(&m.comm);
	MPI_Finalize();
	tell(&timing, m.rank, COLUMNS_OF_LAP, 6);
	return 0;
}
