/* pair: check=shmem.lock-not-held ranks=2 at=1 dies */
#include "../shmem_pair.h"

static long lock;
static int sum;

int main(void)
{
	start();
#ifdef WRONG
	if (!me)
#endif
		shmem_set_lock(&lock);
	shmem_int_p(&sum, shmem_int_g(&sum, 0) + 1, 0);
	shmem_quiet();
#ifdef WRONG
	shmem_barrier_all();
	if (me)
		shmem_clear_lock(&lock); /* FOUND */
	shmem_barrier_all();
	if (!me)
#endif
		shmem_clear_lock(&lock);
	shmem_barrier_all();
	return finish();
}
