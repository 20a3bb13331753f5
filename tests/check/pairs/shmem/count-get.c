/* pair: check=shmem.count ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

static char from[8] = "abcdefg";

int main(void)
{
	char to[8] = "";

	start();
#ifdef WRONG
	int length = -8;
#else
	int length = 8;
#endif
	shmem_getmem(to, from, (size_t)length, 1 - me); /* FOUND */
	shmem_barrier_all();
	expect(to[6] == 'g');
	return finish();
}
