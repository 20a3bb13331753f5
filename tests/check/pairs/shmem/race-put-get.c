/* pair: check=shmem.race ranks=3 at=1,2 output */
#include "../shmem_pair.h"

int main(void)
{
	double from[4] = {1, 2, 3, 4}, *there;

	start();
	there = shmem_calloc(4, sizeof *there);
	shmem_barrier_all(); /* Open MPI 4.1 may clear the memory later */
	if (me == 1)
		shmem_double_put(there, from, 4, 0); /* FOUND */
#ifdef WRONG
	shmem_sync_all(); /* completes nothing */
#else
	shmem_barrier_all();
#endif
	if (me == 2)
		shmem_double_get(from, there, 4, 0); /* PARTNER */
	shmem_barrier_all();
	shmem_free(there);
	return finish();
}
