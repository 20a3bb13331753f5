/* pair: check=shmem.not-in-set ranks=3 at=1 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BARRIER_SYNC_SIZE];

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BARRIER_SYNC_SIZE);
#ifndef WRONG
	if (me != 1)
#endif
		shmem_sync(0, 1, 2, p_sync); /* FOUND */
	return finish();
}
