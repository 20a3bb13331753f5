/* Threads that compute, more of them than there are processors: all are late for each other, whatever they meet in, and the
 * program is not at fault. With a number as argument, the last thread also sleeps for this many milliseconds before each
 * barrier: that is its own. */
#include "portable.h"

#include <upc_collective.h>

enum { TIMES = 15, WORK = 1000000, BLOCK = 256 };

static void compute(void)
{
	volatile double x = 1;

	for (int i = 0; i < WORK; i++)
		x = x * 1.0000001 + 1e-9;
}

static void move(shared void *to, shared void *from)
{
	compute();
	upc_all_exchange(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	compute();
	upc_all_broadcast(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	compute();
	upc_all_gather(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	compute();
	upc_all_gather_all(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

int main(int argc, char **argv)
{
	int sleep_ms = argc > 1 ? atoi(argv[1]) : 0;
	shared void *from = upc_all_alloc(THREADS, BLOCK);
	shared void *to = upc_all_alloc(THREADS, BLOCK);

	upc_barrier;
	for (int i = 0; i < TIMES; i++) {
		move(to, from);
		upc_notify;
		compute();
		upc_wait;
		compute();
		if (MYTHREAD == THREADS - 1)
			work(sleep_ms);
		upc_barrier;
	}
	return 0;
}
