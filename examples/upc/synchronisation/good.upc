/* Each thread computes by itself, and holds the lock only while it changes the table.
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
	work(COMPUTING_MS);
	upc_lock(lock);
	add(ON_THREAD(table, sizeof(int), (MYTHREAD + 1) % THREADS), 1);
	upc_unlock(lock);
	upc_barrier;
	return READ(int, ON_THREAD(table, sizeof(int), MYTHREAD)) != 1;
}
