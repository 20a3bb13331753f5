/* corpus: ranks=4
 *
 * Sorting numbers that are spread over all ranks. Each rank sorts its own and gives some of them as samples (Gather);
 * from all samples rank 0 chooses where to split and tells everybody (Bcast). Every rank sends each part to the rank it
 * belongs to (Alltoall for the sizes, Alltoallv), and finds out with Exscan where its part begins in the whole.
 *
 * Check: everything is in order, also across ranks (Sendrecv), and the sums before and after are the same. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 6000, SAMPLES = 16, MOST_RANKS = 64 };

struct list {
	uint64_t *numbers;
	int count;
};

static void *get_memory(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Small numbers are more frequent than large ones. */
static struct list make_numbers(int rank)
{
	struct list list = {get_memory(NUMBERS, sizeof(uint64_t)), NUMBERS};
	uint64_t state = (uint64_t)rank * 7919 + 1;

	for (int i = 0; i < NUMBERS; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		list.numbers[i] = (state >> 33) >> (state >> 59);
	}
	return list;
}

static void choose_splits(const struct list *own, int rank, int size, uint64_t *splits)
{
	uint64_t samples[SAMPLES], all[SAMPLES * MOST_RANKS];

	for (int i = 0; i < SAMPLES; i++)
		samples[i] = own->numbers[own->count * i / SAMPLES];
	MPI_Gather(samples, SAMPLES, MPI_UINT64_T, all, SAMPLES, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		qsort(all, (size_t)(SAMPLES * size), sizeof(*all), compare);
		for (int i = 1; i < size; i++)
			splits[i - 1] = all[SAMPLES * i];
	}
	MPI_Bcast(splits, size - 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

static int add_up(const int *counts, int *places, int size)
{
	int sum = 0;

	for (int i = 0; i < size; i++) {
		places[i] = sum;
		sum += counts[i];
	}
	return sum;
}

/* `own` is sorted; so is what this returns. */
static struct list exchange(const struct list *own, int size, const uint64_t *splits)
{
	int out[MOST_RANKS] = {0}, in[MOST_RANKS], out_places[MOST_RANKS], in_places[MOST_RANKS], part = 0;
	struct list arrived;

	for (int i = 0; i < own->count; i++) {
		while (part < size - 1 && own->numbers[i] >= splits[part])
			part++;
		out[part]++;
	}
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
	add_up(out, out_places, size);
	arrived.count = add_up(in, in_places, size);
	arrived.numbers = get_memory((size_t)arrived.count, sizeof(uint64_t));
	MPI_Alltoallv(own->numbers, out, out_places, MPI_UINT64_T, arrived.numbers, in, in_places,
	              MPI_UINT64_T, MPI_COMM_WORLD);
	qsort(arrived.numbers, (size_t)arrived.count, sizeof(uint64_t), compare);
	return arrived;
}

static uint64_t sum_of(const struct list *list)
{
	uint64_t own = 0, all = 0;

	for (int i = 0; i < list->count; i++)
		own += list->numbers[i];
	MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

/* Numbers out of order here and at the border to the next rank. */
static int count_disorder(const struct list *list, int rank, int size)
{
	uint64_t last = list->count ? list->numbers[list->count - 1] : 0, before = 0;
	int wrong = 0;

	MPI_Sendrecv(&last, 1, MPI_UINT64_T, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 0, &before, 1,
	             MPI_UINT64_T, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < list->count; i++) {
		wrong += list->numbers[i] < before;
		before = list->numbers[i];
	}
	return wrong;
}

int main(int argc, char **argv)
{
	uint64_t splits[MOST_RANKS], sum_before, sum_after;
	int rank, size, wrong, begin = 0, ends_right, own[2], all[2];
	struct list numbers, sorted;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	numbers = make_numbers(rank);
	qsort(numbers.numbers, NUMBERS, sizeof(uint64_t), compare);
	sum_before = sum_of(&numbers);
	choose_splits(&numbers, rank, size, splits);
	sorted = exchange(&numbers, size, splits);
	sum_after = sum_of(&sorted);
	wrong = count_disorder(&sorted, rank, size);
	MPI_Exscan(&sorted.count, &begin, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	ends_right = rank + 1 < size || (rank ? begin : 0) + sorted.count == NUMBERS * size;
	own[0] = wrong + !ends_right;
	own[1] = sorted.count;
	MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s : %d numbers sorted, %d out of order\n",
		       !all[0] && sum_before == sum_after ? "ok" : "wrong", all[1], all[0]);
	free(numbers.numbers);
	free(sorted.numbers);
	MPI_Finalize();
	return 0;
}
