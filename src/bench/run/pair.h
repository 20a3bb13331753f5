/* Two processes compare their clocks: one asks, the other answers with its clock's time. */
#ifndef TARRY_BENCH_RUN_PAIR_H
#define TARRY_BENCH_RUN_PAIR_H

#include "bench/run/global_clock.h"

/* Asks until `patience` consecutive round trips were not shorter than the shortest, which is returned; at
 * most for `limit_ns`. Own times are those of the timer. */
struct exchange pair_ask(const struct bench_timer *timer, MPI_Comm comm, int server, int patience,
                         int64_t limit_ns);

/* More accurate: both ask each other with that patience, and all undelayed round trips count. Asymmetric
 * delays of the library or of this program cancel out. */
struct exchange pair_compare(const struct bench_timer *timer, MPI_Comm comm, int server, int patience);

/* Dismisses the answering process. */
void pair_end(MPI_Comm comm, int server);

/* Answers with global time until dismissed, and asks when told to. */
void pair_serve(const struct global_clock *clock, MPI_Comm comm, int client);

/* Rounds of a binomial tree: in round r, processes below 2^r are masters of those 2^r above them.
 *
 *	for (int reach = 1; reach < size; reach *= 2)
 *		if (tree_server(rank, reach) >= 0) …synchronise with it
 *		else if (tree_client(rank, size, reach) >= 0) …answer it */
static inline int tree_server(int rank, int reach)
{
	return rank >= reach && rank < 2 * reach ? rank - reach : -1;
}

static inline int tree_client(int rank, int size, int reach)
{
	return rank < reach && rank + reach < size ? rank + reach : -1;
}

#endif
