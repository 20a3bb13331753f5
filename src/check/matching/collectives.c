#include "check/matching/collectives.h"

#include "calls/ids.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	MISSING_REPORTED = 64,
	CALLS_KEPT =
		64, /* of a communicator with so many members, all calls of an instance are known to its end */
};

/* Members called different functions before: what follows says nothing. */
static bool is_behind_break(const struct analysed_comm *comm, uint64_t sequence)
{
	return comm->is_broken && sequence > comm->broken_at;
}

static struct collective_instance *new_instance(struct analysed_comm *comm, struct analysed_call *call)
{
	struct collective_instance *instance = memory_new(1, sizeof *instance);

	sequence_ring_add(&comm->instances, instance);
	instance->reference = call_keep(call);
	if (needs_all_calls(call) || comm_members(comm) <= CALLS_KEPT)
		instance->calls = memory_new(comm_members(comm), sizeof(struct analysed_call *));
	return instance;
}

/* Ranks as text, not too many. */
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

static const struct comm_member *member_of(const struct analysed_comm *comm,
                                           const struct analysed_process *process)
{
	const uint32_t *number = process ? map_find(&process->by_comm, map_key(comm->identity, 0)) : NULL;

	return number ? process->memberships.items[*number] : NULL;
}

/* Has it called MPI_Finalize in this instance? */
static bool has_left(const struct analysed_comm *comm, const struct analysed_process *process,
                     uint64_t sequence)
{
	const struct comm_member *member = member_of(comm, process);

	return member && member->has_left && member->next == sequence + 1;
}

static void replace(struct checked_run *run, struct analysed_call **place, struct analysed_call *call)
{
	if (call)
		call_keep(call);
	if (*place)
		call_drop(&run->known, *place);
	*place = call;
}

static void free_instance(struct checked_run *run, struct analysed_comm *comm,
                          struct collective_instance *instance)
{
	run->waiting -= instance->arrived;
	replace(run, &instance->reference, NULL);
	replace(run, &instance->lowest, NULL);
	replace(run, &instance->differing, NULL);
	replace(run, &instance->rooted, NULL);
	replace(run, &instance->root, NULL);
	for (uint32_t i = 0; instance->calls && i < comm_members(comm); i++)
		replace(run, &instance->calls[i], NULL);
	free(instance->calls);
	free(instance);
}

static void report_missing(struct checked_run *run, const struct analysed_call *call,
                           const struct missing_list *missing)
{
	struct report_draft report;

	report_begin(&report, CHECK_COLLECTIVE_MISSING_MEMBER);
	report_call(&report, call, NOTE_HERE);
	report_value(&report, "comm", "%s", call->member->comm->name);
	report_value(&report, "missing", "%s", missing->text);
	report_end(&report, run->log);
}

/* What the member at this place called; NULL: that is not known, or it left. A large communicator knows only those who have not gone on. */
static const struct analysed_call *call_of(const struct analysed_comm *comm,
                                           const struct collective_instance *instance, uint64_t sequence,
                                           uint32_t place)
{
	const struct comm_member *member = member_of(comm, comm->members[place]);
	const struct analysed_call *call = NULL;

	if (instance->calls)
		call = instance->calls[place];
	else if (member && member->next == sequence + 1)
		call = member->last;
	return call && call->function != CALL_Finalize ? call : NULL;
}

/* It waited for ever, and the run was ended because of that: it is reported already. `ends` is NULL before the end. */
static bool was_stopped(const struct analysed_call *call, const struct process_ends *ends)
{
	return ends && process_was_stopped(ends, call->process->world, call->process->rank);
}

/* To each of those who are there; if nobody knows them, to one. */
static void report_missing_to_all(struct checked_run *run, const struct analysed_comm *comm,
                                  const struct collective_instance *instance, uint64_t sequence,
                                  const struct missing_list *missing, const struct process_ends *ends)
{
	const struct analysed_call *lowest = instance->lowest ? instance->lowest : instance->reference;
	uint32_t reported = 0, stopped = 0;

	for (uint32_t place = 0; place < comm_members(comm) && reported < MISSING_REPORTED; place++) {
		const struct analysed_call *call = call_of(comm, instance, sequence, place);
		if (!call)
			continue;
		if (was_stopped(call, ends)) {
			stopped++;
			continue;
		}
		report_missing(run, call, missing);
		reported++;
	}
	/* All who are there have left, too: nobody waits. */
	if (lowest->function == CALL_Finalize)
		lowest = instance->differing;
	if (!reported && !stopped && lowest && !was_stopped(lowest, ends))
		report_missing(run, lowest, missing);
}

/* Those who left instead of taking part. */
static void report_leavers(struct checked_run *run, const struct analysed_comm *comm, uint64_t sequence,
                           const struct collective_instance *instance, const struct process_ends *ends)
{
	struct missing_list missing = {0};

	for (uint32_t place = 0; place < comm_members(comm); place++)
		if (comm->members[place] && has_left(comm, comm->members[place], sequence))
			add_missing(&missing, comm, place);
	report_missing_to_all(run, comm, instance, sequence, &missing, ends);
}

/* Those who left are reported at the end only. */
static void report_instance(struct checked_run *run, const struct analysed_comm *comm, uint64_t sequence,
                            const struct collective_instance *instance, const struct process_ends *ends)
{
	if (is_behind_break(comm, sequence))
		return;
	if (instance->has_leavers && instance->differing)
		report_leavers(run, comm, sequence, instance, ends);
	else if (instance->differing && collectives_agree(run->log, instance->lowest, instance->differing))
		collectives_agree(run->log, instance->reference, instance->differing);
	else if (instance->contradicts_itself && !instance->differing)
		collectives_agree(run->log, instance->reference, instance->reference);
}

/* The first: members come to instances in order, so that they are completed in order. */
static void complete(struct checked_run *run, struct analysed_comm *comm)
{
	const uint64_t sequence = comm->instances.first;
	struct collective_instance *instance = sequence_ring_get(&comm->instances, sequence);

	report_instance(run, comm, sequence, instance, NULL);
	if (instance->rooted && instance->root && is_same_collective(instance->root, instance->rooted))
		roots_agree(run->log, instance->root, instance->rooted);
	if (needs_all_calls(instance->reference) && !comm->is_broken && !instance->differing &&
	    !instance->has_rejected)
		check_lists(run, instance);
	free_instance(run, comm, sequence_ring_take(&comm->instances));
}

static void know_member(struct analysed_comm *comm, const struct analysed_call *call)
{
	if (!comm->members)
		comm->members = memory_new(comm_members(comm), sizeof(struct analysed_process *));
	comm->members[member_place(call->member)] = call->process;
}

static void keep_lowest(struct checked_run *run, struct analysed_call **lowest, struct analysed_call *call)
{
	if (!*lowest || member_place(call->member) < member_place((*lowest)->member))
		replace(run, lowest, call);
}

/* Roots of an intercommunicator are those that one side gives: the reference may be of the other. */
static void check_rooted(struct checked_run *run, struct collective_instance *instance,
                         struct analysed_call *call)
{
	struct analysed_call **first = call->root >= 0    ? &instance->rooted
	                               : gives_root(call) ? &instance->root
	                                                  : NULL;

	if (!first)
		return;
	if (*first)
		roots_agree(run->log, call, *first);
	keep_lowest(run, first, call);
}

static bool agrees(struct checked_run *run, struct collective_instance *instance, struct analysed_call *call)
{
	const struct analysed_call *other = instance->reference;
	bool is_inter = comm_is_inter(call->member->comm);

	if (call->partner == other->serial && !is_inter)
		return call->finding == FINDING_NONE;
	call->partner = other->serial;
	call->finding = collectives_agree(NULL, call, other) ? FINDING_NONE : 0;
	if (is_inter) {
		check_rooted(run, instance, call);
		/* Those that have nothing to do with the data say nothing about it. */
		if (!has_common_data(other) && has_common_data(call))
			replace(run, &instance->reference, call);
	}
	return call->finding == FINDING_NONE;
}

/* Members make different calls: behind them nobody knows which belong together. */
static void break_order(struct analysed_comm *comm, uint64_t sequence)
{
	if (!comm->is_broken || sequence < comm->broken_at)
		comm->broken_at = sequence;
	comm->is_broken = true;
}

/* What was wrong with a call that MPI rejected is reported. The others may have left it out. */
static void join_rejected(struct collective_instance *instance, const struct analysed_call *call,
                          uint64_t sequence)
{
	instance->has_rejected = true;
	if (!is_same_collective(call, instance->reference))
		break_order(call->member->comm, sequence);
}

static void join(struct checked_run *run, struct collective_instance *instance, struct analysed_call *call,
                 uint64_t sequence)
{
	bool fits;

	if (instance->reference->flags & CHECK_CALL_REJECTED) {
		join_rejected(instance, call, sequence);
		replace(run, &instance->reference, call);
	}
	fits = agrees(run, instance, call);
	/* A root may take another amount than it gives itself. */
	if (!instance->lowest)
		instance->contradicts_itself = !fits;
	if (fits || !instance->lowest) {
		keep_lowest(run, &instance->lowest, call);
		return;
	}
	keep_lowest(run, &instance->differing, call);
	if (is_same_collective(call, instance->reference))
		return;
	instance->has_leavers |= call->function == CALL_Finalize ||
	                         instance->reference->function == CALL_Finalize;
	break_order(call->member->comm, sequence);
}

void collective_event(struct checked_run *run, struct analysed_call *call)
{
	struct comm_member *member = call->member;
	struct analysed_comm *comm = member->comm;
	struct collective_instance *instance;

	if (!member->next)
		know_member(comm, call);
	/* A number behind what is complete: somebody said that it is another's. */
	if (member->next < comm->instances.first)
		return;
	run->waiting++;
	instance = sequence_ring_find(&comm->instances, member->next);
	if (!instance)
		instance = new_instance(comm, call);
	member->next++;
	if (member->last != call)
		replace(run, &member->last, call);
	member->has_left |= call->function == CALL_Finalize;
	instance->arrived++;
	if (instance->calls && !instance->calls[member_place(member)])
		replace(run, &instance->calls[member_place(member)], call);
	/* What follows a broken instance is not compared, but the instance itself is until it is over. */
	if (call->flags & CHECK_CALL_REJECTED)
		join_rejected(instance, call, member->next - 1);
	else if (!is_behind_break(comm, member->next - 1))
		join(run, instance, call, member->next - 1);
	/* Who left makes no further call: what is behind this one is never complete, either. */
	if (instance->arrived == comm_members(comm) && !instance->has_leavers)
		complete(run, comm);
}

void collectives_free(struct checked_run *analysis)
{
	for (size_t i = 0; i < analysis->known.comms.count; i++) {
		struct analysed_comm *comm = analysis->known.comms.items[i];
		while (comm && comm->instances.count)
			free_instance(analysis, comm, sequence_ring_take(&comm->instances));
	}
}

/* What is left at the end */

static bool has_come(const struct analysed_comm *comm, const struct analysed_process *process)
{
	const struct comm_member *member = member_of(comm, process);

	return member && member->next > comm->instances.first;
}

/* Has the member at this place ended, so that it never comes? That of MPI_COMM_WORLD is known by its rank, others only if they
 * came to a collective call before. */
static bool never_comes(const struct analysed_comm *comm, uint32_t place, const struct process_ends *ends)
{
	const struct analysed_process *process = comm->members[place];
	const struct collective_instance *instance = sequence_ring_get(&comm->instances,
	                                                               comm->instances.first);
	const struct analysed_process *other = instance->reference->process;

	if (ends->all_finalized)
		return true;
	if (process)
		return process_has_finalized(ends, process->world, process->rank);
	return strcmp(comm->name, "MPI_COMM_WORLD") == 0 && comm->size[0] == other->size &&
	       process_has_finalized(ends, other->world, place);
}

static bool waits_for_ever(const struct analysed_process *process, const struct process_ends *ends)
{
	return process_has_finalized(ends, process->world, process->rank) ||
	       process_is_stuck(ends, process->world, process->rank);
}

/* False: nobody knows whether one of them would still have come. */
static bool list_missing(const struct analysed_comm *comm, const struct process_ends *ends,
                         struct missing_list *missing)
{
	for (uint32_t place = 0; place < comm_members(comm); place++) {
		if (has_come(comm, comm->members[place])) {
			if (!waits_for_ever(comm->members[place], ends))
				return false;
			continue;
		}
		if (!never_comes(comm, place, ends))
			return false;
		add_missing(missing, comm, place);
	}
	return true;
}

static void check_first(struct checked_run *run, const struct analysed_comm *comm,
                        const struct process_ends *ends)
{
	const uint64_t sequence = comm->instances.first;
	const struct collective_instance *instance = sequence_ring_get(&comm->instances, sequence);
	struct missing_list missing = {0};

	if (!comm->is_broken && ends->is_known && list_missing(comm, ends, &missing))
		report_missing_to_all(run, comm, instance, sequence, &missing, ends);
}

void check_leftover_collectives(struct checked_run *run, const struct process_ends *ends)
{
	for (size_t i = 0; i < run->known.comms.count; i++) {
		const struct analysed_comm *comm = run->known.comms.items[i];
		if (!comm)
			continue;
		for (uint32_t j = 0; j < comm->instances.count; j++) {
			const uint64_t sequence = comm->instances.first + j;
			report_instance(run, comm, sequence, sequence_ring_get(&comm->instances, sequence),
			                ends);
		}
		if (comm->instances.count)
			check_first(run, comm, ends);
	}
}
