/* sched_getaffinity() */
#define _GNU_SOURCE

#include "base/parallel.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

unsigned parallel_cores(void)
{
	enum { CORES_FIRST = 1024, CORES_MAX = 1 << 20 };
	int count = 1;

	/* The kernel refuses a set that is too small for the machine. */
	for (int room = CORES_FIRST; room <= CORES_MAX; room *= 2) {
		cpu_set_t *set = CPU_ALLOC(room);
		size_t bytes = CPU_ALLOC_SIZE(room);
		bool is_too_small;
		if (!set)
			break;
		is_too_small = sched_getaffinity(0, bytes, set) != 0 && errno == EINVAL;
		if (!is_too_small)
			count = CPU_COUNT_S(bytes, set);
		CPU_FREE(set);
		if (!is_too_small)
			break;
	}
	return count > 1 ? (unsigned)count : 1;
}

struct parallel_work {
	void (*run)(void *context, size_t number);
	void *context;
	size_t count, next;
};

static void *work_on(void *context)
{
	struct parallel_work *work = context;
	size_t number;

	while ((number = __atomic_fetch_add(&work->next, 1, __ATOMIC_RELAXED)) < work->count)
		work->run(work->context, number);
	return NULL;
}

void parallel_run(unsigned jobs, size_t count, void (*run)(void *context, size_t number), void *context)
{
	struct parallel_work work = {.run = run, .context = context, .count = count, .next = 1};
	size_t wanted = jobs < count ? jobs : count, started = 0;
	pthread_t *threads = memory_new(wanted + 1, sizeof *threads);

	while (started + 1 < wanted && pthread_create(&threads[started], NULL, work_on, &work) == 0)
		started++;
	if (count)
		run(context, 0);
	work_on(&work);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}
