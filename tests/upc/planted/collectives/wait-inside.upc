/* The thread that collects is alone in the operation until the others come.
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
	if (MYTHREAD != 0)
		work(delay);
	upc_all_reduceI(to, from, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	/* @upc.wait-inside rank=0 total=0.2 count=1 */
	upc_barrier;
	return 0;
}
