/* Which threads wait for others of their process, as the kernel shows them. */
#include "job/check/wire/tasks.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_S = 1000, TRIES = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static volatile int is_over;
static volatile int32_t system_id;
static pthread_t joined;
static int ends[2];

static void announce(void)
{
	__atomic_store_n(&system_id, (int32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

static void *wait_for_change(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	announce();
	while (!is_over)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *wait_for_a_while(void *unused)
{
	struct timespec until;

	(void)unused;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONG_S;
	pthread_mutex_lock(&lock);
	announce();
	while (!is_over)
		pthread_cond_timedwait(&change, &lock, &until);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *wait_for_semaphore(void *unused)
{
	(void)unused;
	announce();
	sem_wait(&semaphore);
	return NULL;
}

static void *join_other(void *unused)
{
	(void)unused;
	announce();
	pthread_join(joined, NULL);
	return NULL;
}

static void *read_pipe(void *unused)
{
	char byte;

	(void)unused;
	announce();
	return read(ends[0], &byte, 1) == 1 ? unused : NULL;
}

static void *compute(void *unused)
{
	(void)unused;
	announce();
	while (!is_over)
		;
	return NULL;
}

static int32_t start(pthread_t *thread, void *(*function)(void *))
{
	const struct timespec moment = {.tv_nsec = 1000000};

	__atomic_store_n(&system_id, 0, __ATOMIC_RELEASE);
	assert_int_equal(pthread_create(thread, NULL, function, NULL), 0);
	while (!__atomic_load_n(&system_id, __ATOMIC_ACQUIRE))
		nanosleep(&moment, NULL);
	return system_id;
}

static void gets_asleep(int32_t task)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int i = 0; i < TRIES && !task_is_asleep(task); i++)
		nanosleep(&moment, NULL);
	assert_true(task_is_asleep(task));
}

static void stays_awake(int32_t task)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int i = 0; i < 100; i++) {
		assert_false(task_is_asleep(task));
		nanosleep(&moment, NULL);
	}
}

static void end_all(void)
{
	pthread_mutex_lock(&lock);
	is_over = 1;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&lock);
	sem_post(&semaphore);
	assert_int_equal(write(ends[1], "", 1), 1);
}

static void who_waits_for_others_sleeps(void **state)
{
	const int32_t self = (int32_t)syscall(SYS_gettid);
	int32_t ours[] = {self};
	pthread_t threads[3];

	(void)state;
	is_over = 0;
	tasks_before_mpi();
	gets_asleep(start(&threads[0], wait_for_change));
	gets_asleep(start(&threads[1], wait_for_semaphore));
	joined = threads[0];
	gets_asleep(start(&threads[2], join_other));
	assert_true(tasks_others_sleep(ours, 1));
	assert_true(tasks_others_sleep(NULL, 0)); /* the caller does not count */
	end_all();
	pthread_join(threads[1], NULL);
	pthread_join(threads[2], NULL);
	assert_false(task_is_asleep(self));
}

static void others_may_go_on(void **state)
{
	pthread_t threads[3];
	int32_t known[3];

	(void)state;
	is_over = 0;
	tasks_before_mpi();
	assert_true(tasks_others_sleep(NULL, 0));
	stays_awake(known[0] = start(&threads[0], wait_for_a_while));
	assert_false(tasks_others_sleep(NULL, 0));
	assert_true(tasks_others_sleep(known, 1));
	stays_awake(known[1] = start(&threads[1], read_pipe));
	stays_awake(known[2] = start(&threads[2], compute));
	assert_false(tasks_others_sleep(known, 2));
	assert_true(tasks_others_sleep(known, 3));
	/* Threads that MPI started while it was initialized do not call it. */
	tasks_after_mpi();
	assert_true(tasks_others_sleep(NULL, 0));
	end_all();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_for_others_sleeps),
		cmocka_unit_test(others_may_go_on),
	};

	if (access("/proc/self/syscall", R_OK) != 0 || pipe(ends) != 0 || sem_init(&semaphore, 0, 0) != 0)
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
