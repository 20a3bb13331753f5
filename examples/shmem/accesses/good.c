/* The same with other work between the accesses and the call that completes them.
 *
 * tarry-example: ranks=2 env=OMPI_MCA_memory=^patcher;UCX_TLS=tcp,self */
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

	if (me == 0)
		shmem_long_put_nbi(to, from, FEW, 1);
	compute(200);
	shmem_barrier_all();

	if (me == 0) {
		shmem_long_put(to, from, MANY, 1);
		shmem_fence();
		shmem_long_p(&is_ready, 1, 1);
	}
	compute(200);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
