/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../shmem_pair.h"

static long locks[2];

static void take(int lock)
{
	shmem_set_lock(&locks[lock]); /* FOUND */
}

int main(void)
{
	start();
#ifdef WRONG
	take(me);
	shmem_barrier_all();
	take(1 - me);
#else
	take(0);
	take(1);
#endif
	shmem_clear_lock(&locks[1]);
	shmem_clear_lock(&locks[0]);
	shmem_barrier_all();
	return finish();
}
