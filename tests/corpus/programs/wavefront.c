/* corpus: ranks=4
 *
 * Comparing two long words letter by letter (longest common subsequence): each cell of the table needs its left, upper
 * and upper left neighbour. The table's columns are spread over the ranks; a rank waits for a block of its left
 * neighbour's last column, computes, and passes its own last column on. All transfers block, so the work runs through
 * the ranks as a wave.
 *
 * Check: the last rank also computes the whole table alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 960, COLUMNS = 800, BLOCK = 24 };

static char row_letter(int row)
{
	return (char)('a' + row * row % 7 % 4);
}

static char column_letter(int column)
{
	return (char)('a' + column * (column + 3) % 11 % 4);
}

static int longest(int a, int b)
{
	return a > b ? a : b;
}

/* Columns `first` to `first + count`, of which `line` has the row above and is given the new one. `left` is the cell left
 * of the row, `corner` the one above that. */
static void compute_row(int row, int first, int count, int *line, int left, int corner)
{
	for (int i = 0; i < count; i++) {
		int above = line[i];

		line[i] = row_letter(row) == column_letter(first + i) ? corner + 1 : longest(above, left);
		corner = above;
		left = line[i];
	}
}

/* Returns the last cell of this rank's columns. */
static int run_pipeline(int rank, int size, int first, int count)
{
	int *line = calloc((size_t)count, sizeof(int)), in[BLOCK] = {0}, out[BLOCK], corner = 0, last;

	if (!line)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int block = 0; block < ROWS / BLOCK; block++) {
		if (rank > 0)
			MPI_Recv(in, BLOCK, MPI_INT, rank - 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < BLOCK; i++) {
			compute_row(block * BLOCK + i, first, count, line, in[i], corner);
			corner = in[i];
			out[i] = line[count - 1];
		}
		if (rank + 1 < size)
			MPI_Send(out, BLOCK, MPI_INT, rank + 1, block, MPI_COMM_WORLD);
	}
	last = line[count - 1];
	free(line);
	return last;
}

static int compute_alone(void)
{
	int line[COLUMNS] = {0};

	for (int row = 0; row < ROWS; row++)
		compute_row(row, 0, COLUMNS, line, 0, 0);
	return line[COLUMNS - 1];
}

/* The last rank has the result; rank 0 wants to print it, and both agree with a handshake. */
static void report(int rank, int size, int found)
{
	int result[2];

	if (rank == size - 1) {
		result[0] = found;
		result[1] = compute_alone();
		MPI_Ssend(result, 2, MPI_INT, 0, ROWS, MPI_COMM_WORLD);
	}
	if (rank == 0) {
		MPI_Recv(result, 2, MPI_INT, size - 1, ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		printf("%s : %d letters in common, %d expected\n", result[0] == result[1] ? "ok" : "wrong",
		       result[0], result[1]);
	}
}

int main(int argc, char **argv)
{
	int rank, size, first, count;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size < 2)
		MPI_Abort(MPI_COMM_WORLD, 2);
	first = COLUMNS * rank / size;
	count = COLUMNS * (rank + 1) / size - first;
	report(rank, size, run_pipeline(rank, size, first, count));
	MPI_Finalize();
	return 0;
}
