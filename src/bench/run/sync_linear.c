/* One process after the other compares its clock with that of process 0: O(n). */
#include "bench/run/pair.h"

enum { LIMIT_NS = 1000 * 1000 * 1000 };

static void learn(struct global_clock *clock, MPI_Comm comm, int patience)
{
	struct exchange best = pair_ask(clock->timer, comm, 0, patience, LIMIT_NS);

	pair_end(comm, 0);
	clock->line = (struct clock_fit){best.sent, exchange_offset(&best), 0};
	clock->round_trip_ns = (double)round_trip(&best);
}

static void run(struct global_clock *clock, MPI_Comm comm, int patience)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int client = 1; client < size; client++)
		if (rank == 0)
			pair_serve(clock, comm, client);
		else if (rank == client)
			learn(clock, comm, patience);
}

const struct sync_method sync_linear = {"linear", "each process in turn asks process 0; knows no drift",
                                        false, run};
