/* Thread 0 reads the input while the others wait for it, and thread 3 got twice the work, for which all wait in the exchange.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

#include <upc_collective.h>

enum { BLOCK = 1024, READING_MS = 200, COMPUTING_MS = 100 };

int main(void)
{
	shared void *input = upc_all_alloc(THREADS, BLOCK);
	shared void *copies = upc_all_alloc(THREADS, BLOCK);
	shared void *results = upc_all_alloc(THREADS, BLOCK);

	upc_barrier;
	if (MYTHREAD == 0)
		work(READING_MS);
	upc_all_broadcast(copies, input, BLOCK, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	/* @upc.late-broadcast rank=1,2,3 total=0.6 count=3 partner=0 */

	work(MYTHREAD == 3 ? 2 * COMPUTING_MS : COMPUTING_MS);
	upc_all_exchange(results, copies, BLOCK / 8, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	/* @upc.in-sync rank=0,1,2 total=0.3 count=3 partner=3 */

	if (MYTHREAD == 0)
		printf("done\n");
	return 0;
}
