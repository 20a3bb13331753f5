/* pair: check=deadlock.cycle ranks=3 dies
 *
 * Two active sets in another order */
#include "../shmem_pair.h"

static long first_sync[SHMEM_BARRIER_SYNC_SIZE], second_sync[SHMEM_BARRIER_SYNC_SIZE];

static void first(void)
{
	shmem_barrier(0, 0, 2, first_sync); /* FOUND */
}

static void second(void)
{
	shmem_barrier_all(); /* FOUND MAY */
}

int main(void)
{
	start();
	clear_sync(first_sync, SHMEM_BARRIER_SYNC_SIZE);
	clear_sync(second_sync, SHMEM_BARRIER_SYNC_SIZE);
	if (me < 2)
		first();
#ifdef WRONG
	if (me == 1) {
		second();
		first();
	} else if (!me) {
		first();
		second();
	} else {
		second();
	}
#else
	second();
#endif
	return finish();
}
