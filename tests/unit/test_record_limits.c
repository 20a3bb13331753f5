/* Limits of recording: full chunks, a full disk, several threads, a fork. The program never notices. */
#include "base/settings.h"
#include "scenario.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { DISTINCT = 20000, CHUNK = 1 << 16, THREADS = 4, ROUNDS = 200 };

static char buffer[64];

static void send_all_tags(void)
{
	for (int tag = 0; tag < DISTINCT; tag++)
		MPI_Send(buffer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

static void more_than_a_chunk(void)
{
	setenv(SETTING_BUFFER, "1048576", 1);
	MPI_Init(NULL, NULL);
	send_all_tags();
	MPI_Finalize();
}

static void nothing_is_lost_between_chunks(void **state)
{
	struct recording r;

	(void)state;
	record(more_than_a_chunk, &r);
	assert_true(r.process->streams[0].chunk_count > 3);
	assert_int_equal(r.count, DISTINCT + 2);
	for (size_t i = 0; i < DISTINCT; i++)
		assert_int_equal(field(r.events[1 + i].call, FIELD_TAG), i);
	for (size_t i = 1; i < r.count; i++)
		assert_true(r.events[i].start >= r.events[i - 1].end);
	recording_release(&r);
}

/* Chunks full of definitions, in a file with room for two of the usual size. */
static void definitions_in_little_room(void)
{
	const struct rlimit limit = {BUFFER_DEFAULT / 8, BUFFER_DEFAULT / 8};

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	MPI_Init(NULL, NULL);
	send_all_tags();
	MPI_Finalize();
}

static void a_chunk_reserves_what_the_last_one_used(void **state)
{
	struct recording r;

	(void)state;
	record(definitions_in_little_room, &r);
	assert_true(r.process->streams[0].chunk_count > 2);
	assert_int_equal(r.process->streams[0].loss_count, 0);
	assert_int_equal(r.count, DISTINCT + 2);
	recording_release(&r);
}

/* A limit of a few chunks for each file looks like a full disk to the recorder. */
static void on_a_full_disk(void)
{
	const struct rlimit limit = {4 * CHUNK, 4 * CHUNK};

	fake->rank = 0;
	fake->size = 1;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	more_than_a_chunk();
}

static void a_full_disk_ends_the_recording_alone(void **state)
{
	struct recording r;

	(void)state;
	record(on_a_full_disk, &r);
	assert_int_equal(fake->calls[CALL_Send], DISTINCT);
	assert_int_equal(fake->calls[CALL_Finalize], 1);
	assert_false(r.reader->is_parts);
	assert_int_equal(r.process->streams[0].loss_count, 1);
	assert_non_null(strstr(r.process->streams[0].losses[0].reason, "cannot extend the trace"));
	assert_true(r.count > 1000 && r.count < DISTINCT);
	for (size_t i = 1; i < r.count; i++)
		assert_int_equal(field(r.events[i].call, FIELD_TAG), i - 1);
	assert_int_equal(r.process->streams[0].losses[0].tick, r.events[r.count - 1].end);
	recording_release(&r);
}

static void forks(void)
{
	pid_t child;
	int status;

	MPI_Init(NULL, NULL);
	MPI_Send(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < 1000; i++)
			MPI_Send(buffer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
		MPI_Finalize();
		execlp("true", "true", NULL);
		_exit(1);
	}
	assert(waitpid(child, &status, 0) == child && status == 0);
	MPI_Send(buffer, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void a_forked_child_leaves_no_trace(void **state)
{
	struct recording r;

	(void)state;
	record(forks, &r);
	assert_int_equal(fake->calls[CALL_Send], 1002);
	assert_int_equal(r.process->stream_count, 1);
	assert_int_equal(r.count, 4);
	assert_int_equal(field(r.events[1].call, FIELD_TAG), 1);
	assert_int_equal(field(r.events[2].call, FIELD_TAG), 3);
	recording_release(&r);
}

static void *exchange(void *tag)
{
	const int number = *(int *)tag;
	MPI_Request requests[2];

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Irecv(buffer, 1, MPI_INT, 0, number, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(buffer, 1, MPI_INT, 0, number, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t others[THREADS];
	int tags[THREADS], provided;

	fake->thread_level = MPI_THREAD_MULTIPLE;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	for (int i = 0; i < THREADS; i++) {
		tags[i] = i;
		assert(pthread_create(&others[i], NULL, exchange, &tags[i]) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(others[i], NULL);
	MPI_Finalize();
}

static void expect_exchanges(const struct event *events, size_t count)
{
	const int64_t tag = field(events[0].call, FIELD_TAG);

	assert_int_equal(count, 3 * ROUNDS);
	for (size_t i = 0; i < count; i += 3) {
		assert_int_equal(field(events[i].call, FIELD_TAG), tag);
		assert_int_equal(field(events[i + 1].call, FIELD_TAG), tag);
		for (size_t j = 0; j < 2; j++)
			assert_int_equal(nth_field(events[i + 2].call, FIELD_DONE, j),
			                 field(events[i + j].call, FIELD_REQUEST));
	}
}

static void each_thread_has_its_own_events(void **state)
{
	struct recording r;

	(void)state;
	record(threads, &r);
	assert_int_equal(r.count, 2);
	assert_true(r.process->streams[0].thread.main);
	assert_int_equal(r.process->stream_count, 1 + THREADS);
	for (size_t i = 1; i <= THREADS; i++) {
		size_t count;
		struct event *events = events_of(r.reader, &r.process->streams[i], &count);

		assert_false(r.process->streams[i].thread.main);
		expect_exchanges(events, count);
		free(events);
	}
	recording_release(&r);
}

static pthread_barrier_t within, after;

static void wait_in_finalized(enum call_id id)
{
	if (id == CALL_Finalized) {
		pthread_barrier_wait(&within);
		pthread_barrier_wait(&after);
	}
}

static void *ask_while_it_ends(void *flag)
{
	MPI_Send(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	MPI_Finalized(flag);
	MPI_Finalized(flag);
	return NULL;
}

static void outlived(void)
{
	pthread_t other;
	int provided, flag;

	fake->thread_level = MPI_THREAD_MULTIPLE;
	fake->inside = wait_in_finalized;
	pthread_barrier_init(&within, NULL, 2);
	pthread_barrier_init(&after, NULL, 2);
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	assert(pthread_create(&other, NULL, ask_while_it_ends, &flag) == 0);
	pthread_barrier_wait(&within);
	MPI_Finalize();
	fake->inside = NULL;
	pthread_barrier_wait(&after);
	pthread_join(other, NULL);
}

static void a_thread_may_outlive_the_recording(void **state)
{
	struct event *events;
	struct recording r;
	size_t count;

	(void)state;
	record(outlived, &r);
	assert_int_equal(fake->calls[CALL_Finalized], 2);
	assert_int_equal(r.process->stream_count, 2);
	events = events_of(r.reader, &r.process->streams[1], &count);
	assert_int_equal(count, 2);
	assert_string_equal(events[1].call->outline->name, "MPI_Finalized");
	free(events);
	recording_release(&r);
}

static void leave(void *unused)
{
	(void)unused;
	execlp("true", "true", NULL);
}

/* In the child it is the only thread. Its end must not end the parent's stream. */
static void *fork_and_end(void *unused)
{
	int status;
	pid_t child;

	MPI_Send(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	child = fork();
	if (child == 0) {
		pthread_key_t last; /* its destructor runs last at the thread's end */
		assert(pthread_key_create(&last, leave) == 0 && pthread_setspecific(last, &last) == 0);
		return unused;
	}
	assert(waitpid(child, &status, 0) == child && status == 0);
	for (int tag = 2; tag < 5; tag++)
		MPI_Send(buffer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
	return unused;
}

static void forks_in_a_thread(void)
{
	pthread_t other;
	int provided;

	fake->thread_level = MPI_THREAD_MULTIPLE;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	assert(pthread_create(&other, NULL, fork_and_end, NULL) == 0);
	pthread_join(other, NULL);
	MPI_Finalize();
}

static void a_thread_of_a_forked_child_ends_alone(void **state)
{
	struct event *events;
	struct recording r;
	size_t count;

	(void)state;
	record(forks_in_a_thread, &r);
	assert_int_equal(r.process->stream_count, 2);
	events = events_of(r.reader, &r.process->streams[1], &count);
	assert_int_equal(count, 4);
	free(events);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_between_chunks),
		cmocka_unit_test(a_chunk_reserves_what_the_last_one_used),
		cmocka_unit_test(a_full_disk_ends_the_recording_alone),
		cmocka_unit_test(a_forked_child_leaves_no_trace),
		cmocka_unit_test(each_thread_has_its_own_events),
		cmocka_unit_test(a_thread_may_outlive_the_recording),
		cmocka_unit_test(a_thread_of_a_forked_child_ends_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
