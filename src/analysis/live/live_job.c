#include "analysis/live/live_job.h"

#include "analysis/live/live_calls.h"
#include "analysis/live/live_parts.h"
#include "analysis/live/live_waits.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct live_job *live_job_new(const char *folder)
{
	struct live_job *job = memory_new(1, sizeof *job);

	job->folder = arena_text(&job->arena, folder);
	gethostname(job->host, sizeof job->host - 1);
	job->is_local = live_folder_is_local(folder);
	job->symbols = symbols_new();
	return job;
}

void live_job_free(struct live_job *job)
{
	for (size_t i = 0; i < job->parts.count; i++) {
		struct followed_part *part = job->parts.items[i]->followed;
		for (size_t j = 0; j < part->stream_count; j++) {
			struct live_stream *stream = part->streams[j]->data;
			if (!stream)
				continue;
			array_release(&stream->calls);
			map_release(&stream->sites);
		}
		followed_part_free(part);
	}
	for (size_t i = 0; i < job->processes.count; i++)
		waiting_process_release(&job->processes.items[i]->waiting);
	array_release(&job->parts);
	array_release(&job->processes);
	array_release(&job->sites);
	text_map_release(&job->site_numbers);
	text_map_release(&job->by_name);
	map_release(&job->by_rank);
	map_release(&job->by_group);
	text_release(&job->hidden_hosts);
	symbols_free(job->symbols);
	arena_release(&job->look);
	arena_release(&job->arena);
	free(job);
}

/* Identities */

static void identify(struct live_job *job, uint32_t number)
{
	struct live_process *process = job->processes.items[number];
	const struct process *told = process->followed->process;

	if (told->has_size && process->rank == PROCESS_UNKNOWN) {
		process->world = told->world;
		process->rank = told->rank;
		*map_put(&job->by_rank, map_key(told->world, told->rank)) = number;
		if (told->size > job->size)
			job->size = told->size;
	}
	for (; process->comms_seen < told->comm_count; process->comms_seen++)
		if (told->comms[process->comms_seen].local.run_count)
			*map_put(&job->by_group,
			         map_key(told->comms[process->comms_seen].identity, 0)) = number;
}

/* States */

/* By the process's own clock, which is this machine's wall clock for all readable processes. */
static int64_t ns_since(const struct process *told, uint64_t tick, int64_t now_ns)
{
	const struct clock *clock = told->clock_count ? &told->clocks[told->clock_count - 1] : NULL;
	const struct clock_point *point = clock && clock->point_count ? &clock->points[clock->point_count - 1]
	                                                              : NULL;
	double since;

	if (!point || !clock->ticks_per_second)
		return -1;
	since = (double)(now_ns - (int64_t)point->ns) -
	        (double)(int64_t)(tick - point->tick) * 1e9 / (double)clock->ticks_per_second;
	return since > 0 ? (int64_t)since : 0;
}

/* The threads of a process: the one longest in its call, and the one that left its last call last. */
struct threads_now {
	struct followed_stream *open, *last;
	bool is_interrupted;
};

static struct threads_now look_at_threads(const struct live_process *process)
{
	struct threads_now now = {0};

	for (size_t i = 0; i < process->part->followed->stream_count; i++) {
		struct followed_stream *stream = process->part->followed->streams[i];
		if (stream->process != process->followed || !stream->reader)
			continue;
		now.is_interrupted |= stream->is_interrupted;
		if (stream->open.call && call_find(stream->open.call->outline->name) &&
		    (!now.open || stream->open.start < now.open->open.start))
			now.open = stream;
		if (!now.last || stream->last_end > now.last->last_end)
			now.last = stream;
	}
	return now;
}

static void find_call(struct live_job *job, struct live_process *process, const struct threads_now *now,
                      int64_t now_ns)
{
	const struct process *told = process->followed->process;

	if (now->open) {
		process->call = now->open->open.call;
		process->info = call_find(process->call->outline->name);
		process->site = live_site_of(job, now->open, process->call);
		process->for_ns = ns_since(told, now->open->open.start, now_ns);
		process->state = process->info->tests ? LIVE_POLLING : LIVE_IN_CALL;
		job->sites.items[process->site].open_calls++;
		if (process->for_ns > 0)
			job->sites.items[process->site].open_ns += (double)process->for_ns;
	} else if (now->last) {
		process->state = LIVE_COMPUTING;
		process->site = ((struct live_stream *)now->last->data)->last_site;
		if (now->last->last_end)
			process->for_ns = ns_since(told, now->last->last_end, now_ns);
	}
}

static void find_state(struct live_job *job, struct live_process *process, int64_t now_ns)
{
	struct threads_now now = look_at_threads(process);

	process->call = NULL;
	process->info = NULL;
	process->partners = NULL;
	process->partner_count = 0;
	process->needs_one = process->needs_any = false;
	process->for_ns = -1;
	process->site = LIVE_NONE;
	process->state = LIVE_STARTING;
	if (process->is_done || process->has_finalized)
		process->state = LIVE_FINISHED;
	else if (process->is_gone)
		process->state = LIVE_GONE;
	else if (process->rank == PROCESS_UNKNOWN)
		process->state = LIVE_STARTING;
	else if (now.is_interrupted)
		process->state = LIVE_UNRECORDED;
	else
		find_call(job, process, &now, now_ns);
}

void live_job_look(struct live_job *job, int64_t now_ns)
{
	arena_release(&job->look);
	job->look = (struct arena){0};
	live_parts_list(job);
	live_parts_read(job);
	for (size_t i = 0; i < job->sites.count; i++) {
		job->sites.items[i].open_ns = 0;
		job->sites.items[i].open_calls = 0;
	}
	for (uint32_t i = 0; i < job->processes.count; i++)
		identify(job, i);
	for (size_t i = 0; i < job->processes.count; i++)
		find_state(job, job->processes.items[i], now_ns);
	live_waits_find(job);
}

static const struct live_job *ordered_job;

static int by_rank(const void *a, const void *b)
{
	const struct live_process *x = ordered_job->processes.items[*(const uint32_t *)a];
	const struct live_process *y = ordered_job->processes.items[*(const uint32_t *)b];

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->world > y->world) - (x->world < y->world);
}

uint32_t *live_job_order(const struct live_job *job)
{
	uint32_t *order = memory_new(job->processes.count + 1, sizeof *order);

	for (uint32_t i = 0; i < job->processes.count; i++)
		order[i] = i;
	ordered_job = job;
	qsort(order, job->processes.count, sizeof *order, by_rank);
	return order;
}
