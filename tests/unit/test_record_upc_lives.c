/* UPC threads as processes of the trace: with MPI, several in one process, and after crashes. */
#define _GNU_SOURCE
#include "fake_upc.h"

#include "base/settings.h"

#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

/* UPC in a process with MPI. */
static void upc_and_mpi(void)
{
	recorder = tarry_upc_recorder(UPC_LINK_VERSION);
	assert(recorder);
	threads = 1;
	self = recorder->begin(&dialect);
	assert(self && !recorder->begin(&dialect));
	CALL(ALLOC, 1, (size_t)1);
	MPI_Init(NULL, NULL);
	START(ALLOC, 2, (size_t)1);
	MPI_Barrier(MPI_COMM_WORLD); /* like a runtime that uses MPI */
	END(ALLOC, 2, (size_t)1, &own);
	CALL(NOTIFY, 3, 0, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	CALL(WAIT, 3, 0, 0);
	MPI_Finalize();
	CALL(ALLOC, 4, (size_t)1);
	end();
}

static void is_one_trace_with_mpi(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(upc_and_mpi, &r);
	ASSERT_NAMES(&r, "upc_alloc", "MPI_Init", "upc_alloc", "upc_notify", "MPI_Barrier", "upc_wait",
	             "MPI_Finalize", "upc_alloc", "upc_exit");
	assert_string_equal(property(&r, "upc"), "berkeley");
	assert_string_equal(property(&r, "mpi"), "fake");
	recording_release(&r);
}

static void mpi_without_init(void)
{
	recorder = tarry_upc_recorder(UPC_LINK_VERSION);
	threads = 1;
	self = recorder->begin(&dialect);
	CALL(ALLOC, 1, (size_t)1);
	end();
	exit(0);
}

static void needs_no_mpi_to_know_itself(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(mpi_without_init, &r);
	ASSERT_NAMES(&r, "upc_alloc", "upc_exit");
	assert_int_equal(r.process->rank, 0);
	recording_release(&r);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

/* Runs a scenario with several processes in the trace, or with a bad end. */
static struct reader *run(void (*scenario)(void), int expected)
{
	char folder[] = "/tmp/tarry-unit-XXXXXX", output[64];
	struct reader *reader;
	int status;
	pid_t child;

	assert_non_null(mkdtemp(folder));
	snprintf(output, sizeof output, "%s/run.tarry", folder);
	child = fork();
	if (child == 0) {
		setenv(SETTING_OUTPUT, output, 1);
		unsetenv(SETTING_RUN);
		scenario();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, expected);
	assert_int_equal(reader_open(output, &reader), OK);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return reader;
}

enum { SHARING = 3, CROWD = 64 };
static pthread_barrier_t together;

static void *share_the_process(void *number)
{
	my_thread = (int)(intptr_t)number;
	self = recorder->begin(&dialect);
	assert(self);
	pthread_barrier_wait(&together);
	CALL(LOCK, 100, &own);
	if (my_thread == 1)
		tell_at(ALLOC, UPC_START, "other.upc", 101, (size_t)1), END(ALLOC, 101, (size_t)1, &own);
	end();
	return NULL;
}

static void share_among(int count)
{
	pthread_t made[CROWD];

	begin_of(count);
	pthread_barrier_init(&together, NULL, (unsigned)count);
	for (intptr_t i = 1; i < count; i++)
		assert(pthread_create(&made[i], NULL, share_the_process, (void *)i) == 0);
	pthread_barrier_wait(&together);
	CALL(LOCK, 100, &own);
	for (int i = 1; i < count; i++)
		pthread_join(made[i], NULL);
	end();
}

static void threads_that_share_a_process(void)
{
	share_among(SHARING);
}

static void crowd_in_a_process(void)
{
	share_among(CROWD);
}

static void has_memory_for_a_crowd(void **unused)
{
	struct reader *reader = run(crowd_in_a_process, 0);

	(void)unused;
	assert_int_equal(reader->process_count, CROWD);
	for (uint32_t i = 0; i < CROWD; i++)
		assert_int_equal(reader->processes[i].stream_count, 1);
	reader_close(reader);
}

static void makes_a_process_of_each_thread(void **unused)
{
	struct reader *reader = run(threads_that_share_a_process, 0);
	int64_t mutex = 0;

	(void)unused;
	assert_int_equal(reader->damage_count, 0);
	assert_int_equal(reader->process_count, SHARING);
	for (uint32_t i = 0; i < SHARING; i++) {
		struct process *process = &reader->processes[i];
		size_t count;
		struct event *events;

		assert_int_equal(process->rank, i);
		assert_int_equal(process->size, SHARING);
		assert_int_equal(process->stream_count, 1);
		assert_int_equal(process->comms[0].rank, i);
		assert_non_null(process_property(process, "pid"));
		assert_string_equal(process_property(process, "pid"),
		                    process_property(&reader->processes[0], "pid"));
		assert_int_equal(process->clock_count, 2);
		events = events_of(reader, &process->streams[0], &count);
		assert_int_equal(count, i == 1 ? 4 : 3);
		assert_true(!i || field(events[1].call, FIELD_MUTEX) == mutex);
		mutex = field(events[1].call, FIELD_MUTEX);
		assert_int_equal(events[1].call->outline->offset, 100);
		free(events);
	}
	reader_close(reader);
}

static void killed_in_the_middle(void)
{
	begin();
	for (int i = 0; i < 1000; i++)
		CALL(MEMPUT, 110, &own, (void *)NULL, (size_t)1);
	START(WAIT, 111, 0, 0);
	kill(getpid(), SIGKILL);
}

static void survives_the_process(void **unused)
{
	struct reader *reader = run(killed_in_the_middle, SIGKILL);
	size_t count;

	(void)unused;
	assert_int_equal(reader->process_count, 1);
	free(events_of(reader, &reader->processes[0].streams[0], &count));
	assert_int_equal(count, 1001);
	reader_close(reader);
}

static void strangers(void)
{
	struct upc_dialect old = dialect;

	assert(!open_door(UPC_LINK_VERSION + 1));
	recorder = open_door(UPC_LINK_VERSION);
	old.version = 0;
	assert(!recorder->begin(&old));
	threads = 1;
	my_thread = 5;
	assert(!recorder->begin(&dialect));
	my_thread = 0;
	begin();
	end();
	CALL(ALLOC, 1, (size_t)1); /* after its end */
}

static void refuses_what_it_does_not_know(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(strangers, &r);
	ASSERT_NAMES(&r, "upc_exit");
	recording_release(&r);
}

static void ends_the_job(void)
{
	begin();
	tell_at(GLOBAL_EXIT, UPC_ATOMIC, "a.upc", 120, 3);
	_exit(0);
}

static void finishes_with_the_job(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(ends_the_job, &r);
	ASSERT_NAMES(&r, "upc_global_exit");
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_one_trace_with_mpi),
		cmocka_unit_test(needs_no_mpi_to_know_itself),
		cmocka_unit_test(makes_a_process_of_each_thread),
		cmocka_unit_test(has_memory_for_a_crowd),
		cmocka_unit_test(survives_the_process),
		cmocka_unit_test(refuses_what_it_does_not_know),
		cmocka_unit_test(finishes_with_the_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
