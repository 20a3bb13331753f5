/* Thread 0 hands out work and collects results. It prepares the work while the others stand still, and stands still while they
 * compute.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

enum { TASK = 64, ROUNDS = 2, PREPARING_MS = 100, COMPUTING_MS = 100 };

static void hand_out(shared void *tasks)
{
	char task[TASK] = {0};
	int i;

	work(PREPARING_MS);
	for (i = 1; i < THREADS; i++)
		upc_memput(ON_THREAD(tasks, TASK, i), task, TASK);
}

static void collect(shared void *results)
{
	char result[TASK];
	int i;

	for (i = 1; i < THREADS; i++)
		upc_memget(result, ON_THREAD(results, TASK, i), TASK);
}

int main(void)
{
	shared void *tasks = upc_all_alloc(THREADS, TASK);
	shared void *results = upc_all_alloc(THREADS, TASK);
	int round;

	upc_barrier;
	for (round = 0; round < ROUNDS; round++) {
		if (MYTHREAD == 0)
			hand_out(tasks);
		upc_barrier; /* @upc.overloaded-master rank=1,2,3 total=0.6 count=6 partner=0 */
		if (MYTHREAD != 0)
			work(COMPUTING_MS);
		upc_barrier; /* @upc.slow-workers rank=0 total=0.2 count=2 */
		if (MYTHREAD == 0)
			collect(results);
	}
	return 0;
}
