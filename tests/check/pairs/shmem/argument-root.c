/* pair: check=shmem.argument-mismatch ranks=2 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_BCAST_SYNC_SIZE], from, to;

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_BCAST_SYNC_SIZE);
	from = me + 1;
#ifdef WRONG
	shmem_broadcast64(&to, &from, 1, me, 0, 0, count, p_sync); /* FOUND SHOWS: PE_root = 1 */
#else
	shmem_broadcast64(&to, &from, 1, 1, 0, 0, count, p_sync);
#endif
	expect(me || to == 2);
	return finish();
}
