/* pair: check=shmem.race ranks=3 output */
#include "../shmem_pair.h"

static int to[10];

int main(void)
{
	int from[10];

	start();
	for (int i = 0; i < 10; i++)
		from[i] = me;
	shmem_barrier_all();
	if (me == 1)
		shmem_int_put(to, from, 6, 0); /* FOUND */
#ifndef WRONG
	shmem_barrier_all();
#endif
	if (me == 2)
		shmem_int_put(&to[5], from, 5, 0); /* PARTNER */
	shmem_barrier_all();
	expect(me || (to[0] == 1 && to[9] == 2));
	return finish();
}
