/* The time that a thread waits for a processor. */
#define _GNU_SOURCE
#include "scenario.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { STEALING_MS = 60, HIGH_NUMBER = 512 };

static void spin(int ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

/* Another process always uses the same core. */
static void spin_among_two(void)
{
	cpu_set_t one;
	pid_t other;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	assert(sched_setaffinity(0, sizeof one, &one) == 0);
	other = fork();
	if (!other)
		for (;;)
			;
	spin(STEALING_MS);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

static void two_on_one_core(void)
{
	MPI_Init(NULL, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	spin_among_two();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
}

static void needs_the_kernels_count(void)
{
	char line[80] = "";
	int file = open("/proc/thread-self/schedstat", O_RDONLY);
	unsigned long long ran, waited;

	if (file < 0 || read(file, line, sizeof line - 1) <= 0 ||
	    sscanf(line, "%llu %llu", &ran, &waited) != 2)
		skip();
	close(file);
}

static void a_scheduling_delay_is_recorded_with_the_call_after_it(void **state)
{
	struct recording r;

	(void)state;
	needs_the_kernels_count();
	record(two_on_one_core, &r);
	assert_int_equal(r.count, 5);
	assert_true(r.events[2].delay_before > 0);
	assert_int_equal(r.events[2].delay_inside, 0);
	assert_non_null(process_property(r.process, "scheduling_delay"));
	recording_release(&r);
}

/* The two values differ, because the kernel's clock ticks while two processes spin. */
static void what_the_host_took_is_told_beside_all_time(void **state)
{
	unsigned long long steal, total;
	struct recording r;
	const char *text;

	(void)state;
	if (access("/proc/stat", R_OK) != 0)
		skip();
	record(two_on_one_core, &r);
	text = process_property(r.process, "steal");
	assert_non_null(text);
	assert_int_equal(sscanf(text, "%llu/%llu", &steal, &total), 2);
	assert_true(total > 0 && steal <= total);
	recording_release(&r);
}

/* The program uses the file number for its own file. */
static void with_our_file_taken(void)
{
	char zeros[100] = "no count at all";
	int mine;

	MPI_Init(NULL, NULL);
	mine = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	assert(mine >= 0 && write(mine, zeros, sizeof zeros) == sizeof zeros);
	for (int i = 0; i < 8; i++)
		assert(dup2(mine, HIGH_NUMBER + i) >= 0);
	MPI_Barrier(MPI_COMM_WORLD);
	spin_among_two();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	for (int i = 0; i < 8; i++)
		assert(lseek(HIGH_NUMBER + i, 0, SEEK_CUR) == sizeof zeros);
}

static void with_few_files(void)
{
	struct rlimit few;

	getrlimit(RLIMIT_NOFILE, &few);
	few.rlim_cur = 64;
	assert(setrlimit(RLIMIT_NOFILE, &few) == 0);
	two_on_one_core();
}

static void a_program_that_takes_the_files_number_keeps_it(void **state)
{
	struct recording r;

	(void)state;
	record(with_our_file_taken, &r);
	assert_int_equal(r.count, 4);
	assert_int_equal(r.events[2].delay_before, 0);
	recording_release(&r);
}

static void without_room_for_the_file_calls_are_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(with_few_files, &r);
	assert_int_equal(r.count, 5);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scheduling_delay_is_recorded_with_the_call_after_it),
		cmocka_unit_test(what_the_host_took_is_told_beside_all_time),
		cmocka_unit_test(a_program_that_takes_the_files_number_keeps_it),
		cmocka_unit_test(without_room_for_the_file_calls_are_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
