/* pair: check=shmem.active-set ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BARRIER_SYNC_SIZE];

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BARRIER_SYNC_SIZE);
#ifdef WRONG
	shmem_sync(0, 0, 3, p_sync); /* FOUND SHOWS: PE_start = 0, logPE_stride = 0, PE_size = 3 */
#else
	shmem_sync(0, 0, 2, p_sync);
#endif
	return finish();
}
