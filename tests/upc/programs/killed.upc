/* Thread 1 is killed while the others wait for it: what was recorded until then is there.
 *
 * tarry-test: threads=3 exit=137 */
#include "portable.h"

#include <signal.h>

int main(void)
{
	upc_barrier 1;
	work(50);
	if (MYTHREAD == 1)
		raise(SIGKILL);
	upc_barrier 2;
	return 0;
}
