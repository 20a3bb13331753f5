/* A thread comes late to a prefix reduction: those behind it need its part, the one before it does not.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

#include <upc_collective.h>

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *from = upc_all_alloc(THREADS, sizeof(int));
	shared void *to = upc_all_alloc(THREADS, sizeof(int));

	WRITE(int, ON_THREAD(from, sizeof(int), MYTHREAD), 1);
	upc_barrier;
	if (MYTHREAD == 1)
		work(delay);
	upc_all_prefix_reduceI(to, from, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	/* @upc.early-prefix-reduce rank=2,3 total=0.4 count=2 partner=1 */
	if (MYTHREAD == 0)
		work(delay);
	upc_barrier;
	return 0;
}
