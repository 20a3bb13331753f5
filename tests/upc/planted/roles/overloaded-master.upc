/* Thread 0 prepares work for the others, which have nothing to do meanwhile.
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
	if (MYTHREAD == 0)
		work(delay);
	for (i = 1; MYTHREAD == 0 && i < THREADS; i++)
		upc_memput(ON_THREAD(tasks, BLOCK, i), &task, sizeof(task));
	upc_barrier; /* @upc.overloaded-master rank=1,2,3 total=0.6 count=3 partner=0 */
	for (i = 1; MYTHREAD == 0 && i < THREADS; i++)
		upc_memget(&task, ON_THREAD(results, BLOCK, i), sizeof(task));
	return 0;
}
