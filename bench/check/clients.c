/* Agents without programs: neighbours in a ring exchange messages (MPI_Isend, MPI_Irecv, MPI_Waitall) and reduce every
 * tenth step, as fast as the analysers accept events. One message has a wrong type, which must be the only finding.
 *
 *	bench-check-clients ANALYSER PROCESSES STEPS NODES
 *
 * Prints the measured values as JSON. Exit code 1: other findings, or none. */
#include "check/checks/checks.h"

#include "client_job.h"
#include "ring_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 2, STEPS_IN_BATCH = 100, REDUCE_EVERY = 10 };
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

static void tell_definition(void *owner, enum message_kind kind, struct message_writer *body)
{
	const struct client *client = owner;

	job_tell(client->fd, kind, body);
}

static void make_batch(struct client *client)
{
	struct message_writer body = {0};

	for (int step = 0; step < STEPS_IN_BATCH; step++) {
		ring_step_put(&body, false);
		if (step % REDUCE_EVERY == 0)
			put_number(&body, RING_REDUCE);
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
	ring_define(client->rank, job.size, job_stack, RING_CALLS, false, tell_definition, client);
	make_batch(client);
	if (client->rank == 0)
		tell_wrong(client, RING_SEND_WRONG);
	if (client->rank == 1)
		tell_wrong(client, RING_RECEIVE_WRONG);
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
