/* A fence waits until what the thread has written has arrived: here the runtime is made to take its time.
 *
 * tarry-example: threads=4 bad=200 good=0 bad-env=UPC_STANDIN_PUT_MS=200 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	int value = 1;

	upc_barrier;
	if (MYTHREAD == 1) {
		upc_memput(ON_THREAD(room, BLOCK, 2), &value, sizeof(value));
		upc_fence; /* @upc.fence-wait rank=1 total=0.2 count=1 */
	} else {
		work(delay);
	}
	upc_barrier;
	return 0;
}
