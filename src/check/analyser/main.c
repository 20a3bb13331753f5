/* tarry-analyser FOLDER HOST: see docs/check-protocol.md. */
#include "base/files.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "check/analyser/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOKS = 100, LOOK_US = 100000 };

static const char leader_file[] = CHECK_LEADER_FILE;

/* Inherit nothing from the process that started the analyser: no files, terminal, folder or signals. */
static void leave(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTTIN, SIGTTOU, SIGXFSZ};
	/* Limits that the program may have reduced for itself. */
	static const int limits[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU};
	struct rlimit limit;
	sigset_t none;
	int nothing;

	setsid();
	umask(077);
	if (chdir("/") != 0)
		errno = 0;
	nothing = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && nothing >= 0; fd++)
		dup2(nothing, fd);
	if (nothing > 2)
		close(nothing);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_IGN);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (getrlimit(limits[i], &limit) == 0) {
			limit.rlim_cur = limit.rlim_max;
			setrlimit(limits[i], &limit);
		}
}

static void close_inherited(void)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0)
		return;
#endif
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
}

static void out_of_memory(size_t wanted)
{
	(void)wanted;
	server_note("an analyser ended: out of memory");
	_exit(1);
}

/* The addresses appear at once, and whole. */
static bool write_addresses(const char *name)
{
	char draft[512], line[sizeof server.addresses + 1];
	int length = snprintf(line, sizeof line, "%s\n", server.addresses);
	int file;
	bool written;

	snprintf(draft, sizeof draft, DRAFT_PREFIX "-%s-%ld", server.host, (long)getpid());
	file = private_file_replace(server.folder, draft, 0600);
	if (file < 0)
		return false;
	written = write_fully(file, line, (size_t)length);
	close(file);
	return written && renameat(server.folder, draft, server.folder, name) == 0;
}

static bool read_addresses(const char *name, char *line, size_t size)
{
	int file = private_file_open(server.folder, name, O_RDONLY);
	ssize_t length = file < 0 ? -1 : pread(file, line, size - 1, 0);

	if (file >= 0)
		close(file);
	line[length > 0 ? length : 0] = '\0';
	return length > 0 && line[strcspn(line, "\n")] == '\n' && (line[strcspn(line, "\n")] = '\0', true);
}

static bool connect_to_leader(void)
{
	char line[sizeof server.addresses + 1];

	for (int look = 0; look < LOOKS && !read_addresses(leader_file, line, sizeof line); look++)
		usleep(LOOK_US);
	server.leader_addresses = memory_copy_text(line);
	return tree_join(line);
}

/* The first analyser creates the file. If no analyser answers at its address, it was left by a job that was
 * killed. */
static bool join(void)
{
	int file = private_file_create(server.folder, leader_file, 0600);

	if (file >= 0)
		close(file);
	else if (connect_to_leader())
		return true;
	server.leader = leader_new();
	verdicts_begin();
	return write_addresses(leader_file);
}

static bool start(void)
{
	char name[512];

	if (!server_listen())
		return false;
	snprintf(name, sizeof name, "analyser-%s-%ld.log", server.host, (long)getpid());
	server.log = findings_log_open(server.folder, name, server_note);
	if (!server.log)
		return false;
	server.analysis = analysis_new(server.log);
	if (!join())
		return false;
	parts_begin();
	snprintf(name, sizeof name, CHECK_NODE_PREFIX "%s", server.host);
	return write_addresses(name);
}

static void remove_files(void)
{
	char name[512];

	snprintf(name, sizeof name, CHECK_NODE_PREFIX "%s", server.host);
	unlinkat(server.folder, name, 0);
	if (server.leader)
		unlinkat(server.folder, leader_file, 0);
}

static int analyse(int ready)
{
	char sentence[256];

	if (!start()) {
		snprintf(sentence, sizeof sentence, "an analyser could not be started: %s", strerror(errno));
		server_note(sentence);
		remove_files();
		return 1;
	}
	if (write(ready, "", 1) != 1)
		errno = 0;
	close(ready);
	server_run();
	remove_files();
	if (server.leader) {
		deadlocks_end(server.deadlocks);
		analysis_end(server.analysis, &server.ends);
	}
	server_correct_ends();
	findings_log_end(server.log);
	return 0;
}

int main(int argc, char **argv)
{
	int ready[2], key;
	char byte;

	if (argc != 3 || strchr(argv[2], '/')) {
		fputs("usage: tarry-analyser FOLDER HOST\nStarted by `tarry check`; see docs/check-protocol.md.\n",
		      stderr);
		return 2;
	}
	close_inherited();
	memory_on_exhaustion(out_of_memory);
	memory_map_large();
	server.folder_path = argv[1];
	server.host = argv[2];
	server.folder = private_folder_open(argv[1]);
	key = server.folder < 0 ? -1 : private_file_open(server.folder, "key", O_RDONLY);
	if (key < 0 || !pread_fully(key, server.key, sizeof server.key, 0)) {
		fprintf(stderr, "tarry-analyser: '%s' is not the folder of a run: %s\n", argv[1],
		        strerror(errno));
		return 1;
	}
	close(key);
	if (pipe2(ready, O_CLOEXEC) != 0)
		return 1;
	switch (fork()) {
	case -1:
		return 1;
	case 0:
		leave();
		return analyse(ready[1]);
	default:
		close(ready[1]);
		return read(ready[0], &byte, 1) == 1 ? 0 : 1;
	}
}
