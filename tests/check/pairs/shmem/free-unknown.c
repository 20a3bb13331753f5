/* pair: check=shmem.free-unknown ranks=2 at=0,1 also=shmem.leak dies */
#include "../shmem_pair.h"

int main(void)
{
	int *memory;

	start();
	memory = shmem_malloc(10 * sizeof *memory); /* FOUND: shmem.leak */
#ifdef WRONG
	memory++;
#endif
	shmem_free(memory); /* FOUND */
	return finish();
}
