/* pair: check=shmem.call-mismatch ranks=2 among=0,1 also=deadlock.mismatch dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BCAST_SYNC_SIZE], from, to;

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BCAST_SYNC_SIZE);
	from = 5;
#ifdef WRONG
	if (me)
		shmem_barrier_all(); /* PARTNER */
	else
#endif
		shmem_broadcast64(&to, &from, 1, 0, 0, 0, count, p_sync); /* FOUND */
	shmem_barrier_all();
	expect(!me || to == 5);
	shmem_finalize(); /* FOUND: deadlock.mismatch MAY */
	if (!me && !unexpected)
		puts("ok");
	return unexpected;
}
