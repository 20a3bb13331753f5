/* pair: check=shmem.lock-left ranks=2 at=1 output */
#include "../shmem_pair.h"

static long lock;

int main(void)
{
	start();
	if (me)
		shmem_set_lock(&lock); /* FOUND */
#ifndef WRONG
	if (me)
		shmem_clear_lock(&lock);
#endif
	return finish();
}
