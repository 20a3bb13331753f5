/* pair: check=shmem.not-symmetric ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

int main(void)
{
#ifdef WRONG
	int to = 0;
#else
	static int to;
#endif

	start();
	shmem_int_p(&to, 7, 1 - me); /* FOUND */
	shmem_barrier_all();
	expect(to == 7);
	return finish();
}
