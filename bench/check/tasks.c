/* Product of distributed matrices as with global arrays: tasks come from a shared counter, blocks by MPI_Get of vector types, results go by MPI_Accumulate, all in one epoch
 * of MPI_Win_lock_all. */
#include "../timed.h"

#include <mpi.h>

enum { SIZE = 256, BLOCK = 16, BLOCKS = SIZE / BLOCK, TASKS_OF_LAP = BLOCKS * BLOCKS };

typedef double block[BLOCK][BLOCK];

/* Rows of the matrix are spread over the ranks. */
struct global_array {
	MPI_Win win;
	double *own;
	int rows; /* of a rank */
};

static MPI_Datatype block_type;

static void create(struct global_array *array, int size, double value)
{
	array->rows = (BLOCKS + size - 1) / size * BLOCK;
	MPI_Win_allocate((MPI_Aint)sizeof(double) * array->rows * SIZE, sizeof(double), MPI_INFO_NULL,
	                 MPI_COMM_WORLD, &array->own, &array->win);
	for (int i = 0; i < array->rows * SIZE; i++)
		array->own[i] = value;
	MPI_Win_lock_all(MPI_MODE_NOCHECK, array->win);
	MPI_Win_sync(array->win);
}

static void release(struct global_array *array)
{
	MPI_Win_unlock_all(array->win);
	MPI_Win_free(&array->win);
}

static int owner_of(const struct global_array *array, int row)
{
	return row * BLOCK / array->rows;
}

static MPI_Aint place_of(const struct global_array *array, int row, int column)
{
	return (MPI_Aint)(row * BLOCK % array->rows) * SIZE + (MPI_Aint)column * BLOCK;
}

static void get(const struct global_array *array, int row, int column, block to)
{
	const int owner = owner_of(array, row);

	MPI_Get(to, BLOCK * BLOCK, MPI_DOUBLE, owner, place_of(array, row, column), 1, block_type,
	        array->win);
	MPI_Win_flush(owner, array->win);
}

static void add(const struct global_array *array, int row, int column, block from)
{
	const int owner = owner_of(array, row);

	MPI_Accumulate(from, BLOCK * BLOCK, MPI_DOUBLE, owner, place_of(array, row, column), 1, block_type,
	               MPI_SUM, array->win);
	MPI_Win_flush(owner, array->win);
}

static void multiply(block a, block b, block c)
{
	for (int i = 0; i < BLOCK; i++)
		for (int k = 0; k < BLOCK; k++)
			for (int j = 0; j < BLOCK; j++)
				c[i][j] += a[i][k] * b[k][j];
}

static long next_task(MPI_Win counter)
{
	const long one = 1;
	long task;

	MPI_Fetch_and_op(&one, &task, MPI_LONG, 0, 0, MPI_SUM, counter);
	MPI_Win_flush(0, counter);
	return task;
}

/* One task: a block of the result. */
static void run_task(const struct global_array arrays[3], int row, int column)
{
	static block a, b, c;

	memset(c, 0, sizeof c);
	for (int k = 0; k < BLOCKS; k++) {
		get(&arrays[0], row, k, a);
		get(&arrays[1], k, column, b);
		multiply(a, b, c);
	}
	add(&arrays[2], row, column, c);
}

int main(int argc, char **argv)
{
	struct timing timing;
	struct global_array arrays[3];
	MPI_Win counter;
	long *count, end = 0;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Type_vector(BLOCK, BLOCK, SIZE, MPI_DOUBLE, &block_type);
	MPI_Type_commit(&block_type);
	for (int i = 0; i < 3; i++)
		create(&arrays[i], size, i < 2 ? rank + i : 0);
	MPI_Win_allocate(sizeof *count, sizeof *count, MPI_INFO_NULL, MPI_COMM_WORLD, &count, &counter);
	*count = 0;
	MPI_Win_lock_all(MPI_MODE_NOCHECK, counter);
	MPI_Win_sync(counter);
	MPI_Barrier(MPI_COMM_WORLD);
	begin(&timing);
	for (long task = next_task(counter), lap = 0; lap < LAPS; lap++) {
		for (end += TASKS_OF_LAP; task < end; task = next_task(counter))
			run_task(arrays, (int)(task % TASKS_OF_LAP) / BLOCKS, (int)task % BLOCKS);
		MPI_Barrier(MPI_COMM_WORLD);
		end_lap(&timing);
	}
	MPI_Win_unlock_all(counter);
	MPI_Win_free(&counter);
	for (int i = 0; i < 3; i++)
		release(&arrays[i]);
	MPI_Type_free(&block_type);
	MPI_Finalize();
	tell(&timing, rank, TASKS_OF_LAP, 4 * BLOCKS + 4);
	return 0;
}
