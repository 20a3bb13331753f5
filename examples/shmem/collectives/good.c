/* The same with the same work for all PEs, and with work between a broadcast and the use of its data.
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
	int count;

	shmem_init();
	count = shmem_n_pes();
	prepare(sync_of_reduction, SHMEM_REDUCE_SYNC_SIZE);
	prepare(sync_of_broadcast, SHMEM_BCAST_SYNC_SIZE);
	shmem_barrier_all();

	compute(100);
	shmem_long_sum_to_all(to, from, WORDS, 0, 0, count, work, sync_of_reduction);
	shmem_barrier_all();

	shmem_broadcast64(to, from, WORDS, 0, 0, 0, count, sync_of_broadcast);
	compute(200);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
