/* pair: check=shmem.lock-held ranks=2 at=1 output */
#include "../shmem_pair.h"

static long lock;

static void update(void)
{
	shmem_set_lock(&lock); /* FOUND */
	shmem_clear_lock(&lock);
}

int main(void)
{
	start();
#ifdef WRONG
	if (me) {
		shmem_set_lock(&lock); /* PARTNER */
		update();
		shmem_clear_lock(&lock);
	}
#else
	update();
#endif
	shmem_barrier_all();
	return finish();
}
