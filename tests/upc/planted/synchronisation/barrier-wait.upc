/* One thread comes late to a barrier.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);

	upc_barrier;
	if (MYTHREAD == 2)
		work(delay);
	upc_barrier 42; /* @upc.barrier-wait rank=0,1,3 total=0.6 count=3 partner=2 */
	return 0;
}
