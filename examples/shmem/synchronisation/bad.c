/* PEs wait for a late one: in a barrier, in an allocation, for a lock that it holds while it computes, and for a variable that it changes last.
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
	shmem_barrier_all();

	if (me == last)
		compute(200);
	shmem_barrier_all(); /* @shmem.barrier-wait rank=0,1 total=0.4 count=2 partner=2 */

	if (me == last)
		compute(200);
	table = shmem_malloc(sizeof *table); /* @shmem.alloc-wait rank=0,1 total=0.4 count=2 partner=2 */
	*table = me;
	shmem_barrier_all();

	if (me == 0) {
		shmem_set_lock(&lock);
		compute(200);
		shmem_long_p(&sum, 1, 0);
		shmem_clear_lock(&lock);
	} else if (me == last) {
		compute(50);
		shmem_set_lock(&lock); /* @shmem.lock-contention rank=2 total=0.15 count=1 partner=0 */
		shmem_clear_lock(&lock);
	}
	shmem_sync_all(); /* @shmem.barrier-wait rank=1 total=0.2 count=1 */

	if (me == 0) {
		compute(200);
		shmem_long_p(&is_ready, 1, last);
	} else if (me == last) {
		shmem_long_wait_until(&is_ready, SHMEM_CMP_EQ,
		                      1); /* @shmem.variable-wait rank=2 total=0.2 count=1 partner= */
	}
	shmem_barrier_all(); /* @shmem.barrier-wait rank=1 total=0.2 count=1 */
	shmem_free(table);
	shmem_finalize();
	return 0;
}
