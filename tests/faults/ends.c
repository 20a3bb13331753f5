/* All the ways in which a process can end, and processes that it may start. Two processes make the planted calls; then
 * one or both end as the first argument says.
 *
 * Planted calls: 100 sends with tag 3 by each process before the end, and 10 with tag 4 after it by each survivor. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;
static char **arguments;

static void send_some(int count, int tag)
{
	for (int i = 0; i < count; i++)
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
}

/* Files signal that something has happened: see watched.py of tests/mpi. */
static void wait_for_sign(const char *name)
{
	for (int i = 0; i < 3000 && access(name, F_OK) != 0; i++)
		usleep(10000);
}

/* Ends: process 1 does not return, process 0 waits for it forever. */

static void end_by_segv(void)
{
	*(volatile int *)(uintptr_t)(rank - 1) = 1;
}

static void end_by_fpe(void)
{
	raise(SIGFPE);
}

static void end_by_abort(void)
{
	abort();
}

static void end_by_mpi_abort(void)
{
	MPI_Abort(MPI_COMM_WORLD, 5);
}

static void end_by_kill(void)
{
	raise(SIGKILL);
}

static void end_by_exit(void)
{
	exit(6);
}

static void end_at_once(void)
{
	_exit(6);
}

static void end_by_exec(void)
{
	execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
}

static void just_wait(void)
{
	wait_for_sign("signs/enough");
}

/* Actions of both, after which they continue. */

static void wait_for(pid_t child)
{
	int status = 0;

	waitpid(child, &status, 0);
	printf("rank %d: child ended with %d\n", rank, status);
	fflush(stdout);
}

static void just_go_on(void)
{
}

/* Its exit handlers are those of the parent; ours must do nothing in it. */
static void fork_child_that_exits(void)
{
	pid_t child = fork();

	if (child == 0) {
		MPI_Initialized(&rank);
		exit(3);
	}
	wait_for(child);
}

static void *nothing(void *unused)
{
	return unused;
}

static void vfork_child(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
		_exit(1);
	}
	wait_for(child);
}

static void spawn_program(void)
{
	char *words[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 5"}, NULL}, *none[] = {NULL};
	pid_t child;

	if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0)
		wait_for(child);
	if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, none) == 0)
		wait_for(child);
}

/* Another MPI program, in its own world: without the launcher's variables it starts alone. */
static void run_mpi_program(void)
{
	pid_t child = fork();

	if (child == 0) {
		const char *keep[] = {"LD_PRELOAD", "TARRY_OUTPUT", "TARRY_RUN", "HOME", "PATH"};
		char *environment[16] = {NULL}, *words[] = {arguments[0], (char[]){"alone"}, NULL};
		int count = 0;

		for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
			if (getenv(keep[i]) &&
			    asprintf(&environment[count], "%s=%s", keep[i], getenv(keep[i])) > 0)
				count++;
		close(STDOUT_FILENO);
		open("/dev/null", O_WRONLY);
		execve(arguments[0], words, environment);
		_exit(1);
	}
	wait_for(child);
}

static void run_shells(void)
{
	char line[32] = "";
	FILE *pipe = popen("echo from a pipe", "r");
	int status = system("exit 7");

	if (pipe && fgets(line, sizeof line, pipe))
		printf("rank %d: %d %s", rank, status, line);
	if (pipe)
		pclose(pipe);
	fflush(stdout);
}

/* Programs like daemons close all files that they do not know, and get their numbers for others. */
static void close_all_files(void)
{
	char path[64];
	int last = -1;

	for (int fd = 400; fd < 1024; fd++)
		close(fd);
	snprintf(path, sizeof path, "own-%d", rank);
	for (int i = 0; i < 3; i++)
		last = fcntl(open(path, O_RDWR | O_CREAT, 0600), F_DUPFD, 500);
	for (int i = 0; i < 40000; i++)
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 100 + i, MPI_COMM_WORLD);
	printf("rank %d: %d bytes\n", rank, (int)lseek(last, 0, SEEK_END));
	fflush(stdout);
}

/* A thread that is cancelled in the middle of its calls leaves nothing locked. */
static void *send_for_ever(void *unused)
{
	for (int i = 0;; i++) {
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 100 + i % 10000, MPI_COMM_WORLD);
		pthread_testcancel();
	}
	return unused;
}

static void cancel_threads(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, send_for_ever, NULL);
		usleep(3000);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
}

static const struct {
	const char *name;
	void (*act)(void);
	int ends; /* process 1; 2: both; 0: none */
} kinds[] = {
	{"segv", end_by_segv, 1},
	{"fpe", end_by_fpe, 1},
	{"abort", end_by_abort, 1},
	{"mpi_abort", end_by_mpi_abort, 1},
	{"kill", end_by_kill, 1},
	{"kill_all", end_by_kill, 2},
	{"exit", end_by_exit, 1},
	{"exit_all", end_by_exit, 2},
	{"_exit_all", end_at_once, 2},
	{"exec", end_by_exec, 2},
	{"wait", just_wait, 2},
	{"return", just_go_on, 0},
	{"fork", fork_child_that_exits, 0},
	{"vfork", vfork_child, 0},
	{"spawn", spawn_program, 0},
	{"run_mpi", run_mpi_program, 0},
	{"shells", run_shells, 0},
	{"close_all", close_all_files, 0},
	{"cancel", cancel_threads, 0},
	{NULL, NULL, 0},
};

static void act(const char *kind)
{
	for (size_t i = 0; kinds[i].name; i++) {
		if (strcmp(kinds[i].name, kind) != 0)
			continue;
		/* Launchers lose unread output when a process dies. */
		wait_for_sign("signs/seen");
		if (kinds[i].ends != 1 || rank == 1)
			kinds[i].act();
		if (kinds[i].ends == 1 && rank == 0)
			sleep(30);
	}
}

int main(int argc, char **argv)
{
	pthread_t early;
	int level;

	arguments = argv;
	pthread_create(&early, NULL, nothing, NULL);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	send_some(100, 3);
	MPI_Barrier(MPI_COMM_WORLD);
	printf("rank %d: ready\n", rank);
	fflush(stdout);
	if (argc > 1)
		act(argv[1]);
	send_some(10, 4);
	pthread_join(early, NULL);
	if (argc > 1 && strcmp(argv[1], "return") == 0) {
		/* Launchers kill the others when the first returns in this way. */
		MPI_Barrier(MPI_COMM_WORLD);
		return 6;
	}
	MPI_Finalize();
	return 0;
}
