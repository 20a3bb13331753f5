/* The thread whose data is broadcast comes late.
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
	upc_all_broadcast(to, ON_THREAD(from, BLOCK, 1), sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	/* @upc.late-broadcast rank=0,2,3 total=0.6 count=3 partner=1 */
	upc_barrier;
	return 0;
}
