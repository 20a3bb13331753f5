/* pair: check=shmem.race ranks=3 output
 *
 * The flag may overtake the data. */
#include "../shmem_pair.h"

static long data[100], flag;

int main(void)
{
	long from[100];

	start();
	for (int i = 0; i < 100; i++)
		from[i] = me + 1;
	shmem_barrier_all();
	if (me == 0) {
		shmem_long_put(data, from, 100, 2); /* FOUND */
#ifndef WRONG
		shmem_quiet();
#endif
		shmem_long_p(&flag, 1, 1);
	} else if (me == 1) {
		shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
		shmem_long_put(data, from, 100, 2); /* PARTNER */
	}
	shmem_barrier_all();
	expect(me != 2 || data[50]);
	return finish();
}
