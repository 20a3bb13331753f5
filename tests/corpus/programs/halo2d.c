/* corpus: ranks=4
 *
 * Heat on a square plate, cut into one block for each rank. Before each step a rank exchanges the edges of its
 * block with up to four neighbours (Isend, Irecv, Waitall); every tenth step all ask how much still changes.
 *
 * Check: each rank also computes the whole plate alone and finds exactly the same numbers in its block. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATE = 48, STEPS = 60, STEPS_BETWEEN_CHECKS = 10 };
enum side { UP, DOWN, LEFT, RIGHT, SIDES };

/* A part of the plate with a rim of one cell around it. */
struct block {
	int rows, columns;
	double *now, *next;
};

struct place {
	int across, down;     /* blocks of the plate */
	int column, row;      /* of this rank's */
	int neighbour[SIDES]; /* MPI_PROC_NULL at the rim of the plate */
};

static double *cell(const struct block *b, double *cells, int row, int column)
{
	return &cells[row * (b->columns + 2) + column];
}

static void block_init(struct block *b, int rows, int columns)
{
	size_t cells = (size_t)(rows + 2) * (size_t)(columns + 2);

	b->rows = rows;
	b->columns = columns;
	b->now = calloc(cells, sizeof(double));
	b->next = calloc(cells, sizeof(double));
	if (!b->now || !b->next)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void block_release(struct block *b)
{
	free(b->now);
	free(b->next);
}

/* The plate's upper edge is hot. */
static void heat_upper_edge(struct block *b)
{
	for (int column = 0; column < b->columns + 2; column++)
		*cell(b, b->now, 0, column) = *cell(b, b->next, 0, column) = 100.0;
}

/* Returns the largest change of a cell. */
static double step(struct block *b)
{
	double change = 0, *from = b->now;

	for (int row = 1; row <= b->rows; row++)
		for (int column = 1; column <= b->columns; column++) {
			double vertical = *cell(b, from, row - 1, column) + *cell(b, from, row + 1, column);
			double horizontal = *cell(b, from, row, column - 1) + *cell(b, from, row, column + 1);
			double *to = cell(b, b->next, row, column);

			*to = (vertical + horizontal) / 4;
			change = fmax(change, fabs(*to - *cell(b, from, row, column)));
		}
	b->now = b->next;
	b->next = from;
	return change;
}

static int neighbour_at(const struct place *p, int row, int column)
{
	if (row < 0 || row >= p->down || column < 0 || column >= p->across)
		return MPI_PROC_NULL;
	return row * p->across + column;
}

static void find_place(struct place *p)
{
	int rank, size, blocks[2] = {0, 0};

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, blocks);
	p->down = blocks[0];
	p->across = blocks[1];
	p->row = rank / p->across;
	p->column = rank % p->across;
	p->neighbour[UP] = neighbour_at(p, p->row - 1, p->column);
	p->neighbour[DOWN] = neighbour_at(p, p->row + 1, p->column);
	p->neighbour[LEFT] = neighbour_at(p, p->row, p->column - 1);
	p->neighbour[RIGHT] = neighbour_at(p, p->row, p->column + 1);
}

static void exchange_edges(const struct place *p, const struct block *b, MPI_Datatype column)
{
	MPI_Request requests[2 * SIDES];
	double *in[SIDES] = {cell(b, b->now, 0, 1), cell(b, b->now, b->rows + 1, 1), cell(b, b->now, 1, 0),
	                     cell(b, b->now, 1, b->columns + 1)};
	double *out[SIDES] = {cell(b, b->now, 1, 1), cell(b, b->now, b->rows, 1), cell(b, b->now, 1, 1),
	                      cell(b, b->now, 1, b->columns)};

	for (int side = UP; side < SIDES; side++) {
		int count = side <= DOWN ? b->columns : 1;
		MPI_Datatype type = side <= DOWN ? MPI_DOUBLE : column;

		MPI_Irecv(in[side], count, type, p->neighbour[side], side ^ 1, MPI_COMM_WORLD,
		          &requests[side]);
		MPI_Isend(out[side], count, type, p->neighbour[side], side, MPI_COMM_WORLD,
		          &requests[SIDES + side]);
	}
	MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
}

static double spread_heat(const struct place *p, struct block *b)
{
	double change, largest = 0;
	MPI_Datatype column;

	MPI_Type_vector(b->rows, 1, b->columns + 2, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int i = 1; i <= STEPS; i++) {
		exchange_edges(p, b, column);
		change = step(b);
		if (i % STEPS_BETWEEN_CHECKS == 0)
			MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	}
	MPI_Type_free(&column);
	return largest;
}

static int count_wrong_cells(const struct place *p, const struct block *part, const struct block *whole)
{
	int wrong = 0, first_row = p->row * part->rows, first_column = p->column * part->columns;

	for (int row = 1; row <= part->rows; row++) {
		double *found = cell(part, part->now, row, 1);
		double *right = cell(whole, whole->now, first_row + row, first_column + 1);

		wrong += memcmp(found, right, (size_t)part->columns * sizeof(double)) != 0;
	}
	return wrong;
}

int main(int argc, char **argv)
{
	struct block part, whole;
	struct place place;
	int wrong, wrong_anywhere = 0;
	double change;

	MPI_Init(&argc, &argv);
	find_place(&place);
	block_init(&part, PLATE / place.down, PLATE / place.across);
	block_init(&whole, PLATE, PLATE);
	heat_upper_edge(&whole);
	if (place.neighbour[UP] == MPI_PROC_NULL)
		heat_upper_edge(&part);

	change = spread_heat(&place, &part);
	for (int i = 0; i < STEPS; i++)
		step(&whole);
	wrong = count_wrong_cells(&place, &part, &whole);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (place.row == 0 && place.column == 0)
		printf("%s : after %d steps no cell changes by more than %.4f degrees\n",
		       wrong_anywhere ? "wrong" : "ok", STEPS, change);
	block_release(&part);
	block_release(&whole);
	MPI_Finalize();
	return 0;
}
