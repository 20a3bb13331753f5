/* Threads that call MPI for the first time at the same moment: each finds the function of the MPI library. The thread sanitizer
 * looks on. */
#include "fake_control.h"
#include "job/preload/preload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, ROUNDS = 200, NAMES = 3 };

void *preload_slots[NAMES];
const struct preload_entry preload_entries[NAMES] = {
	{"MPI_Send", 0, true, false}, {"MPI_Recv", 1, true, false}, {"MPI_Barrier", 2, true, false}};
const size_t preload_count = NAMES;
bool preload_unknown[NAMES];
const char preload_gates[16 * NAMES];

static pthread_barrier_t together;
static void *found[THREADS][NAMES];

static void *make_first_calls(void *own)
{
	void **mine = own;

	pthread_barrier_wait(&together);
	for (uint32_t i = 0; i < NAMES; i++)
		mine[i] = preload_find_server(i, NULL);
	return NULL;
}

static void all_threads_find_the_library(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	fake_reset(); /* so that the linker keeps the library */
	assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
	for (int round = 0; round < ROUNDS; round++) {
		memset(preload_slots, 0, sizeof preload_slots);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, make_first_calls, found[i]), 0);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_join(threads[i], NULL), 0);
		for (int i = 0; i < THREADS; i++)
			for (int j = 0; j < NAMES; j++)
				assert_ptr_equal(found[i][j], dlsym(RTLD_DEFAULT, preload_entries[j].name));
	}
	pthread_barrier_destroy(&together);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_find_the_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
