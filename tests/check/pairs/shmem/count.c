/* pair: check=shmem.count ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

static int to[4];

int main(void)
{
	int from[4] = {1, 2, 3, 4};

	start();
#ifdef WRONG
	int length = me - 2;
#else
	int length = 4;
#endif
	shmem_int_put(to, from, (size_t)length, 1 - me); /* FOUND */
	shmem_barrier_all();
	expect(to[3] == 4);
	return finish();
}
