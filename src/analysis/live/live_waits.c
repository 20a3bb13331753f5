#include "analysis/live/live_waits.h"

#include "analysis/live/live_calls.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 4 << 20 };

/* Of a communicator: a damaged part may contain any number. */
enum { MEMBERS_MAX = 1 << 24 };

/* Rank 0 of a communicator records its members. */
static bool find_group(void *context, uint32_t process, uint64_t identity, struct member_group *group)
{
	const struct live_job *job = context;
	const uint32_t *first = map_find(&job->by_group, map_key(identity, 0));
	const struct comm *comm = first ? find_comm(job->processes.items[*first]->followed->process, identity)
	                                : NULL;
	const struct comm *own = comm ? find_comm(job->processes.items[process]->followed->process, identity)
	                              : NULL;

	if (!own || comm->kind == COMM_INTER)
		return false;
	*group = (struct member_group){
		.comm = comm, .process = process, .own = (uint32_t)own->rank, .size = comm->size};
	if (group->size > MEMBERS_MAX)
		group->size = MEMBERS_MAX;
	return true;
}

static uint32_t find_member(void *context, const struct member_group *group, uint64_t rank)
{
	const struct live_job *job = context;
	const struct comm *comm = group->comm;
	const uint32_t *found;

	for (size_t i = 0; i < comm->local.run_count; i++) {
		const struct rank_run *run = &comm->local.runs[i];
		if (rank < run->count) {
			int64_t member = (int64_t)run->first + (int64_t)rank * run->stride;

			found = map_find(&job->by_rank, map_key(run->world, (uint64_t)member));
			return found ? *found : LIVE_NONE;
		}
		rank -= run->count;
	}
	return LIVE_NONE;
}

static void describe_process(struct live_process *process)
{
	bool is_waiting = process->state == LIVE_IN_CALL;

	process->waiting.recorded = process->followed->process;
	process->waiting.call = is_waiting ? process->call : NULL;
	process->waiting.info = is_waiting ? process->info : NULL;
	process->waiting.has_started = process->state != LIVE_STARTING;
	process->waiting.has_ended = process->state == LIVE_FINISHED;
}

/* A partner may already have done its part: that is unknown here. */
static void find_partners(struct live_job *job)
{
	static const struct need_ways ways = {.group = find_group, .member = find_member};
	uint32_t count = (uint32_t)job->processes.count;
	struct call_needs needs = {.ways = &ways,
	                           .context = job,
	                           .process_count = count,
	                           .arena = &job->look,
	                           .is_running = true};

	needs.processes = arena_array(&job->look, struct waiting_process *, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		describe_process(job->processes.items[i]);
		needs.processes[i] = &job->processes.items[i]->waiting;
		needs.splits_barriers |= job->processes.items[i]->splits_barriers;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct live_process *process = job->processes.items[i];
		struct needed_partners partners;

		if (process->state != LIVE_IN_CALL || process->for_ns < LIVE_WAIT_NS_MIN)
			continue;
		partners = call_needs_find(&needs, i);
		process->partners = partners.items;
		process->partner_count = partners.count;
		process->needs_any = partners.needs_any;
		process->needs_one = partners.needs_one && partners.count + partners.needs_any > 1;
	}
	call_needs_release(&needs);
}

/* Processes with the most waiters */

static bool waits(const struct live_process *process)
{
	return process->partner_count && !process->needs_one;
}

/* Waiters of each process: `first` is the index of its first waiter in `from`; after the
 * last process, the end. */
struct reverse_waits {
	uint32_t *first, *from;
};

static struct reverse_waits reverse(struct live_job *job)
{
	size_t count = job->processes.count, total = 0;
	struct reverse_waits reversed = {.first = arena_array(&job->look, uint32_t, count + 2)};

	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0;
		     waits(job->processes.items[i]) && j < job->processes.items[i]->partner_count; j++)
			reversed.first[job->processes.items[i]->partners[j] + 2]++;
	for (size_t i = 2; i < count + 2; i++)
		total = reversed.first[i] += reversed.first[i - 1];
	reversed.from = arena_array(&job->look, uint32_t, total + 1);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0;
		     waits(job->processes.items[i]) && j < job->processes.items[i]->partner_count; j++)
			reversed.from[reversed.first[job->processes.items[i]->partners[j] + 1]++] = i;
	return reversed;
}

/* All processes that wait for a process, directly or indirectly. `mark` differs between searches. */
static void find_waiters(struct live_job *job, const struct reverse_waits *reversed, uint32_t *marks,
                         struct live_awaited *awaited, size_t *steps)
{
	uint32_t mark = awaited->process + 1, done = 0;
	uint32_t at = awaited->process;

	awaited->waiters = arena_array(&job->look, uint32_t, job->processes.count + 1);
	for (;;) {
		for (uint32_t i = reversed->first[at]; i < reversed->first[at + 1] && *steps < STEPS_MAX;
		     i++, ++*steps) {
			uint32_t waiter = reversed->from[i];
			if (marks[waiter] == mark)
				continue;
			marks[waiter] = mark;
			awaited->waiters[awaited->waiter_count++] = waiter;
		}
		if (done == awaited->waiter_count)
			break;
		at = awaited->waiters[done++];
	}
	sort_u32(awaited->waiters, awaited->waiter_count);
}

/* Among equals the lowest rank first: the order in which processes were seen depends on the file system. */
static int by_waiters(const void *a, const void *b, void *context)
{
	const struct live_job *job = context;
	const struct live_awaited *x = a, *y = b;
	const uint32_t own = job->processes.items[x->process]->rank,
		       other = job->processes.items[y->process]->rank;

	if (x->waiter_count != y->waiter_count)
		return x->waiter_count > y->waiter_count ? -1 : 1;
	return own != other ? (own > other) - (own < other)
	                    : (x->process > y->process) - (x->process < y->process);
}

static void find_awaited(struct live_job *job)
{
	const struct reverse_waits reversed = reverse(job);
	uint32_t *marks = arena_array(&job->look, uint32_t, job->processes.count + 1);
	size_t steps = 0;

	for (uint32_t i = 0; i < job->processes.count; i++) {
		struct live_awaited awaited = {.process = i};
		if (waits(job->processes.items[i]) || reversed.first[i] == reversed.first[i + 1])
			continue;
		find_waiters(job, &reversed, marks, &awaited, &steps);
		arena_add(&job->look, job->awaited, job->awaited_count, awaited);
	}
	if (job->awaited_count)
		qsort_r(job->awaited, job->awaited_count, sizeof *job->awaited, by_waiters, job);
	for (uint32_t i = 0; i < job->processes.count && steps < STEPS_MAX; i++)
		if (waits(job->processes.items[i]) && !marks[i])
			arena_add(&job->look, job->circle, job->circle_count, i);
}

void live_waits_find(struct live_job *job)
{
	job->awaited = NULL;
	job->circle = NULL;
	job->awaited_count = job->circle_count = 0;
	find_partners(job);
	find_awaited(job);
}
