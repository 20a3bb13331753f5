/* A thread is 200 ms late to a barrier in two parts: the others have work for the first 100 ms.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);

	upc_barrier;
	if (MYTHREAD == 2)
		work(delay);
	upc_notify;
	if (MYTHREAD != 2)
		work(delay / 2);
	upc_wait; /* @upc.split-barrier-wait rank=0,1,3 total=0.3 count=3 partner=2 */
	return 0;
}
