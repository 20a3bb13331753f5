/* Threads change one counter at the same time: here the runtime takes 100 ms for each change, one after the other. They come
 * 20 ms apart, so that the second waits 80 and the third 160 ms for its turn.
 *
 * tarry-example: threads=4 bad=20 good=0 bad-env=UPC_STANDIN_ATOMIC_MS=100 */
#include "planted.h"

#include <upc_atomic.h>

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
	shared void *counter = upc_all_alloc(1, sizeof(int));
	int one = 1;

	upc_barrier;
	work(delay * MYTHREAD);
	if (MYTHREAD != 0)
		upc_atomic_strict(domain, NULL, UPC_ADD, counter, &one, NULL);
	/* @upc.atomic-wait rank=2,3 total=0.24 */
	return 0;
}
