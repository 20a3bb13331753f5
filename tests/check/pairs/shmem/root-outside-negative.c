/* pair: check=shmem.root-outside ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BCAST_SYNC_SIZE];
static int from, to;

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BCAST_SYNC_SIZE);
	from = 10 + me;
#ifdef WRONG
	shmem_broadcast32(&to, &from, 1, -1, 0, 0, 2, p_sync); /* FOUND SHOWS: PE_root = -1 */
#else
	shmem_broadcast32(&to, &from, 1, 0, 0, 0, 2, p_sync);
#endif
	expect(!me || to == 10);
	return finish();
}
