/* Each thread needs data of all the others, and one of them is late.
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
	upc_all_exchange(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
	/* @upc.in-sync-n-to-n rank=0,1,2 total=0.6 count=3 partner=3 */
	upc_barrier;
	return 0;
}
