/* pair: check=shmem.after-finalize ranks=2 dies */
#include "../shmem_pair.h"

int main(void)
{
	int result;

	start();
#ifdef WRONG
	result = finish();
	shmem_barrier_all(); /* FOUND */
#else
	shmem_barrier_all();
	result = finish();
#endif
	return result;
}
