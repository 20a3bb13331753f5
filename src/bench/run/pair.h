/* Two processes compare their clocks: one asks, the other answers with what its clock shows. */
#ifndef TARRY_BENCH_RUN_PAIR_H
#define TARRY_BENCH_RUN_PAIR_H

#include "bench/run/global_clock.h"

/* Asks until `patience` round trips in a row were no shorter than the shortest, which is returned; at most for `limit_ns`.
 * Own times are those of the timer. */
struct exchange pair_ask(const struct bench_timer *timer, MPI_Comm comm, int server, int patience,
                         int64_t limit_ns);

/* More closely: both ask each other, each with that patience, and all round trips count that were not held up. So what makes one
 * way longer than the other, in the library or in this program, cancels out. */
struct exchange pair_compare(const struct bench_timer *timer, MPI_Comm comm, int server, int patience);

/* The process that answers is no longer needed. */
void pair_end(MPI_Comm comm, int server);

/* Answers with global time until the other one ends it, and asks when it is told to. */
void pair_serve(const struct global_clock *clock, MPI_Comm comm, int client);

/* Rounds of a binomial tree: in round r, processes below 2^r teach those 2^r above them.
 *
 *	for (int reach = 1; reach < size; reach *= 2)
 *		if (tree_server(rank, reach) >= 0) …learn from it
 *		else if (tree_client(rank, size, reach) >= 0) …teach it */
static inline int tree_server(int rank, int reach)
{
	return rank >= reach && rank < 2 * reach ? rank - reach : -1;
}

static inline int tree_client(int rank, int size, int reach)
{
	return rank < reach && rank + reach < size ? rank + reach : -1;
}

#endif
