#include "client_job.h"

#include "base/files.h"
#include "check/protocol/address.h"
#include "check/protocol/handshake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONNECT_MS = 60000 };

struct client_job job;
struct check_place job_stack[1] = {{"/opt/program/bin/application", "0123456789abcdef", 0x1234, 0}};

_Noreturn void die(const char *what)
{
	fprintf(stderr, "bench-check: %s: %s\n", what, strerror(errno));
	exit(2);
}

double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Folder and analyser */

static void write_file(const char *name, const void *bytes, size_t size)
{
	char path[256];
	int file;

	snprintf(path, sizeof path, "%s/%s", job.folder, name);
	file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0 || !write_fully(file, bytes, size))
		die(path);
	close(file);
}

static void raise_file_limit(void)
{
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* The first node's analyser first: it becomes the leader. */
static void start_node(const char *program, uint32_t node)
{
	char name[64], path[256], *addresses = job.addresses[node];
	ssize_t length;
	int file, status = 1;
	pid_t child;

	snprintf(name, sizeof name, "node-%u", node);
	write_file(name, "", 0);
	child = fork();
	if (child == 0) {
		execl(program, program, job.folder, name + strlen("node-"), (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		die(program);
	snprintf(path, sizeof path, "%s/%s", job.folder, name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	length = file < 0 ? -1 : read(file, addresses, sizeof job.addresses[node] - 1);
	if (length <= 0)
		die(path);
	addresses[length - 1] = '\0';
	close(file);
}

void job_start(const char *program, uint32_t nodes)
{
	signal(SIGPIPE, SIG_IGN);
	raise_file_limit();
	snprintf(job.folder, sizeof job.folder, "/tmp/tarry-clients-XXXXXX");
	if (!mkdtemp(job.folder) || getrandom(job.key, sizeof job.key, 0) != sizeof job.key)
		die(job.folder);
	write_file("key", job.key, sizeof job.key);
	for (job.nodes = 0; job.nodes < nodes && job.nodes < NODES_MAX; job.nodes++)
		start_node(program, job.nodes);
}

/* Connections */

void send_bytes(int fd, const void *bytes, size_t size)
{
	if (!write_fully(fd, bytes, size))
		die("an analyser closed a connection");
}

uint8_t *read_frame(int fd, enum message_kind *kind, size_t *size)
{
	uint8_t head[FRAME_HEADER_BYTES], *body;
	uint32_t length;

	for (size_t got = 0; got < sizeof head;) {
		ssize_t more = read(fd, head + got, sizeof head - got);
		if (more <= 0)
			die("an analyser closed a connection");
		got += (size_t)more;
	}
	memcpy(&length, head, sizeof length);
	body = malloc(length);
	*size = length - 1;
	for (size_t got = 0; got < *size;) {
		ssize_t more = read(fd, body + got, *size - got);
		if (more <= 0)
			die("an analyser closed a connection");
		got += (size_t)more;
	}
	*kind = head[sizeof length];
	return body;
}

static uint8_t *read_expected(int fd, enum message_kind expected, size_t *size)
{
	enum message_kind kind;
	uint8_t *body = read_frame(fd, &kind, size);

	if (kind != expected)
		die("an analyser said something unexpected");
	return body;
}

/* Adds the proof of this side to `out`. */
static void shake_hands(int fd, struct message_writer *out)
{
	struct message_writer challenge = {0};
	struct handshake handshake;
	struct cursor in = {0};
	uint8_t *response;
	size_t size;

	if (!handshake_begin(&handshake, &challenge))
		die("no random numbers");
	send_bytes(fd, challenge.bytes, challenge.size);
	response = read_expected(fd, MESSAGE_RESPONSE, &size);
	in.at = response;
	in.end = response + size;
	if (!handshake_prove(&handshake, job.key, &in, out))
		die("an analyser does not know the key");
	writer_release(&challenge);
	free(response);
}

int job_connect(uint32_t rank)
{
	char host[16];
	struct check_hello hello = {.role = HELLO_AGENT,
	                            .world = 1,
	                            .rank = rank,
	                            .size = job.size,
	                            .pid = (uint32_t)getpid(),
	                            .host = host,
	                            .address = ""};
	struct message_writer body = {0}, frame = {0};
	int fd = address_connect(job.addresses[rank % job.nodes], CONNECT_MS);

	snprintf(host, sizeof host, "%u", rank % job.nodes);

	if (fd < 0)
		die("cannot connect");
	shake_hands(fd, &frame);
	hello_put(&body, &hello);
	frame_put(&frame, MESSAGE_HELLO, &body);
	send_bytes(fd, frame.bytes, frame.size);
	writer_release(&body);
	writer_release(&frame);
	return fd;
}

void job_tell(int fd, enum message_kind kind, struct message_writer *body)
{
	struct message_writer frame = {0};

	frame_put(&frame, kind, body);
	if (frame.failed)
		die("no memory");
	send_bytes(fd, frame.bytes, frame.size);
	writer_release(&frame);
	writer_release(body);
}

/* Logs */

void job_each_log(void (*look)(int file, long pid, void *owner), void *owner)
{
	DIR *folder = opendir(job.folder);
	char path[512];

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		int file;
		if (strncmp(entry->d_name, "analyser-", 9) != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", job.folder, entry->d_name);
		file = open(path, O_RDONLY | O_CLOEXEC);
		look(file, strtol(strrchr(entry->d_name, '-') + 1, NULL, 10), owner);
		close(file);
	}
	if (folder)
		closedir(folder);
}

static void look_at_lock(int file, long pid, void *owner)
{
	(void)pid;
	*(bool *)owner |= flock(file, LOCK_SH | LOCK_NB) != 0;
}

bool job_is_analysed(void)
{
	bool is_locked = false;

	job_each_log(look_at_lock, &is_locked);
	return is_locked;
}

struct check_finding *log_finding(int file)
{
	struct check_finding *finding = NULL;
	uint8_t head[FRAME_HEADER_BYTES];

	while (!finding && read(file, head, sizeof head) == sizeof head) {
		uint32_t length;
		uint8_t *body;
		struct cursor in;
		memcpy(&length, head, sizeof length);
		body = malloc(length);
		if (read(file, body, length - 1) != (ssize_t)length - 1)
			die("a log is cut off");
		in = (struct cursor){.at = body, .end = body + length - 1};
		finding = head[sizeof length] == MESSAGE_FINDING ? finding_take(&in) : NULL;
		free(body);
	}
	return finding;
}

void job_remove(void)
{
	DIR *folder = opendir(job.folder);

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(job.folder);
}
