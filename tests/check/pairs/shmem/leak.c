/* pair: check=shmem.leak ranks=2 at=0,1 output */
#include "../shmem_pair.h"

static void work(void)
{
	void *memory = shmem_align(64, 100); /* FOUND */

#ifndef WRONG
	shmem_free(memory);
#endif
	(void)memory;
}

int main(void)
{
	start();
	work();
	work();
	return finish();
}
