/* Thread 1 is killed while the others wait for it: what was recorded until then is there.
 *
 * tarry-test: threads=3 exit=137 */
#include "asleep.h"
#include "portable.h"

#include <signal.h>

int main(void)
{
	upc_barrier 1;
	say_here(MYTHREAD);
	if (MYTHREAD == 1) {
		wait_until_asleep(0);
		wait_until_asleep(2);
		raise(SIGKILL);
	}
	upc_barrier 2;
	return 0;
}
