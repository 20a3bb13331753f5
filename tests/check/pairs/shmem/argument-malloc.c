/* pair: check=shmem.argument-mismatch ranks=3 dies */
#include "../shmem_pair.h"

int main(void)
{
	void *memory;

	start();
#ifdef WRONG
	memory = shmem_malloc((size_t)(me == 2 ? 1000 : 2000)); /* FOUND SHOWS: size = 1000 */
#else
	memory = shmem_malloc(2000);
#endif
	shmem_free(memory);
	return finish();
}
