/* Parts of a run without agents and sockets: neighbours in a ring exchange messages (MPI_Isend, MPI_Irecv, MPI_Waitall) and reduce every tenth
 * step. The data of messages is compared, as by default. Ranks are divided among parts in blocks, as launchers do. At the end the parts are gathered.
 *
 *	bench-check-parts PROCESSES STEPS PARTS
 *
 * Prints as JSON how much of all events and facts the busiest part handles (times the number of parts; the first also passes on facts), events per
 * second of processor time of the slowest part, and memory for each process beside data in flight. Exit code 1: there are findings, or something is missing. */
#include "check/parts/hub.h"
#include "ring_calls.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PARTS_MAX = 64, STEPS_IN_BATCH = 10, EVENTS_IN_BATCH = 7 * STEPS_IN_BATCH + 1 };
static struct {
	uint32_t processes, count;
	struct check_part *parts[PARTS_MAX];
	struct message_writer up[PARTS_MAX], down[PARTS_MAX];
	double seconds[PARTS_MAX];
	struct part_hub *hub;
	struct analysed_process **ranks;
	struct checked_run *leader;
	struct analysed_process **led; /* by rank */
} bench;

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint32_t part_of(uint32_t rank)
{
	return (uint32_t)((uint64_t)rank * bench.count / bench.processes);
}

static void tell_up(void *owner, const struct message_writer *frames)
{
	put_raw(&bench.up[(uintptr_t)owner], frames->bytes, frames->size);
}

static void tell_down(void *owner, uint32_t part, enum message_kind kind, const struct message_writer *body)
{
	(void)owner;
	frame_put(&bench.down[part], kind, body);
}

static void gathered(void *owner)
{
	(void)owner;
	analysis_gathered(bench.leader);
}

static void put_to_leader(void *owner, struct analysed_process *process, enum message_kind kind,
                          const struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	(void)owner;
	if (kind != MESSAGE_HELLO && !analysis_frame(bench.leader, bench.led[process->rank], kind, &in))
		exit(1);
	if (kind == MESSAGE_HELLO && !bench.led[process->rank])
		bench.led[process->rank] = process_new(&bench.leader->known, 1, process->rank, process->size);
}

/* Frames on one link; how many there were. */
static uint32_t deliver(struct message_writer *link, uint32_t part, bool is_up)
{
	struct message_writer frames = *link;
	struct cursor in = writer_cursor(&frames), body;
	enum message_kind kind;
	uint32_t count = 0;

	*link = (struct message_writer){0};
	for (; frame_next(&in, FRAME_BYTES_MAX, &kind, &body); count++) {
		if (!is_up && kind == MESSAGE_GATHER && body.at[0] >= PART_HANDS_OVER)
			part_hand_over(bench.parts[part], body.at[0], put_to_leader, NULL);
		if (!(is_up ? hub_hear(bench.hub, part, kind, &body)
		            : part_hear(bench.parts[part], kind, &body)))
			exit(1);
	}
	writer_release(&frames);
	return count;
}

static void deliver_all(void)
{
	uint32_t count;

	do {
		count = 0;
		for (uint32_t i = 0; i < bench.count; i++) {
			const double begin = cpu_seconds();

			count += deliver(&bench.down[i], i, false);
			part_flush(bench.parts[i]);
			bench.seconds[i] += cpu_seconds() - begin;
		}
		for (uint32_t i = 0; i < bench.count; i++) {
			const double begin = cpu_seconds();

			count += deliver(&bench.up[i], i, true);
			hub_flush(bench.hub);
			bench.seconds[0] += cpu_seconds() - begin;
		}
	} while (count);
}

static void tell_part(uint32_t rank, enum message_kind kind, const struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	if (!part_frame(bench.parts[part_of(rank)], bench.ranks[rank], kind, &in))
		exit(1);
}

static void tell_definition(void *owner, enum message_kind kind, struct message_writer *body)
{
	tell_part(*(const uint32_t *)owner, kind, body);
}

static void introduce(uint32_t rank)
{
	bench.ranks[rank] = part_process(bench.parts[part_of(rank)], 1, rank, bench.processes);
	hub_add_process(bench.hub, part_of(rank), 1, rank);
	ring_define(rank, bench.processes, NULL, RING_PLAIN_CALLS, true, tell_definition, &rank);
}

static void make_batch(struct message_writer *body)
{
	for (int step = 0; step < STEPS_IN_BATCH; step++)
		ring_step_put(body, true);
	put_number(body, RING_REDUCE);
}

static void run(uint64_t steps)
{
	struct message_writer batch = {0};

	make_batch(&batch);
	for (uint64_t step = 0; step < steps; step += STEPS_IN_BATCH) {
		double begin = cpu_seconds();

		for (uint32_t rank = 0; rank < bench.processes; rank++) {
			tell_part(rank, MESSAGE_EVENTS, &batch);
			if (rank + 1 == bench.processes || part_of(rank + 1) != part_of(rank)) {
				part_flush(bench.parts[part_of(rank)]);
				bench.seconds[part_of(rank)] += cpu_seconds() - begin;
				begin = cpu_seconds();
			}
		}
		deliver_all();
	}
	writer_release(&batch);
}

/* No process waits, and no calls were lost. */
static bool is_right(uint64_t steps)
{
	bool right = bench.leader->known.processes.count == bench.processes && hub_has_gathered(bench.hub);

	for (size_t i = 0; i < bench.leader->execution->processes.count; i++) {
		const struct executed_process *process = bench.leader->execution->processes.items[i];
		right &= process->current->blocked == BLOCKED_NOT && !process->current->has_more &&
		         process->arrived == steps * 4 + steps / STEPS_IN_BATCH;
	}
	return right && bench.leader->execution->processes.count == bench.processes;
}

/* Events that waited, and operations and messages that were under way: free again, or not. */
static double bytes_in_flight(void)
{
	double bytes = 0;

	for (uint32_t i = 0; i < bench.count; i++) {
		const struct execution *execution = bench.parts[i]->run->execution;
		const struct data_contents *contents = &bench.parts[i]->run->contents;

		bytes += (double)malloc_usable_size(contents->awaited.items) +
		         (double)malloc_usable_size(contents->messages.unused.items) +
		         (double)malloc_usable_size(contents->messages.numbers.slots);
		for (const struct executed_operation *at = execution->free_operations; at;
		     at = at->links[LIST_WAITING].next)
			bytes += (double)malloc_usable_size((void *)at);
		for (size_t j = 0; j < execution->processes.count; j++)
			bytes += (double)execution->processes.items[j]->current->steps.room;
	}
	return bytes;
}

static void note(const char *sentence)
{
	fprintf(stderr, "%s\n", sentence);
	exit(2);
}

int main(int argc, char **argv)
{
	const struct hub_callbacks callbacks = {.tell = tell_down, .gathered = gathered};
	char folder[] = "/tmp/tarry-bench-XXXXXX";
	const int descriptor = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
	struct findings_log *log = findings_log_open(descriptor, "log", note);
	const uint64_t steps = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	const size_t before = mallinfo2().uordblks;
	uint64_t handled, all = 0, most = 0, events = 0;
	double slowest = 0, begin, memory;

	if (argc != 4)
		return 2;
	bench.processes = (uint32_t)strtoul(argv[1], NULL, 10);
	bench.count = (uint32_t)strtoul(argv[3], NULL, 10);
	bench.count = bench.count > PARTS_MAX ? PARTS_MAX : bench.count;
	bench.hub = hub_new(&callbacks);
	bench.ranks = calloc(bench.processes, sizeof *bench.ranks);
	bench.led = calloc(bench.processes, sizeof *bench.led);
	for (uintptr_t i = 0; i < bench.count; i++) {
		bench.parts[i] = part_new(log, tell_up, (void *)i);
		hub_add_part(bench.hub);
	}
	for (uint32_t rank = 0; rank < bench.processes; rank++)
		introduce(rank);
	run(steps);
	memory = ((double)(mallinfo2().uordblks + mallinfo2().hblkhd - before) - bytes_in_flight()) /
	         bench.processes;
	for (uint32_t i = 0; i < bench.count; i++) {
		const struct check_part *part = bench.parts[i];

		handled = part->run->event_count + part->facts_sent + part->facts_received +
		          (i ? 0 : hub_fact_count(bench.hub));
		all += handled;
		events += part->run->event_count;
		most = handled > most ? handled : most;
		slowest = bench.seconds[i] > slowest ? bench.seconds[i] : slowest;
	}
	bench.leader = analysis_new(log);
	bench.leader->is_gathering = true;
	begin = cpu_seconds();
	hub_gather(bench.hub);
	deliver_all();
	printf("{\"processes\": %u, \"parts\": %u, \"events\": %llu, \"handled\": %llu, \"share\": %.3f, "
	       "\"events_per_s\": %.0f, \"bytes_per_process\": %.0f, \"gather_s\": %.3f}\n",
	       bench.processes, bench.count, (unsigned long long)events, (unsigned long long)all,
	       (double)most * bench.count / (double)all, (double)events / bench.count / slowest, memory,
	       cpu_seconds() - begin);
	unlinkat(descriptor, "log", 0);
	rmdir(folder);
	return is_right(steps) && events == bench.processes * steps * EVENTS_IN_BATCH / STEPS_IN_BATCH ? 0
	                                                                                               : 1;
}
