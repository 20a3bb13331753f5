/* pair: check=shmem.leak ranks=2 at=0,1 output */
#include "../shmem_pair.h"

int main(void)
{
	char *memory;

	start();
	memory = shmem_malloc(100);
	memory = shmem_realloc(memory, 200); /* FOUND */
#ifndef WRONG
	shmem_free(memory);
#endif
	return finish();
}
