/* A PE writes to another one that computes, and at once waits until the data is there: over TCP the library of the other PE must take part. A fence
 * waits as well if the library orders accesses by waiting for them.
 *
 * tarry-example: ranks=2 env=OMPI_MCA_memory=^patcher;UCX_TLS=tcp,self;OMPI_MCA_spml_ucx_strong_sync=2 */
#include <shmem.h>
#include <unistd.h>

enum { FEW = 16, MANY = 200000 };

static long from[MANY], to[MANY], is_ready;

static void compute(int ms)
{
	usleep(1000 * ms);
}

int main(void)
{
	int me;

	shmem_init();
	me = shmem_my_pe();
	shmem_barrier_all();

	if (me == 0) {
		compute(50); /* the other PE has left the barrier */
		shmem_long_put_nbi(to, from, FEW, 1);
		shmem_quiet(); /* @shmem.quiet-wait rank=0 total=0.2 count=1 partner=0 */
	} else {
		compute(250);
	}
	shmem_barrier_all();

	if (me == 0) {
		compute(50);
		shmem_long_put(to, from, MANY, 1);
		shmem_fence(); /* @shmem.fence-wait rank=0 total=0.2 count=1 partner=0 */
		shmem_long_p(&is_ready, 1, 1);
	} else {
		compute(250);
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
