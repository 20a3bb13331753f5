/* While thread 0 reads the input, the others compute what does not need it; work is dealt out evenly.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

#include <upc_collective.h>

enum { BLOCK = 1024, READING_MS = 200, COMPUTING_MS = 100, PARTS = 5 };

int main(void)
{
	shared void *input = upc_all_alloc(THREADS, BLOCK);
	shared void *copies = upc_all_alloc(THREADS, BLOCK);
	shared void *results = upc_all_alloc(THREADS, BLOCK);

	upc_barrier;
	work(READING_MS);
	upc_all_broadcast(copies, input, BLOCK, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);

	work(PARTS * COMPUTING_MS / 4);
	upc_all_exchange(results, copies, BLOCK / 8, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);

	if (MYTHREAD == 0)
		printf("done\n");
	return 0;
}
