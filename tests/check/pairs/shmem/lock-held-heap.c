/* pair: check=shmem.lock-held ranks=2 at=0 output */
#include "../shmem_pair.h"

int main(void)
{
	long *lock;

	start();
	lock = shmem_calloc(1, sizeof *lock);
	shmem_barrier_all();
	if (!me) {
		shmem_set_lock(lock); /* PARTNER */
#ifndef WRONG
		shmem_clear_lock(lock);
#endif
		shmem_set_lock(lock); /* FOUND */
		shmem_clear_lock(lock);
#ifdef WRONG
		shmem_clear_lock(lock);
#endif
	}
	shmem_free(lock);
	return finish();
}
