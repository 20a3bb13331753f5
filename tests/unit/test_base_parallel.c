/* Each piece of work is done once, whatever the number of jobs. */
#include "base/parallel.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PIECES = 100 };

static void count_one(void *context, size_t number)
{
	unsigned *times = context;

	times[number]++;
}

static void every_piece_is_done_once(void **state)
{
	static const unsigned jobs[] = {0, 1, 2, 3, 8, 2 * PIECES};

	(void)state;
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		unsigned times[PIECES] = {0};
		parallel_run(jobs[i], PIECES, count_one, times);
		for (size_t j = 0; j < PIECES; j++)
			assert_int_equal(times[j], 1);
	}
	parallel_run(4, 0, count_one, NULL);
}

static void note_thread(void *context, size_t number)
{
	if (number == 0)
		*(pthread_t *)context = pthread_self();
}

/* It shows the progress. */
static void the_caller_does_the_first(void **state)
{
	pthread_t thread;

	(void)state;
	parallel_run(8, 8, note_thread, &thread);
	assert_true(pthread_equal(thread, pthread_self()));
}

static void there_is_a_core(void **state)
{
	(void)state;
	assert_true(parallel_cores() >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_piece_is_done_once),
		cmocka_unit_test(the_caller_does_the_first),
		cmocka_unit_test(there_is_a_core),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
