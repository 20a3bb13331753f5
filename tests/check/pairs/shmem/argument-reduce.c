/* pair: check=shmem.argument-mismatch ranks=2 dies */
#include "../shmem_pair.h"

static long p_sync[SHMEM_REDUCE_SYNC_SIZE];
static int from, to, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

int main(void)
{
	start();
	clear_sync(p_sync, SHMEM_REDUCE_SYNC_SIZE);
	from = me + 1;
#ifdef WRONG
	if (me)
		shmem_int_max_to_all(&to, &from, 1, 0, 0, count, work, p_sync); /* PARTNER */
	else
#endif
		shmem_int_sum_to_all(&to, &from, 1, 0, 0, count, work,
		                     p_sync); /* FOUND SHOWS: operation = int_sum */
	expect(to == 3);
	return finish();
}
