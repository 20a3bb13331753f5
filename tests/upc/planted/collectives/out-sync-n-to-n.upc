/* Each thread begins when it comes, and cannot leave before it has the data of the last one.
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
	if (MYTHREAD == 3)
		work(delay);
	upc_all_gather_all(to, from, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
	/* @upc.out-sync-n-to-n rank=0,1,2 total=0.6 count=3 partner=3 */
	upc_barrier;
	return 0;
}
