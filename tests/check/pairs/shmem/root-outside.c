/* pair: check=shmem.root-outside ranks=3 at=1,2 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BCAST_SYNC_SIZE], from, to;

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BCAST_SYNC_SIZE);
	from = 10 + me;
	/* PE 2 is the second PE of the set */
	if (me)
#ifdef WRONG
		shmem_broadcast64(&to, &from, 1, 2, 1, 0, 2, p_sync); /* FOUND SHOWS: PE_root = 2 */
#else
		shmem_broadcast64(&to, &from, 1, 1, 1, 0, 2, p_sync);
#endif
	expect(me != 1 || to == 12);
	return finish();
}
