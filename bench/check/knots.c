/* Agents without programs in a deadlock: they answer questions about their threads at once.
 *
 *	bench-check-knots ANALYSER PROCESSES ring|knot [NODES]
 *
 * ring: each waits for a message of the next one. knot: each waits for a message from any source. Prints as JSON the time
 * from the last call until the analyser ended the run, and the analyser's CPU time. Exit code 1: other findings, or none. */
#include "calls/ids.h"
#include "check/checks/checks.h"
#include "check/signature/signature.h"

#include "client_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { TYPE_INT = 1, CALL_RECEIVE = 1, WORLD_COMM = 4711, EVENTS = 256 };

struct knot_counts {
	uint32_t right, other;
};

static void tell_call(uint32_t rank, int fd, bool is_ring)
{
	const int32_t peer = is_ring ? (int32_t)((rank + 1) % job.size) : -1;
	struct checked_comm comm = {
		.identity = WORLD_COMM, .rank = rank, .size = job.size, .name = "MPI_COMM_WORLD"};
	struct checked_type integer = {.number = TYPE_INT, .basic = BASIC_INT, .bytes = 4};
	struct distinct_check_call call = {.number = CALL_RECEIVE,
	                                   .flags = is_ring ? 0 : CHECK_CALL_WILDCARD,
	                                   .operation = OPERATION_RECEIVE,
	                                   .call = {.world = 1,
	                                            .rank = rank,
	                                            .function = CALL_Recv,
	                                            .note = "",
	                                            .arguments = "",
	                                            .stack_count = 1,
	                                            .stack = job_stack},
	                                   .comm = WORLD_COMM,
	                                   .peer = peer,
	                                   .peer_in_world = peer,
	                                   .root = -1,
	                                   .receive = {TYPE_INT, 1},
	                                   .detail = ""};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	job_tell(fd, MESSAGE_COMM, &body);
	type_put(&body, &integer);
	job_tell(fd, MESSAGE_TYPE, &body);
	distinct_call_put(&body, &call);
	job_tell(fd, MESSAGE_CALL, &body);
}

static void begin_call(int fd)
{
	struct message_writer body = {0};

	put_number(&body, CALL_RECEIVE);
	job_tell(fd, MESSAGE_EVENTS, &body);
}

static void answer(int fd, const uint8_t *asked, size_t size)
{
	struct cursor in = {.at = asked, .end = asked + size};
	struct thread_state state = {.call = CALL_RECEIVE, .is_in_call = true, .entered = 1};
	struct check_answer reply = {.question = take_varint(&in), .thread_count = 1, .threads = &state};
	struct message_writer body = {0};

	answer_put(&body, &reply);
	job_tell(fd, MESSAGE_ANSWER, &body);
}

/* Until the agent is ordered to end. */
static void answer_all(int poll)
{
	struct epoll_event events[EVENTS];

	for (;;) {
		const int count = epoll_wait(poll, events, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			enum message_kind kind;
			size_t size;
			uint8_t *body = read_frame(events[i].data.fd, &kind, &size);

			if (kind == MESSAGE_ASK)
				answer(events[i].data.fd, body, size);
			free(body);
			if (kind == MESSAGE_STOP)
				return;
		}
	}
}

static int connect_all(int *fds, bool is_ring)
{
	int poll = epoll_create1(EPOLL_CLOEXEC);

	for (uint32_t rank = 0; rank < job.size; rank++)
		fds[rank] = job_connect(rank);
	for (uint32_t rank = 0; rank < job.size; rank++) {
		struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[rank]};

		tell_call(rank, fds[rank], is_ring);
		if (epoll_ctl(poll, EPOLL_CTL_ADD, fds[rank], &event) != 0)
			die("epoll_ctl");
	}
	return poll;
}

/* Of the analyser, so far. */
static void add_cpu_seconds(int log, long pid, void *owner)
{
	char path[64], line[512];
	unsigned long user, system;
	const char *at = NULL;
	FILE *file;

	(void)log;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (file && fgets(line, sizeof line, file))
		at = strrchr(line, ')');
	if (at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
		*(double *)owner += (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	if (file)
		fclose(file);
}

static void say_bye(int fd)
{
	struct message_writer body = {0};

	put_number(&body, END_STOPPED);
	job_tell(fd, MESSAGE_BYE, &body);
	close(fd);
}

static void look_at_findings(int file, long pid, void *owner)
{
	struct knot_counts *counts = owner;

	(void)pid;
	for (struct check_finding *finding; (finding = log_finding(file));) {
		bool is_right = finding->check == CHECK_DEADLOCK_CYCLE;

		for (uint32_t i = 0; i < finding->value_count; i++)
			if (strcmp(finding->values[i].name, "processes") == 0)
				is_right &= strtoul(finding->values[i].text, NULL, 10) == job.size;
		*(is_right ? &counts->right : &counts->other) += 1;
		finding_free(finding);
	}
}

int main(int argc, char **argv)
{
	const bool is_ring = argc >= 4 && strcmp(argv[3], "ring") == 0;
	struct knot_counts counts = {0};
	double start, end, before = 0, after = 0;
	int *fds, poll;

	if (argc != 4 && argc != 5)
		return 2;
	job.size = (uint32_t)strtoul(argv[2], NULL, 10);
	fds = calloc(job.size, sizeof *fds);
	job_start(argv[1], argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 10) : 1);
	poll = connect_all(fds, is_ring);
	for (uint32_t rank = 0; rank + 1 < job.size; rank++)
		begin_call(fds[rank]);
	usleep(500000); /* until all of it was read */
	job_each_log(add_cpu_seconds, &before);
	start = seconds();
	begin_call(fds[job.size - 1]);
	answer_all(poll);
	end = seconds();
	job_each_log(add_cpu_seconds, &after);
	for (uint32_t rank = 0; rank < job.size; rank++)
		say_bye(fds[rank]);
	while (job_is_analysed())
		usleep(5000);
	job_each_log(look_at_findings, &counts);
	printf("{\"processes\": %u, \"kind\": \"%s\", \"seconds\": %.3f, \"cpu_s\": %.3f, \"deadlocks\": %u, \"other\": %u}\n",
	       job.size, argv[3], end - start, after - before, counts.right, counts.other);
	job_remove();
	return counts.right == 1 && counts.other == 0 ? 0 : 1;
}
