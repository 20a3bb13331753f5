/* Processes without a program: agents of a job that exchange with their neighbours in a ring (MPI_Isend, MPI_Irecv, MPI_Waitall) and reduce over
 * all every tenth step, as fast as analysers take it; the first one is sent their courses. One message in all has the wrong type: that has to be found, and nothing else.
 *
 *	bench-check-clients ANALYSER PROCESSES STEPS ANALYSERS
 *
 * Prints what it measured as JSON. Exit code 1: something else was found, or nothing. */
#include "base/files.h"
#include "base/hash.h"
#include "calls/ids.h"
#include "check/checks/checks.h"
#include "check/protocol/address.h"
#include "check/protocol/handshake.h"
#include "check/protocol/messages.h"
#include "check/protocol/routing.h"
#include "check/signature/signature.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, STEPS_IN_BATCH = 100, CONNECT_MS = 60000, LINKS = 4, REDUCE_EVERY = 10 };
enum { TYPE_INT = 1, TYPE_DOUBLE = 2, WORLD_COMM = 4711 };
enum {
	CALL_SEND_UP = 1,
	CALL_RECEIVE_UP,
	CALL_SEND_DOWN,
	CALL_RECEIVE_DOWN,
	CALL_REDUCE,
	CALL_WAIT,
	CALL_SEND_WRONG,
	CALL_RECEIVE_WRONG,
	CALLS_END
};

struct client_link {
	uint32_t analyser;
	int fd;
	struct message_writer batch; /* of EVENTS */
};

struct client {
	uint32_t rank;
	int home;
	uint32_t link_count;
	struct client_link links[LINKS];
};

static struct {
	char folder[64], host[64], addresses[1024];
	uint8_t key[CHECK_KEY_BYTES];
	uint32_t size, analysers;
	uint64_t rounds;
	struct client *clients;
	char **plan;
	uint32_t plan_count;
	pthread_barrier_t step;
	uint64_t bytes[THREADS], frames[THREADS];
} job;

static void die(const char *what)
{
	fprintf(stderr, "bench-check-clients: %s: %s\n", what, strerror(errno));
	exit(2);
}

static double seconds(void)
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

static void start_analyser(const char *program)
{
	char path[256], number[16];
	ssize_t length;
	int file, status = 1;
	pid_t child;

	snprintf(job.folder, sizeof job.folder, "/tmp/tarry-clients-XXXXXX");
	snprintf(job.host, sizeof job.host, "here");
	if (!mkdtemp(job.folder) || getrandom(job.key, sizeof job.key, 0) != sizeof job.key)
		die(job.folder);
	write_file("key", job.key, sizeof job.key);
	write_file("node-here", "", 0);
	snprintf(number, sizeof number, "%u", job.analysers);
	setenv("TARRY_ANALYSERS", number, 1);
	child = fork();
	if (child == 0) {
		execl(program, program, job.folder, job.host, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		die(program);
	snprintf(path, sizeof path, "%s/node-here", job.folder);
	file = open(path, O_RDONLY | O_CLOEXEC);
	length = file < 0 ? -1 : read(file, job.addresses, sizeof job.addresses - 1);
	if (length <= 0)
		die(path);
	job.addresses[length - 1] = '\0';
	close(file);
}

/* Connections */

static void send_bytes(int fd, const void *bytes, size_t size)
{
	if (!write_fully(fd, bytes, size))
		die("an analyser closed a connection");
}

static uint8_t *read_frame(int fd, uint8_t kind, size_t *size)
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
	if (head[sizeof length] != kind)
		die("an analyser said something unexpected");
	return body;
}

/* Puts this side's proof into `out`. */
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
	response = read_frame(fd, MESSAGE_RESPONSE, &size);
	in.at = response;
	in.end = response + size;
	if (!handshake_prove(&handshake, job.key, &in, out))
		die("an analyser does not know the key");
	writer_release(&challenge);
	free(response);
}

static int connect_client(const struct client *client, const char *addresses)
{
	struct check_hello hello = {.role = HELLO_AGENT,
	                            .world = 1,
	                            .rank = client->rank,
	                            .size = job.size,
	                            .pid = (uint32_t)getpid(),
	                            .host = job.host,
	                            .address = ""};
	struct message_writer body = {0}, frame = {0};
	int fd = address_connect(addresses, CONNECT_MS);

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

static void read_plan(const struct client *client)
{
	size_t size;
	uint8_t *plan = read_frame(client->home, MESSAGE_PLAN, &size);
	struct cursor in = {.at = plan, .end = plan + size};

	if (!job.plan && !plan_take(&in, &job.plan, &job.plan_count))
		die("the plan is damaged");
	free(plan);
}

static struct client_link *link_get(struct client *client, uint32_t analyser)
{
	struct client_link *link = client->links;

	for (uint32_t i = 0; i < client->link_count; i++, link++)
		if (link->analyser == analyser)
			return link;
	client->link_count++;
	*link = (struct client_link){.analyser = analyser, .fd = client->home};
	if (strcmp(job.plan[analyser], job.addresses) != 0)
		link->fd = connect_client(client, job.plan[analyser]);
	return link;
}

/* What a client tells */

static void tell(struct client_link *link, enum message_kind kind, struct message_writer *body)
{
	struct message_writer frame = {0};

	frame_put(&frame, kind, body);
	if (frame.failed)
		die("no memory");
	send_bytes(link->fd, frame.bytes, frame.size);
	writer_release(&frame);
	writer_release(body);
}

static void tell_basics(const struct client *client, struct client_link *link)
{
	struct checked_comm comm = {
		.identity = WORLD_COMM, .rank = client->rank, .size = job.size, .name = "MPI_COMM_WORLD"};
	struct checked_type integer = {.number = TYPE_INT, .basic = BASIC_INT, .bytes = 4};
	struct checked_type real = {.number = TYPE_DOUBLE, .basic = BASIC_DOUBLE, .bytes = 8};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	tell(link, MESSAGE_COMM, &body);
	type_put(&body, &integer);
	tell(link, MESSAGE_TYPE, &body);
	type_put(&body, &real);
	tell(link, MESSAGE_TYPE, &body);
}

/* What the calls do, by their numbers. */
static const struct client_call {
	uint32_t function;
	enum check_operation operation;
	int32_t tag;
	bool is_up;
} client_calls[CALLS_END] = {
	[CALL_SEND_UP] = {CALL_Isend, OPERATION_SEND, 1, true},
	[CALL_RECEIVE_UP] = {CALL_Irecv, OPERATION_RECEIVE, 2, true},
	[CALL_SEND_DOWN] = {CALL_Isend, OPERATION_SEND, 2, false},
	[CALL_RECEIVE_DOWN] = {CALL_Irecv, OPERATION_RECEIVE, 1, false},
	[CALL_REDUCE] = {CALL_Allreduce, OPERATION_COLLECTIVE, 0, false},
	[CALL_WAIT] = {CALL_Waitall, OPERATION_WAIT, 0, false},
	[CALL_SEND_WRONG] = {CALL_Isend, OPERATION_SEND, 9, true},
	[CALL_RECEIVE_WRONG] = {CALL_Irecv, OPERATION_RECEIVE, 9, false},
};

static uint32_t peer_of(const struct client *client, uint32_t number)
{
	return (client->rank + (client_calls[number].is_up ? 1 : job.size - 1)) % job.size;
}

static void tell_call(const struct client *client, struct client_link *link, uint32_t number)
{
	static struct check_place stack[] = {{"/opt/program/bin/application", "0123456789abcdef", 0x1234, 0}};
	const struct client_call *made = &client_calls[number];
	const bool is_message = made->operation == OPERATION_SEND || made->operation == OPERATION_RECEIVE;
	const int32_t peer = is_message ? (int32_t)peer_of(client, number) : -1;
	struct distinct_check_call call = {
		.number = number,
		.flags = is_message ? CHECK_CALL_NONBLOCKING : 0,
		.operation = made->operation,
		.call = {.world = 1,
	                 .rank = client->rank,
	                 .function = made->function,
	                 .note = "",
	                 .arguments = "count = 100, datatype = MPI_INT, comm = MPI_COMM_WORLD",
	                 .stack_count = 1,
	                 .stack = stack},
		.comm = WORLD_COMM,
		.peer = peer,
		.peer_in_world = peer,
		.tag = made->tag,
		.root = -1,
		.operator= made->operation == OPERATION_COLLECTIVE,
		.detail = ""};
	struct message_writer body = {0};

	if (made->operation != OPERATION_WAIT)
		*(made->operation == OPERATION_RECEIVE ? &call.receive : &call.send) = (struct check_data){
			number == CALL_SEND_WRONG ? TYPE_DOUBLE : TYPE_INT, 100};
	distinct_call_put(&body, &call);
	tell(link, MESSAGE_CALL, &body);
}

static uint32_t analyser_of(const struct client *client, uint32_t number)
{
	if (number == CALL_WAIT)
		return 0;
	return number == CALL_REDUCE
	               ? analyser_of_object(WORLD_COMM, job.plan_count)
	               : analyser_of_pair(client->rank, peer_of(client, number), job.size, job.plan_count);
}

/* An event: for matching where that is done, for the course on the first analyser. */
static void put_event(const struct client *client, const struct client_link *link,
                      struct message_writer *body, uint32_t number)
{
	if (analyser_of(client, number) == link->analyser) {
		put_number(body, number);
	} else if (link->analyser == 0) {
		put_number(body, 0);
		put_number(body, CHANGE_BEGINS);
		put_number(body, number);
	}
}

/* The four operations of a step. */
static void put_wait(struct message_writer *body)
{
	put_number(body, 0);
	put_number(body, CHANGE_WAITS);
	put_number(body, CALL_WAIT);
	put_number(body, 4);
	for (uint32_t distance = 4; distance; distance--)
		put_number(body, distance);
}

static void make_batch(const struct client *client, struct client_link *link)
{
	struct message_writer body = {0};

	for (int step = 0; step < STEPS_IN_BATCH; step++) {
		for (uint32_t number = CALL_SEND_UP; number <= CALL_RECEIVE_DOWN; number++)
			put_event(client, link, &body, number);
		if (link->analyser == 0)
			put_wait(&body);
		if (step % REDUCE_EVERY == 0)
			put_event(client, link, &body, CALL_REDUCE);
	}
	frame_put(&link->batch, MESSAGE_EVENTS, &body);
	writer_release(&body);
}

/* The message with the wrong type: for matching alone. */
static void tell_wrong(struct client *client, uint32_t number)
{
	struct message_writer body = {0};

	put_number(&body, 0);
	put_number(&body, CHANGE_MATCHES);
	put_number(&body, number);
	tell(link_get(client, analyser_of(client, number)), MESSAGE_EVENTS, &body);
}

static void introduce(struct client *client)
{
	for (uint32_t number = CALL_SEND_UP; number < CALL_SEND_WRONG; number++)
		link_get(client, analyser_of(client, number));
	for (uint32_t i = 0; i < client->link_count; i++) {
		tell_basics(client, &client->links[i]);
		for (uint32_t number = CALL_SEND_UP; number < CALLS_END; number++)
			tell_call(client, &client->links[i], number);
		make_batch(client, &client->links[i]);
	}
	if (client->rank == 0)
		tell_wrong(client, CALL_SEND_WRONG);
	if (client->rank == 1)
		tell_wrong(client, CALL_RECEIVE_WRONG);
}

static void *run_clients(void *argument)
{
	uint32_t thread = (uint32_t)(uintptr_t)argument;

	for (uint64_t round = 0; round < job.rounds; round++) {
		for (uint32_t rank = thread; rank < job.size; rank += THREADS)
			for (uint32_t i = 0; i < job.clients[rank].link_count; i++) {
				struct client_link *link = &job.clients[rank].links[i];
				send_bytes(link->fd, link->batch.bytes, link->batch.size);
				job.bytes[thread] += link->batch.size;
				job.frames[thread]++;
			}
		/* Processes of a job are about equally far. */
		pthread_barrier_wait(&job.step);
	}
	return NULL;
}

static void say_bye(struct client *client)
{
	struct message_writer body = {0}, frame = {0};

	put_number(&body, END_FINALIZED);
	frame_put(&frame, MESSAGE_BYE, &body);
	for (uint32_t i = 0; i < client->link_count; i++)
		if (client->links[i].fd != client->home)
			send_bytes(client->links[i].fd, frame.bytes, frame.size), close(client->links[i].fd);
	send_bytes(client->home, frame.bytes, frame.size);
	close(client->home);
	writer_release(&body);
	writer_release(&frame);
}

/* Logs: whose pid is in their names */

struct measured {
	uint64_t memory_bytes; /* most of an analyser */
	uint32_t wrong, other; /* findings: the planted one, and those that are none */
	bool is_locked;
};

static void measure_process(long pid, struct measured *measured)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, "VmHWM:", 6) == 0 &&
		    strtoull(line + 6, NULL, 10) * 1024 > measured->memory_bytes)
			measured->memory_bytes = strtoull(line + 6, NULL, 10) * 1024;
	if (file)
		fclose(file);
}

static void count_findings(int file, struct measured *measured)
{
	uint8_t head[FRAME_HEADER_BYTES];

	while (read(file, head, sizeof head) == sizeof head) {
		uint32_t length;
		uint8_t *body;
		struct cursor in;
		struct check_finding *finding;
		memcpy(&length, head, sizeof length);
		body = malloc(length);
		if (read(file, body, length - 1) != (ssize_t)length - 1)
			die("a log is cut off");
		in = (struct cursor){.at = body, .end = body + length - 1};
		finding = head[sizeof length] == MESSAGE_FINDING ? finding_take(&in) : NULL;
		if (finding && finding->check == CHECK_MESSAGE_TYPE_MISMATCH)
			measured->wrong++;
		else if (finding)
			measured->other++;
		finding_free(finding);
		free(body);
	}
}

static struct measured look_at_logs(bool processes, bool findings)
{
	struct measured measured = {0};
	DIR *folder = opendir(job.folder);
	char path[512];

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		const char *dash = strrchr(entry->d_name, '-');
		int file;
		if (strncmp(entry->d_name, "analyser-", 9) != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", job.folder, entry->d_name);
		file = open(path, O_RDONLY | O_CLOEXEC);
		measured.is_locked |= flock(file, LOCK_SH | LOCK_NB) != 0;
		if (processes)
			measure_process(strtol(dash + 1, NULL, 10), &measured);
		if (findings)
			count_findings(file, &measured);
		close(file);
	}
	if (folder)
		closedir(folder);
	return measured;
}

static void remove_folder(void)
{
	DIR *folder = opendir(job.folder);

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(job.folder);
}

/* The run */

static void connect_all(void)
{
	for (uint32_t rank = 0; rank < job.size; rank++) {
		job.clients[rank].rank = rank;
		job.clients[rank].home = connect_client(&job.clients[rank], job.addresses);
	}
	for (uint32_t rank = 0; rank < job.size; rank++)
		read_plan(&job.clients[rank]);
	for (uint32_t rank = 0; rank < job.size; rank++)
		introduce(&job.clients[rank]);
}

static double run_all(void)
{
	pthread_t threads[THREADS];
	double start = seconds();

	pthread_barrier_init(&job.step, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_clients, (void *)i) != 0)
			die("pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return start;
}

int main(int argc, char **argv)
{
	struct rlimit files;
	struct measured before, after;
	double start, end, connected = seconds();
	uint64_t events, bytes = 0, frames = 0;

	if (argc != 5)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	job.size = (uint32_t)strtoul(argv[2], NULL, 10);
	job.rounds = strtoull(argv[3], NULL, 10) / STEPS_IN_BATCH;
	job.analysers = (uint32_t)strtoul(argv[4], NULL, 10);
	job.clients = calloc(job.size, sizeof *job.clients);
	start_analyser(argv[1]);
	connect_all();
	before = look_at_logs(true, false);
	connected = seconds() - connected;
	start = run_all();
	after = look_at_logs(true, false);
	for (uint32_t rank = 0; rank < job.size; rank++)
		say_bye(&job.clients[rank]);
	while (look_at_logs(false, false).is_locked)
		usleep(5000);
	/* Analysers wait a little before they end. */
	end = seconds() - 0.2;
	for (int i = 0; i < THREADS; i++) {
		bytes += job.bytes[i];
		frames += job.frames[i];
	}
	events = job.rounds * job.size * (4 * STEPS_IN_BATCH + STEPS_IN_BATCH / REDUCE_EVERY);
	after.wrong = look_at_logs(false, true).wrong;
	after.other = look_at_logs(false, true).other;
	printf("{\"processes\": %u, \"analysers\": %u, \"events\": %llu, \"seconds\": %.3f, \"events_per_s\": %.0f, "
	       "\"memory_bytes\": %llu, \"connected_memory_bytes\": %llu, "
	       "\"connect_s\": %.3f, \"bytes_per_event\": %.2f, \"frames_of_a_process\": %.1f, \"planted\": %u, \"other\": %u}\n",
	       job.size, job.plan_count, (unsigned long long)events, end - start,
	       (double)events / (end - start), (unsigned long long)after.memory_bytes,
	       (unsigned long long)before.memory_bytes, connected, (double)bytes / (double)events,
	       (double)frames / job.size, after.wrong, after.other);
	remove_folder();
	return after.wrong == 1 && after.other == 0 ? 0 : 1;
}
