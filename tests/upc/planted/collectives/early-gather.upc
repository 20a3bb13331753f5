/* The thread that collects comes late, and the others cannot hand their data over before.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

#include <upc_collective.h>

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *from = upc_all_alloc(THREADS, BLOCK);
	shared void *to = upc_all_alloc(THREADS, BLOCK);

	upc_barrier;
	if (MYTHREAD == 1)
		work(delay);
	upc_all_gather(ON_THREAD(to, BLOCK, 1), from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	/* @upc.early-gather rank=0,2,3 total=0.6 count=3 partner=1 */
	upc_barrier;
	return 0;
}
