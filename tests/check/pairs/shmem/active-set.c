/* pair: check=shmem.active-set ranks=3 at=0,2 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BARRIER_SYNC_SIZE];

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BARRIER_SYNC_SIZE);
	/* PEs 0 and 2: the stride is a logarithm */
	if (me != 1)
#ifdef WRONG
		shmem_barrier(0, 2, 2, p_sync); /* FOUND SHOWS: PE_start = 0, logPE_stride = 2, PE_size = 2 */
#else
		shmem_barrier(0, 1, 2, p_sync);
#endif
	return finish();
}
