/* Thread 0 makes tasks, and all compute: it makes the tasks of the next round while the others compute those of this one, and has a
 * share of the work itself, so that all are ready at the same time.
 *
 * tarry-example: threads=4 */
#include "../portable.h"

enum { ROUNDS = 4, TASK = 256 };

static char task[TASK], result[TASK];

static void hand_out(shared void *tasks, int round)
{
	for (int worker = 1; worker < THREADS; worker++) {
		task[0] = (char)(round + worker);
		upc_memput(ON_THREAD(tasks, TASK, worker), task, TASK);
	}
}

static void lead(shared void *tasks, shared void *results, int round)
{
	hand_out(tasks, round);
	upc_barrier;
	work(50); /* on the tasks of the next round */
	work(50); /* on a task */
	upc_barrier;
	for (int worker = 1; worker < THREADS; worker++)
		upc_memget(result, ON_THREAD(results, TASK, worker), TASK);
}

static void serve(shared void *tasks, shared void *results)
{
	upc_barrier;
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
