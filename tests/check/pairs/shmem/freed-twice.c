/* pair: check=shmem.freed ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

int main(void)
{
	char *memory;

	start();
	memory = shmem_malloc(100);         /* PARTNER */
	memory = shmem_realloc(memory, 50); /* MAY */
	shmem_free(memory);                 /* PARTNER */
#ifdef WRONG
	shmem_free(memory); /* FOUND */
#endif
	return finish();
}
