/* pair: check=shmem.free-unknown ranks=2 at=0,1 dies */
#include "../shmem_pair.h"

static int table[4];

int main(void)
{
	int *memory = table;

	start();
#ifndef WRONG
	memory = shmem_malloc(sizeof table);
#endif
	shmem_free(memory); /* FOUND */
	return finish();
}
