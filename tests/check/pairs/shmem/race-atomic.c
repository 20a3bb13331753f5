/* pair: check=shmem.race ranks=3 output */
#include "../shmem_pair.h"

static long counter;

int main(void)
{
	start();
	shmem_barrier_all();
	if (me == 1)
		shmem_long_atomic_add(&counter, 3, 0); /* FOUND */
	if (me == 2)
#ifdef WRONG
		shmem_long_p(&counter, 4, 0); /* PARTNER */
#else
		shmem_long_atomic_add(&counter, 4, 0);
#endif
	shmem_barrier_all();
	expect(me || counter > 2);
	return finish();
}
