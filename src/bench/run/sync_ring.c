/* Each process compares its clock with that of its neighbour below; process 0 sums up: O(log n), but errors add up, too. */
#include "bench/run/pair.h"

#include "base/memory.h"

#include <stdlib.h>

enum { LIMIT_NS = 1000 * 1000 * 1000 };

struct ring {
	int rank, size;
	MPI_Comm comm;
	int patience;
};

static int64_t ask_below(struct global_clock *clock, const struct ring *ring)
{
	struct exchange best = pair_ask(clock->timer, ring->comm, ring->rank - 1, ring->patience, LIMIT_NS);

	pair_end(ring->comm, ring->rank - 1);
	clock->round_trip_ns = (double)round_trip(&best);
	return exchange_offset(&best);
}

/* First odd processes ask, then even ones, so that no one has to do both at once. */
static int64_t compare_neighbours(struct global_clock *clock, const struct ring *ring)
{
	int64_t offset = 0;

	for (int odd = 1; odd >= 0; odd--)
		if (ring->rank % 2 != odd && ring->rank + 1 < ring->size)
			pair_serve(clock, ring->comm, ring->rank + 1);
		else if (ring->rank % 2 == odd && ring->rank > 0)
			offset = ask_below(clock, ring);
	return offset;
}

static void sum_up(int64_t *offsets, int count)
{
	for (int i = 1; i < count; i++)
		offsets[i] += offsets[i - 1];
}

static void run(struct global_clock *clock, MPI_Comm comm, int patience)
{
	struct ring ring = {.comm = comm, .patience = patience};
	int64_t offset, *offsets = NULL;

	MPI_Comm_rank(comm, &ring.rank);
	MPI_Comm_size(comm, &ring.size);
	offset = compare_neighbours(clock, &ring);
	if (ring.rank == 0)
		offsets = memory_new((size_t)ring.size, sizeof *offsets);
	MPI_Gather(&offset, 1, MPI_INT64_T, offsets, 1, MPI_INT64_T, 0, comm);
	if (ring.rank == 0)
		sum_up(offsets, ring.size);
	MPI_Scatter(offsets, 1, MPI_INT64_T, &offset, 1, MPI_INT64_T, 0, comm);
	free(offsets);
	clock->line = (struct clock_fit){clock->timer->now(), offset, 0};
}

const struct sync_method sync_ring = {"ring", "neighbours ask each other, process 0 adds up; knows no drift",
                                      false, run};
