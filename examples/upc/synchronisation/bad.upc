/* A thread computes while it holds the lock of a table, and a barrier behind it makes all wait for the last one.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

enum { COMPUTING_MS = 100 };

static void add(shared void *cell, int value)
{
	WRITE(int, cell, READ(int, cell) + value);
}

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	shared void *table = upc_all_alloc(THREADS, sizeof(int));

	WRITE(int, ON_THREAD(table, sizeof(int), MYTHREAD), 0);
	upc_barrier;
	work(10 * MYTHREAD);
	upc_lock(lock); /* @upc.lock-contention rank=1,2,3 total=0.54 count=3 partner=0,1,2 */
	work(COMPUTING_MS);
	add(ON_THREAD(table, sizeof(int), (MYTHREAD + 1) % THREADS), 1);
	upc_unlock(lock);
	upc_barrier; /* @upc.barrier-wait rank=0,1,2 total=0.6 count=3 partner=3 */
	return READ(int, ON_THREAD(table, sizeof(int), MYTHREAD)) != 1;
}
