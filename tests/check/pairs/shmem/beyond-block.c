/* pair: check=shmem.beyond-block ranks=2 at=0,1 output */
#include "../shmem_pair.h"

int main(void)
{
	double *to, from[8] = {1};

	start();
#ifdef WRONG
	to = shmem_malloc(60); /* PARTNER */
#else
	to = shmem_malloc(8 * sizeof *to);
#endif
	shmem_double_put(to, from, 8, 1 - me); /* FOUND */
	shmem_barrier_all();
	expect(to[0] == 1);
	shmem_free(to);
	return finish();
}
