/* Thread 1 ends the job while the others wait: their last event has no end.
 *
 * tarry-test: threads=2 exit=3 */
#include "asleep.h"
#include "portable.h"

int main(void)
{
	upc_barrier;
	say_here(MYTHREAD);
	if (MYTHREAD == 1) {
		wait_until_asleep(0);
		upc_global_exit(3);
	}
	upc_barrier;
	return 0;
}
