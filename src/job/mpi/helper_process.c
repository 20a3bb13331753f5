#include "job/mpi/helper_process.h"

#include "base/in_job.h"
#include "job/mpi/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool helper_find(const char *name, char *path)
{
	static const char *const places[] = {"../bin", "../../bin", "../libexec/tarry", "."};
	const char *slash;
	Dl_info own;

	if (!dladdr((const void *)(uintptr_t)helper_find, &own) || !(slash = strrchr(own.dli_fname, '/')))
		return false;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		int size = snprintf(path, PATH_MAX, "%.*s/%s/%s", (int)(slash - own.dli_fname), own.dli_fname,
		                    places[i], name);
		if (size < PATH_MAX && access(path, X_OK) == 0)
			return true;
	}
	return false;
}

/* The environment without LD_PRELOAD, so that the helper does not load the recorder. */
static char **clean_environment(void)
{
	size_t count = 0, kept = 0;
	char **clean;

	while (environ && environ[count])
		count++;
	clean = host_table(count + 1, sizeof *clean);
	for (size_t i = 0; clean && i < count; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
			clean[kept++] = environ[i];
	return clean;
}

static int spawn(pid_t *pid, char *const *arguments, char *const *environment, int socket)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int failure = posix_spawn_file_actions_init(&files);

	if (failure)
		return failure;
	failure = posix_spawnattr_init(&attributes);
	if (!failure) {
		/* This comes first, because in a program without standard streams the socket may have the number of one. */
		if (socket >= 0)
			posix_spawn_file_actions_adddup2(&files, socket, IN_JOB_SOCKET);
		posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
		posix_spawn_file_actions_adddup2(&files, 0, 1);
		posix_spawn_file_actions_adddup2(&files, 0, 2);
		sigemptyset(&signals);
		posix_spawnattr_setsigmask(&attributes, &signals);
		sigfillset(&signals);
		posix_spawnattr_setsigdefault(&attributes, &signals);
		posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		failure = posix_spawn(pid, arguments[0], &files, &attributes, arguments, environment);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return failure;
}

int helper_start(pid_t *pid, char *const *arguments, int socket)
{
	char **environment = clean_environment();
	int failure = environment ? spawn(pid, arguments, environment, socket) : ENOMEM;

	free(environment);
	return failure;
}

static bool another_child_ended(void)
{
	siginfo_t about = {0};

	return waitid(P_ALL, 0, &about, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 &&
	       about.si_pid;
}

/* Blocks SIGCHLD in this thread, and replaces its handler, because another thread may get the signal. */
void hold_child_signal(struct child_signal *held)
{
	struct sigaction none = {.sa_handler = SIG_DFL};
	sigset_t child, pending;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, &held->before);
	held->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGCHLD) == 1;
	held->had_ended = another_child_ended();
	held->has_handler = sigaction(SIGCHLD, NULL, &held->action) == 0 &&
	                    held->action.sa_handler != SIG_DFL && held->action.sa_handler != SIG_IGN;
	none.sa_flags = held->action.sa_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
	if (held->has_handler)
		sigaction(SIGCHLD, &none, NULL);
}

void release_child_signal(const struct child_signal *held)
{
	const struct timespec now = {0};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (sigtimedwait(&child, NULL, &now) == SIGCHLD)
		;
	if (held->has_handler)
		sigaction(SIGCHLD, &held->action, NULL);
	/* Sends the program the signal of its own child. One signal may stand for several children. */
	if (held->was_pending || (!held->had_ended && another_child_ended()))
		kill(getpid(), SIGCHLD);
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}
