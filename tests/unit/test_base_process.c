/* State and parent of processes whose names try to look like both. */
#define _GNU_SOURCE
#include "base/job_identity.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A child that sleeps under this name. */
static pid_t start(const char *name)
{
	char ready = 0;
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
		if (write(ends[1], &ready, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], &ready, 1), 1);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static void test_name(void **state)
{
	static const char *const names[] = {"plain",   "two words", ")",       ") Z 1 (", "((()))) R 7",
	                                    "a\nb) Z", "(",         ") Z 1 2", "",        "% %n) T 1"};
	struct process_status status;
	siginfo_t ended;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		pid_t pid = start(names[i]);
		assert_true(read_process_status(pid, &status));
		assert_true(status.state == 'S' || status.state == 'R');
		assert_int_equal(status.parent, getpid());

		kill(pid, SIGKILL);
		assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
		assert_true(read_process_status(pid, &status));
		assert_int_equal(status.state, 'Z');
		assert_int_equal(status.parent, getpid());

		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_false(read_process_status(pid, &status));
	}
}

static void test_this_process(void **state)
{
	struct process_status status;

	(void)state;
	assert_true(read_process_status(getpid(), &status));
	assert_int_not_equal(status.state,
	                     'Z'); /* R, but 0 under qemu, which makes up what a process reads of itself */
	assert_int_equal(status.parent, getppid());
	assert_false(read_process_status(0, &status));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(test_name),
	                                          cmocka_unit_test(test_this_process)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
