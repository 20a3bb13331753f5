/* pair: check=shmem.pe-outside ranks=3 at=2 dies */
#include "../shmem_pair.h"

static int there;

int main(void)
{
	start();
	shmem_barrier_all();
	/* A neighbour beyond the border */
#ifdef WRONG
	shmem_int_p(&there, me + 1, me + 1); /* FOUND SHOWS: pe = 3 */
#else
	shmem_int_p(&there, me + 1, (me + 1) % count);
#endif
	shmem_barrier_all();
	expect(there == (me ? me : count));
	return finish();
}
