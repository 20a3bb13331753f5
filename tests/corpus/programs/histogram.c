/* corpus: ranks=4
 *
 * A histogram that is spread over all ranks, filled with one-sided accesses between fences: each rank classifies its own
 * values and adds to whichever rank has the bin (Accumulate). Then the neighbours' borders are read (Get), the totals
 * are written to rank 0 (Put), and everybody marks its end in a shared counter of a second window.
 *
 * Check: the bins add up to the number of values, and every bin has what a plain count gives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 32, VALUES = 3000, ROUNDS = 3 }; /* bins of each rank, values of each rank in each round */

struct histogram {
	int rank, size;
	long *bins;
	MPI_Win win;
};

static void histogram_init(struct histogram *h)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &h->size);
	MPI_Alloc_mem(BINS * sizeof(long), MPI_INFO_NULL, &h->bins);
	for (int i = 0; i < BINS; i++)
		h->bins[i] = 0;
	MPI_Win_create(h->bins, BINS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &h->win);
}

static void histogram_release(struct histogram *h)
{
	MPI_Win_free(&h->win);
	MPI_Free_mem(h->bins);
}

static int bin_of(const struct histogram *h, int rank, int round, int i)
{
	unsigned value = (unsigned)(rank * ROUNDS + round) * VALUES + (unsigned)i;

	value = value * 2654435761u;
	value = (value >> 16) * (value & 0xffff);
	return (int)((value >> 7) % (unsigned)(h->size * BINS));
}

/* Values are counted here first, so that each foreign bin is accessed once in a round. */
static void add_round(struct histogram *h, int round)
{
	long *own = calloc((size_t)(h->size * BINS), sizeof(long));

	if (!own)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < VALUES; i++)
		own[bin_of(h, h->rank, round, i)]++;
	MPI_Win_fence(0, h->win);
	for (int target = 0; target < h->size; target++)
		MPI_Accumulate(&own[target * BINS], BINS, MPI_LONG, target, 0, BINS, MPI_LONG, MPI_SUM,
		               h->win);
	MPI_Win_fence(0, h->win);
	free(own);
}

/* Compares each bin with a count of everybody's values. */
static int count_wrong_bins(const struct histogram *h)
{
	long right[BINS] = {0};
	int wrong = 0;

	for (int rank = 0; rank < h->size; rank++)
		for (int round = 0; round < ROUNDS; round++)
			for (int i = 0; i < VALUES; i++) {
				int bin = bin_of(h, rank, round, i);

				if (bin / BINS == h->rank)
					right[bin % BINS]++;
			}
	for (int i = 0; i < BINS; i++)
		wrong += right[i] != h->bins[i];
	return wrong;
}

/* Whether the neighbour's first bin, read from here, goes on where the own part ends: its value is at least possible. */
static int read_border(const struct histogram *h)
{
	long border = -1;

	MPI_Win_fence(MPI_MODE_NOPUT, h->win);
	MPI_Get(&border, 1, MPI_LONG, (h->rank + 1) % h->size, 0, 1, MPI_LONG, h->win);
	MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, h->win);
	return border >= 0 && border <= (long)h->size * ROUNDS * VALUES;
}

/* Each rank puts its total and its number of wrong bins where rank 0 reads them. Returns whether all is right. */
static int report(const struct histogram *h, int wrong)
{
	long(*table)[2], own[2] = {0, wrong}, all[2] = {0, 0};
	MPI_Win win;

	MPI_Win_allocate((MPI_Aint)((size_t)(h->rank == 0 ? h->size : 0) * sizeof(*table)), sizeof(long),
	                 MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
	MPI_Win_set_name(win, "report");
	for (int i = 0; i < BINS; i++)
		own[0] += h->bins[i];
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(own, 2, MPI_LONG, 0, 2 * h->rank, 2, MPI_LONG, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	for (int i = 0; h->rank == 0 && i < h->size; i++) {
		all[0] += table[i][0];
		all[1] += table[i][1];
	}
	MPI_Win_free(&win);
	return all[0] == (long)h->size * ROUNDS * VALUES && all[1] == 0;
}

int main(int argc, char **argv)
{
	struct histogram h;
	int wrong, right;

	MPI_Init(&argc, &argv);
	histogram_init(&h);
	for (int round = 0; round < ROUNDS; round++)
		add_round(&h, round);
	wrong = count_wrong_bins(&h) + !read_border(&h);
	right = report(&h, wrong);
	if (h.rank == 0)
		printf("%s : %d values in %d bins\n", right ? "ok" : "wrong", h.size * ROUNDS * VALUES,
		       h.size * BINS);
	histogram_release(&h);
	MPI_Finalize();
	return 0;
}
