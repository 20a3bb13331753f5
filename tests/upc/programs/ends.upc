/* Thread 1 ends the job while the others wait: their last event has no end.
 *
 * tarry-test: threads=2 exit=3 */
#include "portable.h"

int main(void)
{
	upc_barrier;
	if (MYTHREAD == 1) {
		work(100);
		upc_global_exit(3);
	}
	upc_barrier;
	return 0;
}
