/* All threads begin when they come, and wait at the end of a collective until the last one has its data.
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
	if (MYTHREAD == 2)
		work(delay);
	upc_all_scatter(to, from, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
	/* @upc.out-sync rank=0,1,3 total=0.6 count=3 partner=2 */
	upc_barrier;
	return 0;
}
