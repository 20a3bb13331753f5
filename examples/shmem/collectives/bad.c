/* PEs wait in a reduction for the last one, and in a broadcast for the root.
 *
 * tarry-example: ranks=3 env=OMPI_MCA_memory=^patcher */
#include <shmem.h>
#include <unistd.h>

enum { WORDS = 64 };

static long from[WORDS], to[WORDS];
static long work[WORDS / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync_of_reduction[SHMEM_REDUCE_SYNC_SIZE],
	sync_of_broadcast[SHMEM_BCAST_SYNC_SIZE];

static void compute(int ms)
{
	usleep(1000 * ms);
}

static void prepare(long *sync, int count)
{
	for (int i = 0; i < count; i++)
		sync[i] = SHMEM_SYNC_VALUE;
}

int main(void)
{
	int me, count;

	shmem_init();
	me = shmem_my_pe();
	count = shmem_n_pes();
	prepare(sync_of_reduction, SHMEM_REDUCE_SYNC_SIZE);
	prepare(sync_of_broadcast, SHMEM_BCAST_SYNC_SIZE);
	shmem_barrier_all();

	compute(100 * me);
	shmem_long_sum_to_all(to, from, WORDS, 0, 0, count,
	                      work, /* @shmem.n-to-n-wait rank=0,1 total=0.3 count=2 partner=2 */
	                      sync_of_reduction);
	shmem_barrier_all();

	if (me == 0)
		compute(200);
	shmem_broadcast64(to, from, WORDS, 0, 0, 0, count,
	                  sync_of_broadcast); /* @shmem.late-broadcast rank=1,2 total=0.4 count=2 partner=0 */
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
