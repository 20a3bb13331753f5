/* What is left of UPC where threads are pthreads.
 *
 * tarry-test: threads=4 */
#include "portable.h"

int main(void)
{
	shared void *room = upc_all_alloc(THREADS, 8);
	long value = MYTHREAD;

	upc_fence;
	upc_memput(ON_THREAD(room, 8, (MYTHREAD + 1) % THREADS), &value, sizeof value);
	upc_barrier 5;
	upc_memget(&value, ON_THREAD(room, 8, MYTHREAD), sizeof value);
	if (MYTHREAD == 0)
		printf("the thread before thread 0 is %ld\n", value);
	upc_barrier;
	return 0;
}
