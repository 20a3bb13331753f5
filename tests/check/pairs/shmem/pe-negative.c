/* pair: check=shmem.pe-outside ranks=2 at=0 dies */
#include "../shmem_pair.h"

static long counter;

int main(void)
{
	start();
#ifdef WRONG
	int other = me - 1;
#else
	int other = me ? me - 1 : count - 1;
#endif
	shmem_long_atomic_inc(&counter, other); /* FOUND SHOWS: pe = -1 */
	shmem_barrier_all();
	expect(counter == 1);
	return finish();
}
