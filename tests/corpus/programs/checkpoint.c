/* corpus: ranks=4
 *
 * A matrix that is computed in blocks of columns, written to a file and read back in blocks of rows, as after a restart with
 * another division of the work. The header is written at a place of its own by rank 0 (write_at), the matrix through a
 * view that leaves out the others' columns (set_view, write_all), a table of checksums by all together (write_at_all),
 * and a journal with the shared pointer, in order and in any order (write_ordered, write_shared).
 *
 * Check: everything that was written is read again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 48, COLUMNS = 48, HEADER = 64, LINE = 16 };

struct job {
	int rank, size;
	int columns, rows; /* of this rank's blocks */
	char matrix_name[64], journal_name[64];
};

static double element(int row, int column)
{
	return row * 1000 + column + 0.5;
}

static MPI_Offset matrix_bytes(void)
{
	return (MPI_Offset)ROWS * COLUMNS * (MPI_Offset)sizeof(double);
}

static double *get_block(int count)
{
	double *block = calloc((size_t)count, sizeof(double));

	if (!block)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return block;
}

static MPI_File open_file(const char *name, int mode)
{
	MPI_File file;

	if (MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
		fprintf(stderr, "'%s' cannot be opened\n", name);
		MPI_Abort(MPI_COMM_WORLD, 3);
	}
	return file;
}

/* Blocks of columns, through a view. */
static void write_columns(const struct job *j, MPI_File file)
{
	int sizes[2] = {ROWS, COLUMNS}, part[2] = {ROWS, j->columns}, start[2] = {0, j->rank * j->columns};
	double *block = get_block(ROWS * j->columns);
	MPI_Datatype view;

	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < j->columns; i++)
			block[row * j->columns + i] = element(row, start[1] + i);
	MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &view);
	MPI_Type_commit(&view);
	MPI_File_set_view(file, HEADER, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
	MPI_File_write_all(file, block, ROWS * j->columns, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	MPI_Type_free(&view);
	free(block);
}

static void write_matrix(const struct job *j)
{
	MPI_File file = open_file(j->matrix_name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
	long sum = 4711 + j->rank;

	MPI_File_set_size(file, 0);
	write_columns(j, file);
	if (j->rank == 0) {
		char header[HEADER] = "matrix 48 48";

		MPI_File_write_at(file, 0, header, HEADER, MPI_CHAR, MPI_STATUS_IGNORE);
	}
	MPI_File_write_at_all(file, HEADER + matrix_bytes() + j->rank * (MPI_Offset)sizeof(sum), &sum, 1,
	                      MPI_LONG, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_File_close(&file);
}

/* Blocks of rows. Returns the number of errors. */
static int read_matrix(const struct job *j)
{
	MPI_File file = open_file(j->matrix_name, MPI_MODE_RDONLY);
	double *block = get_block(j->rows * COLUMNS);
	long sums[64];
	char header[HEADER];
	int wrong = 0, count;
	MPI_Status status;

	MPI_File_read_at_all(file, 0, header, HEADER, MPI_CHAR, MPI_STATUS_IGNORE);
	wrong += strcmp(header, "matrix 48 48") != 0;
	MPI_File_seek(file, HEADER + (MPI_Offset)(j->rank * j->rows * COLUMNS) * (MPI_Offset)sizeof(double),
	              MPI_SEEK_SET);
	MPI_File_read(file, block, j->rows * COLUMNS, MPI_DOUBLE, &status);
	MPI_Get_count(&status, MPI_DOUBLE, &count);
	wrong += count != j->rows * COLUMNS;
	for (int i = 0; i < j->rows * COLUMNS; i++)
		wrong += block[i] != element(j->rank * j->rows + i / COLUMNS, i % COLUMNS);
	MPI_File_read_at(file, HEADER + matrix_bytes(), sums, j->size, MPI_LONG, MPI_STATUS_IGNORE);
	for (int i = 0; i < j->size; i++)
		wrong += sums[i] != 4711 + i;
	MPI_File_close(&file);
	free(block);
	return wrong;
}

static void write_journal(const struct job *j)
{
	MPI_File file = open_file(j->journal_name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
	char line[LINE + 1];

	MPI_File_set_size(file, 0);
	snprintf(line, sizeof(line), "rank %2d begins \n", j->rank);
	MPI_File_write_ordered(file, line, LINE, MPI_CHAR, MPI_STATUS_IGNORE);
	snprintf(line, sizeof(line), "rank %2d is done\n", j->rank);
	MPI_File_write_shared(file, line, LINE, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

/* The first lines are in the order of ranks, the others are all there. */
static int read_journal(const struct job *j)
{
	MPI_File file = open_file(j->journal_name, MPI_MODE_RDONLY);
	int wrong = 0, seen = 0;
	MPI_Offset size;

	MPI_File_get_size(file, &size);
	wrong += size != (MPI_Offset)2 * j->size * LINE;
	for (int i = 0; i < 2 * j->size; i++) {
		char line[LINE + 1] = "";

		MPI_File_read_at(file, (MPI_Offset)i * LINE, line, LINE, MPI_CHAR, MPI_STATUS_IGNORE);
		if (i < j->size)
			wrong += atoi(line + 5) != i || !strstr(line, "begins");
		else
			seen |= 1 << atoi(line + 5);
	}
	MPI_File_close(&file);
	return wrong + (seen != (1 << j->size) - 1);
}

int main(int argc, char **argv)
{
	struct job job;
	int wrong, wrong_anywhere;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.size);
	job.columns = COLUMNS / job.size;
	job.rows = ROWS / job.size;
	snprintf(job.matrix_name, sizeof(job.matrix_name), "checkpoint.matrix");
	snprintf(job.journal_name, sizeof(job.journal_name), "checkpoint.journal");
	write_matrix(&job);
	write_journal(&job);
	wrong = read_matrix(&job) + read_journal(&job);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (job.rank == 0) {
		MPI_File_delete(job.matrix_name, MPI_INFO_NULL);
		MPI_File_delete(job.journal_name, MPI_INFO_NULL);
		printf("%s : %d elements wrong\n", wrong_anywhere ? "wrong" : "ok", wrong_anywhere);
	}
	MPI_Finalize();
	return 0;
}
