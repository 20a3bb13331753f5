/* Agents without programs: neighbours in a ring exchange messages (MPI_Isend, MPI_Irecv, MPI_Waitall) and reduce every
 * tenth step, as fast as the analysers accept events. One message has a wrong type, which must be the only finding.
 *
 *	bench-check-clients ANALYSER PROCESSES STEPS NODES
 *
 * Prints the measured values as JSON. Exit code 1: other findings, or none. */
#include "calls/ids.h"
#include "check/checks/checks.h"
#include "check/signature/signature.h"

#include "client_job.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 2, STEPS_IN_BATCH = 100, REDUCE_EVERY = 10 };
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

struct client {
	uint32_t rank;
	int fd;
	struct message_writer batch; /* of EVENTS */
};

static struct {
	uint64_t rounds;
	struct client *clients;
	pthread_barrier_t step;
	uint64_t bytes[THREADS], frames[THREADS];
} work;

/* Events of a client */

static void tell_basics(const struct client *client)
{
	struct checked_comm comm = {
		.identity = WORLD_COMM, .rank = client->rank, .size = job.size, .name = "MPI_COMM_WORLD"};
	struct checked_type integer = {.number = TYPE_INT, .basic = BASIC_INT, .bytes = 4};
	struct checked_type real = {.number = TYPE_DOUBLE, .basic = BASIC_DOUBLE, .bytes = 8};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	job_tell(client->fd, MESSAGE_COMM, &body);
	type_put(&body, &integer);
	job_tell(client->fd, MESSAGE_TYPE, &body);
	type_put(&body, &real);
	job_tell(client->fd, MESSAGE_TYPE, &body);
}

/* Actions of the calls, by number. */
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

static void tell_call(const struct client *client, uint32_t number)
{
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
	                 .stack = job_stack},
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
	job_tell(client->fd, MESSAGE_CALL, &body);
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

static void make_batch(struct client *client)
{
	struct message_writer body = {0};

	for (int step = 0; step < STEPS_IN_BATCH; step++) {
		for (uint32_t number = CALL_SEND_UP; number <= CALL_RECEIVE_DOWN; number++)
			put_number(&body, number);
		put_wait(&body);
		if (step % REDUCE_EVERY == 0)
			put_number(&body, CALL_REDUCE);
	}
	frame_put(&client->batch, MESSAGE_EVENTS, &body);
	writer_release(&body);
}

/* The message with the wrong type. */
static void tell_wrong(const struct client *client, uint32_t number)
{
	struct message_writer body = {0};

	put_number(&body, number);
	job_tell(client->fd, MESSAGE_EVENTS, &body);
}

static void introduce(struct client *client)
{
	tell_basics(client);
	for (uint32_t number = CALL_SEND_UP; number < CALLS_END; number++)
		tell_call(client, number);
	make_batch(client);
	if (client->rank == 0)
		tell_wrong(client, CALL_SEND_WRONG);
	if (client->rank == 1)
		tell_wrong(client, CALL_RECEIVE_WRONG);
}

static void *run_clients(void *argument)
{
	uint32_t thread = (uint32_t)(uintptr_t)argument;

	for (uint64_t round = 0; round < work.rounds; round++) {
		for (uint32_t rank = thread; rank < job.size; rank += THREADS) {
			const struct client *client = &work.clients[rank];
			send_bytes(client->fd, client->batch.bytes, client->batch.size);
			work.bytes[thread] += client->batch.size;
			work.frames[thread]++;
		}
		/* Processes of a job progress at about the same pace. */
		pthread_barrier_wait(&work.step);
	}
	return NULL;
}

static void say_bye(struct client *client)
{
	struct message_writer body = {0}, frame = {0};

	put_number(&body, END_FINALIZED);
	frame_put(&frame, MESSAGE_BYE, &body);
	send_bytes(client->fd, frame.bytes, frame.size);
	close(client->fd);
	writer_release(&body);
	writer_release(&frame);
}

/* Measurements */

struct measured {
	uint64_t memory_bytes; /* maximum of the analysers */
	uint32_t wrong, other; /* findings: the planted one, and false ones */
};

static void measure_process(int log, long pid, void *owner)
{
	struct measured *measured = owner;
	char path[64], line[256];
	FILE *file;

	(void)log;
	snprintf(path, sizeof path, "/proc/%ld/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, "VmHWM:", 6) == 0 &&
		    strtoull(line + 6, NULL, 10) * 1024 > measured->memory_bytes)
			measured->memory_bytes = strtoull(line + 6, NULL, 10) * 1024;
	if (file)
		fclose(file);
}

static void look_at_findings(int file, long pid, void *owner)
{
	struct measured *measured = owner;

	(void)pid;
	for (struct check_finding *finding; (finding = log_finding(file));) {
		if (finding->check == CHECK_MESSAGE_TYPE_MISMATCH)
			measured->wrong++;
		else
			measured->other++;
		finding_free(finding);
	}
}

/* The run */

static void connect_all(void)
{
	for (uint32_t rank = 0; rank < job.size; rank++) {
		work.clients[rank].rank = rank;
		work.clients[rank].fd = job_connect(rank);
	}
	for (uint32_t rank = 0; rank < job.size; rank++)
		introduce(&work.clients[rank]);
}

static double run_all(void)
{
	pthread_t threads[THREADS];
	double start = seconds();

	pthread_barrier_init(&work.step, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_clients, (void *)i) != 0)
			die("pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return start;
}

int main(int argc, char **argv)
{
	struct measured before = {0}, after = {0};
	double start, end, connected = seconds();
	uint64_t events, bytes = 0, frames = 0;

	if (argc != 5)
		return 2;
	job.size = (uint32_t)strtoul(argv[2], NULL, 10);
	work.rounds = strtoull(argv[3], NULL, 10) / STEPS_IN_BATCH;
	work.clients = calloc(job.size, sizeof *work.clients);
	job_start(argv[1], (uint32_t)strtoul(argv[4], NULL, 10));
	connect_all();
	job_each_log(measure_process, &before);
	connected = seconds() - connected;
	start = run_all();
	job_each_log(measure_process, &after);
	for (uint32_t rank = 0; rank < job.size; rank++)
		say_bye(&work.clients[rank]);
	while (job_is_analysed())
		usleep(5000);
	/* Analysers wait a little before they end. */
	end = seconds() - 0.2;
	for (int i = 0; i < THREADS; i++) {
		bytes += work.bytes[i];
		frames += work.frames[i];
	}
	events = work.rounds * job.size * (4 * STEPS_IN_BATCH + STEPS_IN_BATCH / REDUCE_EVERY);
	job_each_log(look_at_findings, &after);
	printf("{\"processes\": %u, \"nodes\": %u, \"events\": %llu, \"seconds\": %.3f, \"events_per_s\": %.0f, "
	       "\"memory_bytes\": %llu, \"connected_memory_bytes\": %llu, "
	       "\"connect_s\": %.3f, \"bytes_per_event\": %.2f, \"frames_of_a_process\": %.1f, \"planted\": %u, \"other\": %u}\n",
	       job.size, job.nodes, (unsigned long long)events, end - start, (double)events / (end - start),
	       (unsigned long long)after.memory_bytes, (unsigned long long)before.memory_bytes, connected,
	       (double)bytes / (double)events, (double)frames / job.size, after.wrong, after.other);
	job_remove();
	return after.wrong == 1 && after.other == 0 ? 0 : 1;
}
