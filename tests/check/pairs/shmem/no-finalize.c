/* pair: check=none ranks=2
 *
 * The library itself ends OpenSHMEM. */
#include "../shmem_pair.h"

static int there;

int main(void)
{
	start_pes(0);
	me = shmem_my_pe();
	shmem_int_p(&there, 3, 1 - me);
	shmem_barrier_all();
	expect(there == 3);
	if (!me && !unexpected)
		puts("ok");
	return unexpected;
}
