/* Thread 0 hands out work, and has nothing to do until its workers are ready.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	char data[BLOCK] = {0};

	upc_barrier;
	for (int i = 1; i < THREADS && MYTHREAD == 0; i++)
		upc_memput(ON_THREAD(room, BLOCK, i), data, BLOCK);
	upc_barrier;
	if (MYTHREAD == 0) {
		upc_barrier; /* @upc.slow-workers rank=0 total=0.2 count=1 */
	} else {
		work(delay);
		upc_barrier;
	}
	for (int i = 1; i < THREADS && MYTHREAD == 0; i++)
		upc_memget(data, ON_THREAD(room, BLOCK, i), BLOCK);
	return 0;
}
