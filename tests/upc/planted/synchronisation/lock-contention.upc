/* A thread works while it holds a lock, and another one wants the lock.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	upc_lock_t *lock = upc_all_lock_alloc();

	if (MYTHREAD == 0)
		upc_lock(lock);
	upc_barrier;
	if (MYTHREAD == 2)
		upc_lock(lock); /* @upc.lock-contention rank=2 total=0.2 count=1 partner=0 */
	else
		work(delay);
	if (MYTHREAD == 0 || MYTHREAD == 2)
		upc_unlock(lock);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_lock_free(lock);
	return 0;
}
