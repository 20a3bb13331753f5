/* Thread 0 hands out work and collects results; while the others compute, it is idle.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *tasks = upc_all_alloc(THREADS, BLOCK);
	shared void *results = upc_all_alloc(THREADS, BLOCK);
	int task = 1;
	int i;

	upc_barrier;
	for (i = 1; MYTHREAD == 0 && i < THREADS; i++)
		upc_memput(ON_THREAD(tasks, BLOCK, i), &task, sizeof(task));
	upc_barrier;
	if (MYTHREAD != 0)
		work(delay);
	upc_barrier; /* @upc.slow-workers rank=0 total=0.2 count=1 */
	for (i = 1; MYTHREAD == 0 && i < THREADS; i++)
		upc_memget(&task, ON_THREAD(results, BLOCK, i), sizeof(task));
	return 0;
}
