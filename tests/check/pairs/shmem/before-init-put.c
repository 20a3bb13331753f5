/* pair: check=shmem.before-init ranks=2 dies */
#include "../shmem_pair.h"

static int to;

int main(void)
{
#ifdef WRONG
	shmem_int_p(&to, 1, 0); /* FOUND */
#endif
	start();
	shmem_int_p(&to, 1, 0);
	return finish();
}
