/* pair: check=shmem.lock-not-held ranks=2 dies */
#include "../shmem_pair.h"

int main(void)
{
	long *locks;

	start();
	locks = shmem_calloc(2, sizeof *locks);
	shmem_barrier_all(); /* Open MPI 4.1 may clear the memory later */
	expect(!shmem_test_lock(&locks[me]));
	shmem_clear_lock(&locks[me]);
#ifdef WRONG
	shmem_clear_lock(&locks[me]); /* FOUND */
#endif
	shmem_barrier_all();
	shmem_free(locks);
	return finish();
}
