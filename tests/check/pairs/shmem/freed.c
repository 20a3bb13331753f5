/* pair: check=shmem.freed ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

int main(void)
{
	int *to, from = 3;

	start();
	to = shmem_malloc(sizeof *to); /* PARTNER */
	shmem_int_put(to, &from, 1, 1 - me);
	shmem_barrier_all();
	expect(*to == 3);
#ifdef WRONG
	shmem_free(to);                      /* PARTNER */
	shmem_int_put(to, &from, 1, 1 - me); /* FOUND */
	shmem_barrier_all();
#else
	shmem_int_put(to, &from, 1, 1 - me);
	shmem_barrier_all();
	shmem_free(to);
#endif
	return finish();
}
