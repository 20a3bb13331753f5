/* The CPU time of threads that make no recorded call. */
#define _GNU_SOURCE
#include "scenario.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { WORK_MS = 40 };

static pthread_t thread;
static atomic_bool may_end;

static void work(void)
{
	struct timespec used;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while (used.tv_sec == 0 && used.tv_nsec < WORK_MS * 1000000L);
}

static void *work_only(void *unused)
{
	work();
	return unused;
}

static void *work_and_call(void *unused)
{
	work();
	MPI_Barrier(MPI_COMM_WORLD);
	return unused;
}

static void *work_and_stay(void *unused)
{
	work();
	MPI_Barrier(MPI_COMM_WORLD);
	atomic_store(&may_end, true);
	for (;;)
		nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	return unused;
}

static void start(void *(*function)(void *))
{
	assert(pthread_create(&thread, NULL, function, NULL) == 0);
}

static void run_thread(void *(*function)(void *))
{
	MPI_Init(NULL, NULL);
	start(function);
	pthread_join(thread, NULL);
	MPI_Finalize();
}

static void with_a_silent_thread(void)
{
	run_thread(work_only);
}

static void with_a_calling_thread(void)
{
	run_thread(work_and_call);
}

static void with_a_living_calling_thread(void)
{
	MPI_Init(NULL, NULL);
	start(work_and_stay);
	while (!atomic_load(&may_end))
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	MPI_Finalize();
}

static void with_a_thread_before(void)
{
	start(work_only);
	pthread_join(thread, NULL);
	MPI_Init(NULL, NULL);
	MPI_Finalize();
}

/* It works only after MPI_Init, and ends after the program's last call before MPI_Finalize. */
static pthread_barrier_t meeting;

static void *progress(void *unused)
{
	pthread_barrier_wait(&meeting);
	work();
	pthread_barrier_wait(&meeting);
	for (;;)
		nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	return unused;
}

static void begin_progress_thread(enum call_id id)
{
	if (id == CALL_Init)
		start(progress);
}

static void with_a_thread_of_mpi(void)
{
	pthread_barrier_init(&meeting, NULL, 2);
	fake->inside = begin_progress_thread;
	MPI_Init(NULL, NULL);
	pthread_barrier_wait(&meeting);
	pthread_barrier_wait(&meeting);
	MPI_Finalize();
}

/* In microseconds. */
static unsigned long long others_in(void (*scenario)(void))
{
	unsigned long long used, run;
	struct recording r;
	const char *text;

	record(scenario, &r);
	text = process_property(r.process, "other_threads");
	assert_non_null(text);
	assert_int_equal(sscanf(text, "%llu/%llu", &used, &run), 2);
	recording_release(&r);
	return used;
}

static void a_thread_without_calls_counts(void **state)
{
	(void)state;
	assert_true(others_in(with_a_silent_thread) >= WORK_MS * 1000);
}

static void recorded_threads_do_not_count(void **state)
{
	(void)state;
	assert_true(others_in(with_a_calling_thread) < WORK_MS * 1000);
	assert_true(others_in(with_a_living_calling_thread) < WORK_MS * 1000);
}

static void threads_of_mpi_do_not_count(void **state)
{
	(void)state;
	assert_true(others_in(with_a_thread_of_mpi) < WORK_MS * 1000);
}

static void work_before_the_recording_does_not_count(void **state)
{
	(void)state;
	assert_true(others_in(with_a_thread_before) < WORK_MS * 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_without_calls_counts),
		cmocka_unit_test(recorded_threads_do_not_count),
		cmocka_unit_test(threads_of_mpi_do_not_count),
		cmocka_unit_test(work_before_the_recording_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
