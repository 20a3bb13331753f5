/* pair: check=shmem.before-init ranks=2 dies */
#include "../shmem_pair.h"

int main(void)
{
	void *memory = NULL;

#ifdef WRONG
	memory = shmem_malloc(8); /* FOUND */
#endif
	start();
	(void)memory;
	return finish();
}
