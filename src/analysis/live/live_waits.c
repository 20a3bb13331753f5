#include "analysis/live/live_waits.h"

#include "analysis/live/live_calls.h"
#include "analysis/live/live_windows.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PARTNERS_MOST = 1 << 16, STEPS_MOST = 4 << 20 };

static int64_t field_or(const struct call *call, enum field_key key, int64_t otherwise)
{
	int64_t value;

	return call_field(call, key, &value) ? value : otherwise;
}

static uint32_t find_number(const struct live_job *job, uint64_t world, int64_t rank)
{
	const uint32_t *found = map_find(&job->by_rank, map_key(world, (uint64_t)rank));

	return found ? *found : LIVE_NONE;
}

/* The communicator with all its members, as its rank 0 told it; NULL. */
static const struct comm *find_group(const struct live_job *job, uint64_t identity)
{
	const uint32_t *member = map_find(&job->by_group, map_key(identity, 0));
	const struct comm *comm = member ? find_comm(job->processes.items[*member]->followed->process,
	                                             identity)
	                                 : NULL;

	return comm && comm->kind != COMM_INTER ? comm : NULL;
}

/* The process with this rank in a communicator; LIVE_NONE: it is not seen. */
static uint32_t member_of(const struct live_job *job, const struct comm *comm, int64_t rank)
{
	if (rank < 0)
		return LIVE_NONE;
	for (size_t i = 0; i < comm->local.run_count; i++) {
		const struct rank_run *run = &comm->local.runs[i];
		if (rank < (int64_t)run->count)
			return find_number(job, run->world, (int64_t)run->first + rank * run->stride);
		rank -= (int64_t)run->count;
	}
	return LIVE_NONE;
}

static void add_partner(struct live_job *job, struct live_process *process, uint32_t partner)
{
	if (partner == LIVE_NONE || job->processes.items[partner] == process ||
	    process->partner_count >= PARTNERS_MOST)
		return;
	for (uint32_t i = 0; i < process->partner_count; i++)
		if (process->partners[i] == partner)
			return;
	arena_add(&job->look, process->partners, process->partner_count, partner);
}

static void add_operation(struct live_job *job, struct live_process *process,
                          const struct live_operation *operation)
{
	const struct comm *comm = find_group(job, operation->comm);

	process->needs_any |= operation->peer == RANK_ANY || operation->second_peer == RANK_ANY;
	if (!comm)
		return;
	add_partner(job, process, member_of(job, comm, operation->peer));
	add_partner(job, process, member_of(job, comm, operation->second_peer));
}

/* A partner may have done its part already: that is not known here. */
static void add_requests(struct live_job *job, struct live_process *process)
{
	for (uint32_t i = 0; i < field_count(process->call); i++) {
		uint32_t key = field_key_at(process->call, i);
		int64_t number = field_value_at(process->call, i);

		if ((key == FIELD_REQUEST || key == FIELD_DONE) && number >= 0 &&
		    (size_t)number < process->requests.count)
			add_operation(job, process, &process->requests.items[number]);
	}
}

/* Collective calls */

static uint64_t count_entered(const struct live_process *process, uint64_t order)
{
	for (size_t i = 0; i < process->entered.count; i++)
		if (process->entered.items[i].order == order)
			return process->entered.items[i].count;
	return 0;
}

static bool is_in_collective(const struct live_process *process, uint64_t identity)
{
	struct live_order order;

	return process->state == LIVE_IN_CALL &&
	       live_order_of(process, process->call, process->info, &order) && order.identity == identity;
}

/* Whether a member has not come to the collective call that the process is in. */
static bool is_missing(const struct live_process *process, const struct live_process *member, uint64_t order)
{
	uint64_t mine, theirs;

	if (!process->is_counted || !member->is_counted)
		return !is_in_collective(member, order);
	mine = count_entered(process, order);
	theirs = count_entered(member, order);
	return theirs < mine || (theirs == mine && !is_in_collective(member, order));
}

static bool needs_member(const struct live_process *process, int64_t own, int64_t rank)
{
	const char *meets = process->info->meets;
	int64_t root = field_or(process->call, FIELD_ROOT, 0);

	/* Of calls on windows and files, it is up to the library: as a rule, they wait for all. */
	if (strcmp(meets, "all") == 0 || call_is_upc(process->info) ||
	    !call_field(process->call, FIELD_COMM, &(int64_t){0}))
		return true;
	if (strcmp(meets, "root_first") == 0)
		return rank == root && own != root;
	if (strcmp(meets, "rank0_first") == 0)
		return rank == 0 && own != 0;
	if (strcmp(meets, "root_last") == 0)
		return own == root;
	return strcmp(meets, "lower_first") == 0 && rank < own;
}

static void add_members(struct live_job *job, struct live_process *process, const struct live_order *order)
{
	const struct comm *comm = find_group(job, order->comm);
	const struct comm *own = comm ? find_comm(process->followed->process, order->comm) : NULL;

	for (int64_t rank = 0; own && rank < (int64_t)comm->size; rank++) {
		uint32_t member;
		if (rank == (int64_t)own->rank || !needs_member(process, (int64_t)own->rank, rank))
			continue;
		member = member_of(job, comm, rank);
		if (member != LIVE_NONE && is_missing(process, job->processes.items[member], order->identity))
			arena_add(&job->look, process->partners, process->partner_count, member);
	}
}

/* Whether the partners of this one, which comes before, are found. */
static bool has_waited(const struct live_process *process)
{
	return process->state == LIVE_IN_CALL && process->for_ns >= LIVE_WAIT_LEAST_NS;
}

/* Members that wait for the same call wait for the same others: they share a list. */
static bool copy_partners(struct live_job *job, struct live_process *process, uint32_t before,
                          uint64_t identity)
{
	for (uint32_t i = 0; i < before; i++) {
		const struct live_process *other = job->processes.items[i];
		if (!has_waited(other) || other->info != process->info ||
		    !is_in_collective(other, identity) || !other->is_counted || !process->is_counted ||
		    count_entered(other, identity) != count_entered(process, identity))
			continue;
		process->partners = other->partners;
		process->partner_count = other->partner_count;
		return true;
	}
	return false;
}

/* Not said by MPI, but true of its libraries: whoever is in MPI_Finalize waits for all that are not. */
static void add_unfinished(struct live_job *job, struct live_process *process, uint32_t before)
{
	for (uint32_t i = 0; i < before; i++) {
		const struct live_process *other = job->processes.items[i];
		if (!has_waited(other) || other->info != process->info || other->world != process->world)
			continue;
		process->partners = other->partners;
		process->partner_count = other->partner_count;
		return;
	}
	for (uint32_t i = 0; i < job->processes.count; i++) {
		const struct live_process *other = job->processes.items[i];
		bool is_ending = other->state == LIVE_FINISHED || other->state == LIVE_STARTING ||
		                 (other->info && other->info == process->info);

		if (other->world == process->world && !is_ending)
			arena_add(&job->look, process->partners, process->partner_count, i);
	}
}

/* Who has notified may compute: then nobody can tell who is missing. */
static bool splits_barriers(const struct live_job *job)
{
	for (size_t i = 0; i < job->processes.count; i++)
		if (job->processes.items[i]->splits_barriers)
			return true;
	return false;
}

static void add_late_members(struct live_job *job, uint32_t number, const struct live_order *order)
{
	struct live_process *process = job->processes.items[number];

	if (call_is_upc(process->info) && splits_barriers(job))
		return;
	if (strcmp(process->info->meets, "all") != 0 || !copy_partners(job, process, number, order->identity))
		add_members(job, process, order);
}

/* Windows */

struct window_members {
	struct live_job *job;
	struct live_process *process;
	const struct comm *comm;
};

static struct live_process *window_member(void *context, int64_t rank)
{
	const struct window_members *members = context;
	uint32_t number = member_of(members->job, members->comm, rank);

	return number == LIVE_NONE ? NULL : members->job->processes.items[number];
}

static void add_window_member(void *context, int64_t rank)
{
	const struct window_members *members = context;

	add_partner(members->job, members->process, member_of(members->job, members->comm, rank));
}

/* A process may be a target of its own. */
static void add_window_partners(struct live_job *job, struct live_process *process)
{
	uint64_t identity = live_comm_of(process, process->call);
	const struct comm *comm = find_group(job, identity);
	const struct comm *own = comm ? find_comm(process->followed->process, identity) : NULL;
	struct window_members members = {job, process, comm};

	if (own)
		live_windows_wait(&(struct live_window_wait){.process = process,
		                                             .own = (int64_t)own->rank,
		                                             .size = (int64_t)comm->size,
		                                             .context = &members,
		                                             .member = window_member,
		                                             .add = add_window_member});
}

static bool is_on_window(const struct live_process *process)
{
	return process->info->class == CLASS_ONE_SIDED || process->info->class == CLASS_EPOCH;
}

static void find_partners(struct live_job *job, uint32_t number)
{
	static const char *const waits[] = {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome"};
	struct live_process *process = job->processes.items[number];
	struct live_operation operation;
	struct live_order order;

	if (process->state != LIVE_IN_CALL || process->for_ns < LIVE_WAIT_LEAST_NS)
		return;
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		if (strcmp(process->info->name, waits[i]) == 0) {
			add_requests(job, process);
			process->needs_one = i >= 2 && process->partner_count + process->needs_any > 1;
			return;
		}
	operation = live_operation_of(process->call, process->info);
	if (strcmp(process->info->name, "MPI_Finalize") == 0)
		add_unfinished(job, process, number);
	else if (live_order_of(process, process->call, process->info, &order))
		add_late_members(job, number, &order);
	else if (is_on_window(process))
		add_window_partners(job, process);
	else if (!call_is_upc(process->info))
		add_operation(job, process, &operation);
}

/* Whom most wait for */

static bool waits(const struct live_process *process)
{
	return process->partner_count && !process->needs_one;
}

/* Who waits for each process: `first` has the place of its first waiter in `from`, and behind the last one the end. */
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

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* All that wait for a process, directly or through others. `mark` differs from search to search. */
static void find_waiters(struct live_job *job, const struct reverse_waits *reversed, uint32_t *marks,
                         struct live_awaited *awaited, size_t *steps)
{
	uint32_t mark = awaited->process + 1, done = 0;
	uint32_t at = awaited->process;

	awaited->waiters = arena_array(&job->look, uint32_t, job->processes.count + 1);
	for (;;) {
		for (uint32_t i = reversed->first[at]; i < reversed->first[at + 1] && *steps < STEPS_MOST;
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
	qsort(awaited->waiters, awaited->waiter_count, sizeof *awaited->waiters, ascending);
}

/* Of equal ones the lowest rank first: in which order processes were seen depends on the file system. */
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
	for (uint32_t i = 0; i < job->processes.count && steps < STEPS_MOST; i++)
		if (waits(job->processes.items[i]) && !marks[i])
			arena_add(&job->look, job->circle, job->circle_count, i);
}

void live_waits_find(struct live_job *job)
{
	job->awaited = NULL;
	job->circle = NULL;
	job->awaited_count = job->circle_count = 0;
	for (uint32_t i = 0; i < job->processes.count; i++)
		find_partners(job, i);
	find_awaited(job);
}
