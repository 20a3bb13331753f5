/* Thread 0 makes tasks, and the others compute. It makes those of a round when the results of the last one are there, and all wait
 * for each other in between: while it makes tasks, its workers do nothing; while they compute, it does nothing.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

enum { ROUNDS = 4, TASK = 256 };

static char task[TASK], result[TASK];

static void lead(shared void *tasks, shared void *results, int round)
{
	work(50);
	for (int worker = 1; worker < THREADS; worker++) {
		task[0] = (char)(round + worker);
		upc_memput(ON_THREAD(tasks, TASK, worker), task, TASK);
	}
	upc_barrier;
	upc_barrier; /* @upc.slow-workers rank=0 total=0.4 count=4 */
	for (int worker = 1; worker < THREADS; worker++)
		upc_memget(result, ON_THREAD(results, TASK, worker), TASK);
}

static void serve(shared void *tasks, shared void *results)
{
	upc_barrier; /* @upc.overloaded-master rank=1,2,3 total=0.6 count=12 partner=0 */
	upc_memget(task, ON_THREAD(tasks, TASK, MYTHREAD), TASK);
	work(100);
	upc_memput(ON_THREAD(results, TASK, MYTHREAD), task, TASK);
	upc_barrier;
}

int main(void)
{
	shared void *tasks = upc_all_alloc(THREADS, TASK);
	shared void *results = upc_all_alloc(THREADS, TASK);

	upc_barrier;
	for (int round = 0; round < ROUNDS; round++) {
		if (MYTHREAD == 0)
			lead(tasks, results, round);
		else
			serve(tasks, results);
	}
	return 0;
}
