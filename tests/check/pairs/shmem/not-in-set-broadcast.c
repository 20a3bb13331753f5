/* pair: check=shmem.not-in-set ranks=3 at=0 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BCAST_SYNC_SIZE];
static int from, to;

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BCAST_SYNC_SIZE);
	from = 10 + me;
	/* PEs 1 and 2 */
#ifndef WRONG
	if (me)
#endif
		shmem_broadcast32(&to, &from, 1, 0, 1, 0, 2, p_sync); /* FOUND */
	expect(me != 2 || to == 11);
	return finish();
}
