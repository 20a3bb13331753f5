/* pair: check=shmem.not-symmetric ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

int main(void)
{
	long *from, to[3] = {0};

	start();
#ifdef WRONG
	from = malloc(3 * sizeof *from);
#else
	from = shmem_malloc(3 * sizeof *from);
#endif
	from[2] = me;
	shmem_barrier_all();
	shmem_long_get(to, from, 3, 1 - me); /* FOUND SHOWS: nelems = 3, pe = 1 */
	expect(to[2] == 1 - me);
	shmem_barrier_all();
#ifdef WRONG
	free(from);
#else
	shmem_free(from);
#endif
	return finish();
}
