#include "check/matching/collectives.h"

#include "calls/ids.h"

#include <inttypes.h>
#include <stdio.h>

enum { MISSING_REPORTED = 64 };

/* From here on it is unknown which calls belong together. */
static void break_order(struct analysed_comm *comm, uint64_t sequence)
{
	if (!comm->is_broken || sequence < comm->broken_at)
		comm->broken_at = sequence;
	comm->is_broken = true;
}

/* Rejected calls */

void rejection_add(struct comm_member *member)
{
	const size_t count = member->rejected.count;

	member->comm->has_rejected = true;
	if (member->comm->is_broken)
		return;
	if (count && member->rejected.items[count - 1].next == member->collective_count)
		member->rejected.items[count - 1].count++;
	else
		array_add(&member->rejected,
		          (struct rejected_run){.next = member->collective_count, .count = 1});
}

/* The number of calls of the member that were rejected before its call of this instance. Instances arrive
 * in order. A process that is ahead has also reported later rejections. */
static uint64_t rejected_before(struct comm_member *member, uint64_t sequence)
{
	struct rejected_run *calls = member->rejected.items;
	size_t *head = &member->rejected_head;

	while (*head < member->rejected.count && calls[*head].next <= sequence)
		member->rejected_count += calls[(*head)++].count;
	if (*head && *head >= member->rejected.count / 2) {
		member->rejected.count -= *head;
		memmove(calls, calls + *head, member->rejected.count * sizeof *calls);
		*head = 0;
	}
	return member->rejected_count;
}

/* MPI rejected a call of some members. The others may have made it, or skipped it. */
static bool has_rejected_some(const struct analysed_comm *comm, uint64_t sequence)
{
	uint64_t first = 0;

	for (uint32_t place = 0; comm->has_rejected && place < comm_places(comm); place++) {
		const struct analysed_process *process = comm->members[place];
		struct comm_member *member = process ? process_membership(process, comm->identity) : NULL;
		const uint64_t rejected = member ? rejected_before(member, sequence) : 0;

		first = place ? first : rejected;
		if (!member || rejected != first)
			return true;
	}
	return false;
}

/* Comparing */

/* Caches the answer for the next time. */
static bool agrees_with(struct analysed_call *call, const struct analysed_call *other, bool is_inter)
{
	if (call->partner != other->serial || is_inter)
		call->finding = collectives_agree(NULL, call, other) ? FINDING_NONE : 0;
	call->partner = other->serial;
	return call->finding == FINDING_NONE;
}

static void join(struct checked_run *run, struct collective_instance *instance, struct analysed_call *call)
{
	const bool is_inter = comm_is_inter(instance->comm);
	const struct analysed_call *other;
	struct analysed_call **first;
	bool fits;

	if (!instance->reference)
		instance->reference = call;
	other = instance->reference;
	fits = agrees_with(call, other, is_inter);
	/* On an intercommunicator only one side passes a root: the reference may belong to the other side. */
	first = !is_inter          ? NULL
	        : call->root >= 0  ? &instance->rooted
	        : gives_root(call) ? &instance->root
	                           : NULL;
	if (first && *first)
		roots_agree(run->log, call, *first);
	else if (first)
		*first = call;
	/* Members without data cannot serve as the reference. */
	if (is_inter && !has_common_data(other) && has_common_data(call))
		instance->reference = call;
	if (!instance->lowest) {
		/* A root may receive another amount than it sends itself. */
		instance->contradicts_itself = !fits;
		instance->lowest = call;
	} else if (!fits && !instance->differing) {
		instance->differing = call;
	}
}

/* False: they cannot be compared. */
static bool compare(struct checked_run *run, const struct executed_collective *collective,
                    struct collective_instance *instance)
{
	struct analysed_comm *comm = collective->comm;

	*instance = (struct collective_instance){.comm = comm, .collective = collective};
	if (!collective->arrived || call_is_start(collective->first) ||
	    (comm->is_broken && collective->sequence > comm->broken_at))
		return false;
	if (has_rejected_some(comm, collective->sequence)) {
		break_order(comm, collective->sequence);
		return false;
	}
	for (uint32_t place = 0; place < comm_places(comm); place++)
		if (instance_call(instance, place))
			join(run, instance, instance_call(instance, place));
	if (collective->differs)
		break_order(comm, collective->sequence);
	return instance->reference != NULL;
}

/* Members that are missing */

/* Ranks as text, limited in length. */
struct missing_list {
	char text[256];
	size_t used;
};

static void add_missing(struct missing_list *missing, const struct analysed_comm *comm, uint32_t place)
{
	size_t left = sizeof missing->text - missing->used;
	uint32_t rank = place < comm->size[0] ? place : place - comm->size[0];

	if (left > 32) {
		missing->used += (size_t)snprintf(missing->text + missing->used, left, "%s%" PRIu32,
		                                  missing->used ? ", " : "", rank);
	} else if (left) {
		snprintf(missing->text + missing->used, left, ", …");
		missing->used = sizeof missing->text;
	}
}

/* For each member that has arrived and has not left. */
static void report_missing(struct checked_run *run, const struct collective_instance *instance,
                           const struct missing_list *missing, const struct process_ends *ends)
{
	uint32_t reported = 0;

	for (uint32_t place = 0; place < comm_places(instance->comm) && reported < MISSING_REPORTED;
	     place++) {
		const struct analysed_call *call = instance_call(instance, place);

		/* A process that waited for ever was stopped for that reason, which is already reported. */
		if (!call || call->function == CALL_Finalize ||
		    process_was_stopped(ends, call->process->world, call->process->rank))
			continue;
		report_finding(run->log, CHECK_COLLECTIVE_MISSING_MEMBER, 1, CALLS({call, NOTE_HERE}),
		               "comm=%s" AND "missing=%s", instance->comm->name, missing->text);
		reported++;
	}
}

/* Members that finalized instead of taking part. */
static void report_leavers(struct checked_run *run, const struct collective_instance *instance,
                           const struct process_ends *ends)
{
	struct missing_list missing = {0};

	for (uint32_t place = 0; place < comm_places(instance->comm); place++) {
		const struct analysed_call *call = instance_call(instance, place);
		if (call && call->function == CALL_Finalize)
			add_missing(&missing, instance->comm, place);
	}
	report_missing(run, instance, &missing, ends);
}

/* Results */

static void report_differences(struct checked_run *run, const struct collective_instance *instance)
{
	if (instance->differing && collectives_agree(run->log, instance->lowest, instance->differing))
		collectives_agree(run->log, instance->reference, instance->differing);
	else if (instance->contradicts_itself && !instance->differing)
		collectives_agree(run->log, instance->reference, instance->reference);
}

void check_collective(struct checked_run *run, const struct executed_collective *collective)
{
	struct collective_instance instance;

	if (!compare(run, collective, &instance))
		return;
	report_differences(run, &instance);
	if (instance.rooted && instance.root && is_same_collective(instance.root, instance.rooted))
		roots_agree(run->log, instance.root, instance.rooted);
	if (needs_all_calls(instance.reference) && !collective->comm->is_broken && !instance.differing)
		lists_fit(run->log, &instance);
}

bool collective_disagrees(const struct executed_collective *collective)
{
	struct collective_instance instance = {.comm = collective->comm, .collective = collective};
	struct analysed_call *first = instance.reference = instance_call(&instance, 0);

	if (!first || comm_is_inter(collective->comm) || collective->comm->has_rejected ||
	    call_is_start(first) || !moves_data(first))
		return false;
	for (uint32_t place = 0; place < comm_places(collective->comm); place++)
		if (!agrees_with(instance_call(&instance, place), first, false))
			return true;
	return needs_all_calls(first) && !lists_fit(NULL, &instance);
}

/* Operations left at the end */

/* True if the member at this place has ended and will never arrive. Members of MPI_COMM_WORLD are known by
 * their rank, others only if they announced the communicator. */
static bool never_comes(const struct collective_instance *instance, uint32_t place,
                        const struct process_ends *ends)
{
	const struct analysed_comm *comm = instance->comm;
	const struct analysed_process *process = comm->members[place];
	const struct analysed_process *other = instance->reference->process;

	if (ends->all_finalized)
		return true;
	if (process)
		return process_has_finalized(ends, process->world, process->rank);
	return strcmp(comm->name, "MPI_COMM_WORLD") == 0 && comm->size[0] == other->size &&
	       process_has_finalized(ends, other->world, place);
}

/* False: it is unknown whether one of the missing members would still have arrived. */
static bool list_missing(const struct collective_instance *instance, const struct process_ends *ends,
                         struct missing_list *missing)
{
	for (uint32_t place = 0; place < comm_places(instance->comm); place++) {
		const struct analysed_call *call = instance_call(instance, place);
		const struct analysed_process *there = call ? call->process : NULL;
		if (there ? !process_has_finalized(ends, there->world, there->rank) &&
		                    !process_is_stuck(ends, there->world, there->rank)
		          : !never_comes(instance, place, ends))
			return false;
		if (!call)
			add_missing(missing, instance->comm, place);
	}
	return true;
}

static void check_leftover(struct checked_run *run, const struct executed_collective *collective,
                           bool is_first, const struct process_ends *ends)
{
	struct collective_instance instance;
	struct missing_list missing = {0};

	if (!compare(run, collective, &instance))
		return;
	if (collective->has_leavers && instance.differing)
		report_leavers(run, &instance, ends);
	else
		report_differences(run, &instance);
	if (is_first && !collective->comm->is_broken && ends->is_known &&
	    list_missing(&instance, ends, &missing))
		report_missing(run, &instance, &missing, ends);
}

void check_leftover_collectives(struct checked_run *run, const struct process_ends *ends)
{
	for (size_t i = 0; i < run->known.comms.count; i++) {
		const struct analysed_comm *comm = run->known.comms.items[i];
		const struct executed_collective *collective;
		for (uint32_t j = 0; comm && (collective = execution_open_collective(comm, j)); j++)
			check_leftover(run, collective, !j, ends);
	}
}
