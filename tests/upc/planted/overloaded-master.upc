/* Workers have nothing to do until thread 0 has made work for them.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	char data[BLOCK] = {0};

	upc_barrier;
	if (MYTHREAD == 0) {
		work(delay);
		for (int i = 1; i < THREADS; i++)
			upc_memput(ON_THREAD(room, BLOCK, i), data, BLOCK);
		upc_barrier;
	} else {
		upc_barrier; /* @upc.overloaded-master rank=1,2,3 total=0.6 count=3 partner=0 */
	}
	upc_barrier;
	for (int i = 1; i < THREADS && MYTHREAD == 0; i++)
		upc_memget(data, ON_THREAD(room, BLOCK, i), BLOCK);
	return 0;
}
