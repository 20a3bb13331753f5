/* pair: check=shmem.beyond-block ranks=2 at=0,1 output */
#include "../shmem_pair.h"

int main(void)
{
	int *to, from[4] = {1, 2, 3, 4};

	start();
	to = shmem_calloc(7, sizeof *to); /* PARTNER */
	shmem_barrier_all();              /* Open MPI 4.1 may clear the memory later */
#ifdef WRONG
	shmem_int_iput(to, from, 3, 1, 4, 1 - me); /* FOUND */
#else
	shmem_int_iput(to, from, 2, 1, 4, 1 - me);
#endif
	shmem_barrier_all();
	expect(to[0] == 1);
	shmem_free(to);
	return finish();
}
