/* pair: check=shmem.lock-left ranks=2 at=0 output */
#include "../shmem_pair.h"

static long locks[2];

int main(void)
{
	int failed;

	start();
	failed = shmem_test_lock(&locks[me]); /* FOUND */
	expect(!failed);
#ifdef WRONG
	if (me)
#endif
		shmem_clear_lock(&locks[me]);
	return finish();
}
