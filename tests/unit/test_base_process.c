/* State and parent of processes whose names try to look like both. */
#define _GNU_SOURCE
#include "base/job_identity.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	                     'Z'); /* R, but 0 under qemu, which invents a process's data about itself */
	assert_int_equal(status.parent, getppid());
	assert_false(read_process_status(0, &status));
}

/* A requeued job has the numbers that it had before. Of other launchers, not all processes may know that it was requeued. */
static void test_identity(void **state)
{
	static const struct {
		const char *pmix, *restarts, *identity;
	} cases[] = {
		{NULL, NULL, "slurm 12.0"},
		{NULL, "1", "slurm 12.0 restart 1"},
		{"slurm.pmix.12.0", NULL, "pmix slurm.pmix.12.0"},
		{"slurm.pmix.12.0", "2", "pmix slurm.pmix.12.0 restart 2"},
		{"prterun-node-7@1", "2", "pmix prterun-node-7@1"},
	};
	char text[JOB_IDENTITY_MAX];

	(void)state;
	unsetenv("PMI_FD");
	unsetenv("PMI_PORT");
	setenv("SLURM_JOB_ID", "12", 1);
	setenv("SLURM_STEP_ID", "0", 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsetenv("PMIX_NAMESPACE");
		unsetenv("SLURM_RESTART_COUNT");
		if (cases[i].pmix)
			setenv("PMIX_NAMESPACE", cases[i].pmix, 1);
		if (cases[i].restarts)
			setenv("SLURM_RESTART_COUNT", cases[i].restarts, 1);
		assert_int_equal(job_identity(text), strlen(cases[i].identity));
		assert_string_equal(text, cases[i].identity);
	}
}

/* Under a shell with the command line of Hydra's proxy, this program prints its identity. */
static void test_hydra(void **state)
{
	static const struct {
		const char *environment, *words, *identity;
	} cases[] = {
		{"PMI_FD=9 PMI_SIZE=2", "--control-port node:4711", "hydra node:4711 0"},
		{"PMI_FD=9 PMI_SIZE=2 PMI_SPAWNED=1", "--control-port node:4711 --pgid 1",
	         "hydra node:4711 1"},
		{"PMI_FD=9 PMI_SIZE=2 PMI_SPAWNED=1", "--control-port node:4711 --pgid 0",
	         "hydra node:4711 spawned 2"},
	};
	char self[256] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	unsetenv("PMIX_NAMESPACE");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char command[512], text[JOB_IDENTITY_MAX] = "";

		snprintf(command, sizeof command, "%s sh -c '\"$0\" identity; true' '%s' %s",
		         cases[i].environment, self, cases[i].words);
		FILE *printed = popen(command, "r");

		assert_non_null(printed);
		assert_non_null(fgets(text, sizeof text, printed));
		pclose(printed);
		text[strcspn(text, "\n")] = '\0';
		assert_string_equal(text, cases[i].identity);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name), cmocka_unit_test(test_this_process),
		cmocka_unit_test(test_identity), cmocka_unit_test(test_hydra)};
	char text[JOB_IDENTITY_MAX];

	if (argc == 2 && strcmp(argv[1], "identity") == 0)
		return job_identity(text) ? puts(text) == EOF : 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
