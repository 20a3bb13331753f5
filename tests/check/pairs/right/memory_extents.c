/* pair: check=none ranks=2
 *
 * Buffers in all kinds of memory, used to their last byte: blocks of the heap and pointers into them, data that looks like headers of blocks, blocks
 * that were freed and came again, mapped memory, pools, stacks of threads, variable-length arrays, datatypes over several variables. */
#include "../pair.h"

#include <pthread.h>
#include <sys/mman.h>

enum { VALUES = 1000, HEADER = 33, FOUR = 4 };

static int64_t global[VALUES], other_global[VALUES];
static int64_t results[VALUES * FOUR];

static void swap(void *data, int count)
{
	MPI_Sendrecv(data, count, MPI_INT64_T, 1 - rank, 0, results, count, MPI_INT64_T, 1 - rank, 0,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void fill(int64_t *data, int count)
{
	for (int i = 0; i < count; i++)
		data[i] = HEADER;
}

static void use_heap(void)
{
	int64_t *values = malloc(VALUES * sizeof *values);

	fill(values, VALUES);
	for (int i = 0; i < VALUES; i += 7)
		swap(&values[i], VALUES - i);
	for (int round = 1; round <= 20; round++) {
		int64_t *more = malloc((size_t)round * 100 * sizeof *more), *small = malloc(sizeof *small);

		fill(more, round * 100);
		*small = HEADER;
		swap(more, round * 100);
		swap(small, 1);
		values = realloc(values, (size_t)round * 300 * sizeof *values);
		fill(values, round * 300);
		swap(values, round * 200);
		free(small);
		free(more);
	}
	free(values);
	values = aligned_alloc(4096, VALUES * sizeof *values * 4096 / 8000 * 8);
	if (values) {
		fill(values, FOUR);
		swap(values, FOUR);
	}
	free(values);
	values = malloc(VALUES * VALUES * sizeof *values); /* which is mapped */
	fill(values, VALUES * FOUR);
	swap(values, VALUES * FOUR);
	free(values);
}

static void use_mapped(void)
{
	const size_t bytes = VALUES * sizeof(int64_t);
	int64_t *values = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		*pool;

	fill(values, VALUES * 2);
	swap(values, VALUES * 2);
	munmap(values, 2 * bytes);
	MPI_Alloc_mem((MPI_Aint)(2 * bytes), MPI_INFO_NULL, &pool);
	fill(pool, VALUES * 2);
	swap(pool, VALUES * 2);
	swap(pool + 2, VALUES * 2 - 2);
	MPI_Free_mem(pool);
}

static void *use_stack(void *count)
{
	int64_t values[*(int *)count];

	fill(values, *(int *)count);
	swap(values, *(int *)count);
	swap(&values[2], *(int *)count - 2);
	return NULL;
}

/* One message with the contents of several variables. */
static void use_several(void)
{
	int64_t local[FOUR], *block = malloc(sizeof local);
	const int lengths[] = {VALUES, VALUES, FOUR, FOUR};
	MPI_Aint at[FOUR], first;
	MPI_Datatype all, relative;

	fill(local, FOUR);
	fill(block, FOUR);
	MPI_Get_address(global, &at[0]);
	MPI_Get_address(other_global, &at[1]);
	MPI_Get_address(local, &at[2]);
	MPI_Get_address(block, &at[3]);
	MPI_Type_create_hindexed(FOUR, lengths, at, MPI_INT64_T, &all);
	MPI_Type_commit(&all);
	first = at[0];
	for (int i = 0; i < FOUR; i++)
		at[i] = MPI_Aint_diff(at[i], first);
	MPI_Type_create_hindexed(FOUR, lengths, at, MPI_INT64_T, &relative);
	MPI_Type_commit(&relative);
	for (int i = 0; i < 2; i++)
		MPI_Sendrecv(i ? MPI_BOTTOM : global, 1, i ? all : relative, 1 - rank, 0, results,
		             VALUES * FOUR, MPI_INT64_T, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Type_free(&all);
	MPI_Type_free(&relative);
	free(block);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int count = VALUES;

	start_threads(&argc, &argv, MPI_THREAD_SERIALIZED);
	fill(global, VALUES);
	for (int i = 0; i < VALUES; i += 100)
		swap(&global[i], VALUES - i);
	use_heap();
	use_mapped();
	use_stack(&count);
	pthread_create(&thread, NULL, use_stack, &count);
	pthread_join(thread, NULL);
	use_several();
	expect(results[0] == HEADER);
	return finish();
}
