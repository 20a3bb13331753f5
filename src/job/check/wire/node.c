#include "job/check/wire/node.h"

#include "base/files.h"
#include "base/settings.h"
#include "check/protocol/address.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
	int fd = open_uncounted(agent_folder(), "key", O_RDONLY | O_CLOEXEC, 0);
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

static bool start_analyser(void)
{
	char path[PATH_MAX];
	char *arguments[] = {path, (char *)(uintptr_t)checked.folder, checked.host, NULL};
	struct child_signal held;
	int status = 0, failure;
	pid_t pid;

	if (!helper_find(ANALYSER_PROGRAM, path)) {
		agent_note("nothing is checked: '" ANALYSER_PROGRAM "' is missing; install Tarry again");
		return false;
	}
	hold_child_signal(&held);
	failure = helper_start(&pid, arguments, -1);
	if (failure)
		agent_note("nothing is checked: '%s' cannot be started: %s", path, strerror(failure));
	else
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	release_child_signal(&held);
	return !failure && status == 0;
}

static void wait_a_little(void)
{
	const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000};

	nanosleep(&moment, NULL);
}

enum node_claim { NODE_OURS, NODE_OTHERS, NODE_REFUSED };

/* Tries to claim the node. If it succeeds, this process must start the analyser. */
static enum node_claim claim_node(const char *name)
{
	int fd = open_uncounted(agent_folder(), name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0) {
		close(fd);
		return NODE_OURS;
	}
	if (errno == EEXIST)
		return NODE_OTHERS;
	agent_note("nothing is checked: '%s' cannot be written: %s", checked.folder, strerror(errno));
	return NODE_REFUSED;
}

/* False: there are no addresses until the analyser listens. */
static bool read_addresses(const char *name, char *text, size_t room)
{
	read_small_file(agent_folder(), name, text, room);
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
		refused++; /* the analyser may just have ended, with the previous job */
		wait_a_little();
	}
	agent_note("a process is not checked: the analyser of node '%s' does not answer", checked.host);
	return -1;
}
