/* pair: check=shmem.argument-mismatch ranks=2 output */
#include "../shmem_pair.h"

static long p_sync[SHMEM_COLLECT_SYNC_SIZE], from[2], to[4], other[4];

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_COLLECT_SYNC_SIZE);
	from[0] = from[1] = me + 1;
#ifdef WRONG
	shmem_fcollect64(me ? other : to, from, 2, 0, 0, count, p_sync); /* FOUND */
#else
	shmem_fcollect64(to, from, 2, 0, 0, count, p_sync);
	expect(to[3] == 2);
#endif
	(void)other;
	shmem_barrier_all();
	return finish();
}
