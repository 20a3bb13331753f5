/* pair: check=shmem.call-mismatch ranks=3 among=0,1 also=deadlock.mismatch dies */
#include "../shmem_pair.h"

int main(void)
{
	start();
	shmem_barrier_all();
#ifdef WRONG
	if (me != 1)
#endif
		shmem_sync_all(); /* FOUND */
	shmem_barrier_all();      /* PARTNER */
	shmem_finalize();         /* FOUND: deadlock.mismatch MAY */
	if (!me && !unexpected)
		puts("ok");
	return unexpected;
}
