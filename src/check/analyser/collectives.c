#include "check/analyser/collectives.h"

#include <inttypes.h>
#include <stdio.h>

static struct collective_instance **instance_place(const struct analysed_comm *comm, uint64_t sequence)
{
	return &comm->instances[(comm->head + (sequence - comm->first)) & (comm->instance_room - 1)];
}

static void grow(struct analysed_comm *comm)
{
	uint32_t room = comm->instance_room ? comm->instance_room * 2 : 4;
	struct collective_instance **larger = memory_new(room, sizeof *larger);

	for (uint32_t i = 0; i < comm->instance_count; i++)
		larger[i] = *instance_place(comm, comm->first + i);
	free(comm->instances);
	comm->instances = larger;
	comm->instance_room = room;
	comm->head = 0;
}

static struct collective_instance *new_instance(struct analysed_comm *comm, struct analysed_call *call)
{
	struct collective_instance *instance = memory_new(1, sizeof *instance);

	if (comm->instance_count == comm->instance_room)
		grow(comm);
	*instance_place(comm, comm->first + comm->instance_count++) = instance;
	instance->reference = call_keep(call);
	instance->lowest = call_keep(call);
	if (needs_all_calls(call))
		instance->calls = memory_new(comm_members(comm), sizeof(struct analysed_call *));
	return instance;
}

static void free_instance(struct checked_run *analysis, struct analysed_comm *comm,
                          struct collective_instance *instance)
{
	analysis->waiting -= instance->arrived;
	call_drop(&analysis->known, instance->reference);
	call_drop(&analysis->known, instance->lowest);
	if (instance->rooted)
		call_drop(&analysis->known, instance->rooted);
	for (uint32_t i = 0; instance->calls && i < comm_members(comm); i++)
		if (instance->calls[i])
			call_drop(&analysis->known, instance->calls[i]);
	free(instance->calls);
	free(instance);
}

/* The first: members come to instances in order, so that they are completed in order. */
static void complete(struct checked_run *analysis, struct analysed_comm *comm)
{
	struct collective_instance *instance = *instance_place(comm, comm->first);

	if (instance->calls && !comm->is_broken)
		check_lists(analysis, instance);
	free_instance(analysis, comm, instance);
	comm->first++;
	comm->head = (comm->head + 1) & (comm->instance_room - 1);
	comm->instance_count--;
}

static void know_member(struct analysed_comm *comm, const struct analysed_call *call)
{
	if (!comm->members)
		comm->members = memory_new(comm_members(comm), sizeof(struct analysed_process *));
	comm->members[member_place(call->member)] = call->process;
}

void collective_event(struct checked_run *analysis, struct analysed_call *call)
{
	struct comm_member *member = call->member;
	struct analysed_comm *comm = member->comm;
	struct collective_instance *instance;

	if (!member->next)
		know_member(comm, call);
	/* A number behind what is complete: somebody said that it is another's. */
	if (member->next < comm->first)
		return;
	analysis->waiting++;
	if (member->next - comm->first >= comm->instance_count)
		instance = new_instance(comm, call);
	else
		instance = *instance_place(comm, member->next);
	member->next++;
	instance->arrived++;
	if (member_place(member) < member_place(instance->lowest->member)) {
		call_drop(&analysis->known, instance->lowest);
		instance->lowest = call_keep(call);
	}
	if (instance->calls && !instance->calls[member_place(member)])
		instance->calls[member_place(member)] = call_keep(call);
	if (!comm->is_broken)
		check_collective(analysis, instance, call);
	if (instance->arrived == comm_members(comm))
		complete(analysis, comm);
}

void collectives_free(struct checked_run *analysis)
{
	for (size_t i = 0; i < analysis->known.comms.count; i++) {
		struct analysed_comm *comm = analysis->known.comms.items[i];
		for (; comm->instance_count; comm->instance_count--, comm->first++) {
			free_instance(analysis, comm, *instance_place(comm, comm->first));
			comm->head = (comm->head + 1) & (comm->instance_room - 1);
		}
	}
}

/* What is left at the end */

static bool has_come(const struct analysed_comm *comm, const struct analysed_process *process)
{
	const uint32_t *number = process ? map_find(&process->by_comm, map_key(comm->identity, 0)) : NULL;

	return number && process->memberships.items[*number]->next > comm->first;
}

/* Has the member at this place ended, so that it never comes? That of MPI_COMM_WORLD is known by its rank, others only if they
 * came to a collective call before. */
static bool never_comes(const struct analysed_comm *comm, uint32_t place, const struct process_ends *ends)
{
	const struct analysed_process *process = comm->members[place];
	const struct analysed_process *other = (*instance_place(comm, comm->first))->reference->process;

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
static bool list_missing(const struct analysed_comm *comm, const struct process_ends *ends, char *list,
                         size_t size)
{
	size_t used = 0;

	*list = '\0';
	for (uint32_t place = 0; place < comm_members(comm); place++) {
		if (has_come(comm, comm->members[place])) {
			if (!waits_for_ever(comm->members[place], ends))
				return false;
			continue;
		}
		if (!never_comes(comm, place, ends))
			return false;
		if (used < size - 32) {
			uint32_t rank = place < comm->size[0] ? place : place - comm->size[0];
			used += (size_t)snprintf(list + used, size - used, "%s%" PRIu32, used ? ", " : "",
			                         rank);
		} else if (used < size - 16) {
			snprintf(list + used, size - used, ", …");
			used = size;
		}
	}
	return true;
}

static void check_first(struct checked_run *analysis, const struct analysed_comm *comm,
                        const struct process_ends *ends)
{
	const struct collective_instance *instance = *instance_place(comm, comm->first);
	struct report_draft report;
	char missing[256];

	if (comm->is_broken || !list_missing(comm, ends, missing, sizeof missing))
		return;
	report_begin(&report, CHECK_COLLECTIVE_MISSING_MEMBER);
	report_call(&report, instance->lowest, NOTE_HERE);
	report_value(&report, "comm", "%s", comm->name);
	report_value(&report, "missing", "%s", missing);
	report_end(&report, analysis->log);
}

void check_leftover_collectives(struct checked_run *analysis, const struct process_ends *ends)
{
	for (size_t i = 0; i < analysis->known.comms.count; i++)
		if (analysis->known.comms.items[i]->instance_count)
			check_first(analysis, analysis->known.comms.items[i], ends);
}
