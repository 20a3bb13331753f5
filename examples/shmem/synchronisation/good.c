/* The same with equal work for all, before the lock is taken, and while a variable is not yet needed.
 *
 * tarry-example: ranks=3 env=OMPI_MCA_memory=^patcher */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static long lock, sum, is_ready;

static void compute(int ms)
{
	usleep(1000 * ms);
}

int main(void)
{
	int me, last;
	long *table;

	shmem_init();
	me = shmem_my_pe();
	last = shmem_n_pes() - 1;
	table = shmem_malloc(sizeof *table);
	*table = me;
	shmem_barrier_all();

	compute(70);
	shmem_barrier_all();

	compute(200);
	if (me == 0) {
		shmem_set_lock(&lock);
		shmem_long_p(&sum, 1, 0);
		shmem_clear_lock(&lock);
	}
	shmem_sync_all();

	if (me == 0)
		shmem_long_p(&is_ready, 1, last);
	compute(200);
	if (me == last)
		shmem_long_wait_until(&is_ready, SHMEM_CMP_EQ, 1);
	shmem_barrier_all();
	shmem_free(table);
	shmem_finalize();
	return 0;
}
