#include "job/check/wire/node.h"

#include "base/settings.h"
#include "check/protocol/address.h"
#include "job/check/wire/process_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, WAIT_MS = 10000, CONNECT_MS = 5000, REFUSED_MAX = 3 };

static bool read_key(void)
{
	int fd = openat(agent_folder(), "key", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, checked.key, sizeof checked.key);

	if (fd >= 0)
		close(fd);
	return size == sizeof checked.key;
}

bool node_settings(void)
{
	const char *folder = setting_get(SETTING_CHECK);

	if (!folder || !*folder || !(checked.folder = strdup(folder)))
		return false;
	if (agent_folder() < 0)
		return false;
	if (!read_key()) {
		agent_note("nothing is checked: '%s/key' cannot be read", folder);
		return false;
	}
	if (gethostname(checked.host, sizeof checked.host - 1) != 0)
		snprintf(checked.host, sizeof checked.host, "localhost");
	return true;
}

/* Where it is installed, or built: beside the libraries' folder. */
static bool find_program(char *path)
{
	static const char *const places[] = {"../bin", "../../bin", "../libexec/tarry", "."};
	const char *slash;
	Dl_info own;

	if (!dladdr((const void *)(uintptr_t)find_program, &own) || !(slash = strrchr(own.dli_fname, '/')))
		return false;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		int size = snprintf(path, PATH_MAX, "%.*s/%s/tarry-analyser", (int)(slash - own.dli_fname),
		                    own.dli_fname, places[i]);
		if (size < PATH_MAX && access(path, X_OK) == 0)
			return true;
	}
	return false;
}

/* The environment without what would load us into the analyser. */
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

static int spawn(pid_t *pid, char *const *arguments, char *const *environment)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int failure = posix_spawn_file_actions_init(&files);

	if (failure)
		return failure;
	failure = posix_spawnattr_init(&attributes);
	if (!failure) {
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

/* The program's handler must not see the end of our child. */
struct child_signal {
	sigset_t before;
	bool was_pending;
};

static void hold_child_signal(struct child_signal *held)
{
	sigset_t child, pending;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, &held->before);
	held->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGCHLD) == 1;
}

static bool another_child_ended(void)
{
	siginfo_t about = {0};

	return waitid(P_ALL, 0, &about, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 &&
	       about.si_pid;
}

static void release_child_signal(const struct child_signal *held)
{
	const struct timespec now = {0};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	/* One signal may stand for several children. */
	if (!held->was_pending && sigtimedwait(&child, NULL, &now) == SIGCHLD && another_child_ended())
		kill(getpid(), SIGCHLD);
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

static bool start_analyser(void)
{
	char path[PATH_MAX];
	char *arguments[] = {path, (char *)(uintptr_t)checked.folder, checked.host, NULL};
	struct child_signal held;
	char **environment;
	int status = 0, failure;
	pid_t pid;

	if (!find_program(path)) {
		agent_note("nothing is checked: 'tarry-analyser' is missing; install Tarry again");
		return false;
	}
	if (!(environment = clean_environment()))
		return false;
	hold_child_signal(&held);
	failure = spawn(&pid, arguments, environment);
	if (failure)
		agent_note("nothing is checked: '%s' cannot be started: %s", path, strerror(failure));
	else
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	release_child_signal(&held);
	free(environment);
	return !failure && status == 0;
}

static void wait_a_little(void)
{
	const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000};

	nanosleep(&moment, NULL);
}

enum node_claim { NODE_OURS, NODE_OTHERS, NODE_REFUSED };

/* If it is ours, this process has to start the analyser. */
static enum node_claim claim_node(const char *name)
{
	int fd = openat(agent_folder(), name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0) {
		close(fd);
		return NODE_OURS;
	}
	if (errno == EEXIST)
		return NODE_OTHERS;
	agent_note("nothing is checked: '%s' cannot be written: %s", checked.folder, strerror(errno));
	return NODE_REFUSED;
}

/* Empty until the analyser listens. */
static bool read_addresses(const char *name, char *text, size_t room)
{
	int fd = openat(agent_folder(), name, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return *text;
}

int node_connect(char *addresses, size_t room)
{
	char name[sizeof checked.host + 8];
	int refused = 0;

	snprintf(name, sizeof name, CHECK_NODE_PREFIX "%s", checked.host);
	for (int waited_ms = 0; waited_ms < WAIT_MS && refused < REFUSED_MAX; waited_ms += LOOK_MS) {
		const enum node_claim claim = claim_node(name);
		int fd;

		if (claim == NODE_REFUSED)
			return -1;
		if (claim == NODE_OURS && !start_analyser()) {
			unlinkat(agent_folder(), name, 0);
			return -1;
		}
		if (!read_addresses(name, addresses, room)) {
			wait_a_little();
			continue;
		}
		fd = address_connect(addresses, CONNECT_MS);
		if (fd >= 0)
			return fd;
		refused++; /* its analyser may just have ended with the job before */
		wait_a_little();
	}
	agent_note("a process is not checked: the analyser of node '%s' does not answer", checked.host);
	return -1;
}
