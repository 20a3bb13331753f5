/* pair: check=shmem.after-finalize ranks=2 dies */
#include "../shmem_pair.h"

static int to;

int main(void)
{
	int result;

	start();
#ifdef WRONG
	result = finish();
	shmem_int_p(&to, 1, 1 - me); /* FOUND */
#else
	shmem_int_p(&to, 1, 1 - me);
	result = finish();
#endif
	return result;
}
