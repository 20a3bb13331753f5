/* Threads with all kinds of calls at once: each stream has all calls of its thread in order. The thread sanitizer checks the same for
 * races. */
#include "base/settings.h"
#include "fake/scenario.h"

#include <pthread.h>
#include <stdatomic.h>
#include <tarry.h>

enum { THREADS = 4, ROUNDS = 60, SENDS = 8 };

static char buffer[64];
static atomic_bool is_over;

/* Distinct calls of this thread, and calls that all threads share. */
static void send(int number, int round)
{
	for (int i = 0; i < SENDS; i++)
		MPI_Send(buffer, i, MPI_BYTE, 0, number * ROUNDS + round, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void use_requests(int number)
{
	MPI_Request requests[2];

	MPI_Irecv(buffer, 1, MPI_INT, 0, number, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(buffer, 1, MPI_INT, 0, number, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void use_objects(void)
{
	MPI_Comm comm;
	MPI_Win win;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, comm, &win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	MPI_Comm_free(&comm);
}

static void *work(void *of_thread)
{
	const int number = *(int *)of_thread;

	for (int round = 0; round < ROUNDS; round++) {
		tarry_region_begin("round");
		send(number, round);
		use_requests(number);
		use_objects();
		tarry_region_end("round");
	}
	return NULL;
}

static void start(pthread_t *others, int *numbers, void *(*function)(void *))
{
	int provided;

	fake->thread_level = MPI_THREAD_MULTIPLE;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert(pthread_create(&others[i], NULL, function, &numbers[i]) == 0);
	}
}

static void all_at_once(void)
{
	pthread_t others[THREADS];
	int numbers[THREADS];

	start(others, numbers, work);
	for (int i = 0; i < THREADS; i++)
		pthread_join(others[i], NULL);
	MPI_Finalize();
}

static size_t count_of(const struct event *events, size_t count, const char *name)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += strcmp(events[i].call->outline->name, name) == 0;
	return found;
}

static void expect_whole(struct recording *r, struct stream *stream, bool *seen)
{
	size_t count, round = 0;
	struct event *events = events_of(r->reader, stream, &count);
	int64_t number = -1;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(events[i].call->outline->name, "MPI_Send") != 0)
			continue;
		if (number < 0)
			number = field(events[i].call, FIELD_TAG) / ROUNDS;
		assert_int_equal(field(events[i].call, FIELD_TAG),
		                 number * ROUNDS + (int64_t)(round++ / SENDS));
	}
	assert_in_range(number, 0, THREADS - 1);
	assert_false(seen[number]);
	seen[number] = true;
	assert_int_equal(round, ROUNDS * SENDS);
	assert_int_equal(count_of(events, count, "MPI_Barrier"), ROUNDS);
	assert_int_equal(count_of(events, count, "MPI_Waitall"), ROUNDS);
	assert_int_equal(count_of(events, count, "MPI_Win_free"), ROUNDS);
	free(events);
}

static void each_has_all_of_its_calls(void **state)
{
	bool seen[THREADS] = {false};
	struct recording r;

	(void)state;
	record(all_at_once, &r);
	assert_int_equal(r.process->stream_count, THREADS + 1);
	for (size_t i = 1; i <= THREADS; i++)
		expect_whole(&r, &r.process->streams[i], seen);
	recording_release(&r);
}

static void *send_on(void *of_thread)
{
	const int number = *(int *)of_thread;

	while (!atomic_load(&is_over))
		MPI_Send(buffer, 1, MPI_BYTE, 0, number, MPI_COMM_WORLD);
	return NULL;
}

/* While others send, recording begins with the first MPI_Pcontrol(1) and ends with the next MPI_Pcontrol(0). */
static void on_and_off(void)
{
	pthread_t others[THREADS];
	int numbers[THREADS];

	start(others, numbers, send_on);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Pcontrol(i % 2);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(others[i], NULL);
	MPI_Finalize();
}

static void all_begin_and_end_together(void **state)
{
	struct recording r;

	(void)state;
	setenv(SETTING_FROM, "MPI_Pcontrol=1", 1);
	setenv(SETTING_TO, "MPI_Pcontrol=0", 1);
	record(on_and_off, &r);
	unsetenv(SETTING_FROM);
	unsetenv(SETTING_TO);
	assert_int_equal(count_calls(&r, "MPI_Barrier"), 1);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_all_of_its_calls),
		cmocka_unit_test(all_begin_and_end_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
