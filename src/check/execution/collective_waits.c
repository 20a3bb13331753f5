/* Collective calls: the n-th calls of all members of a communicator, window or file belong together. Each
 * member waits for all others; in neighbourhood calls, for its neighbours. */
#include "calls/calls.h"
#include "calls/ids.h"
#include "check/execution/execution_parts.h"

/* A thread may make a call before an earlier one of another thread is executed; then both get an entry. */
static struct executed_collective *collective_get(struct executed_comm *comm, uint64_t sequence)
{
	struct sequence_ring *ring = &comm->collectives;

	while (ring->first + ring->count <= sequence) {
		struct executed_collective *collective = memory_new(1, sizeof *collective);
		collective->members = memory_new(comm->member_count, sizeof(struct executed_operation *));
		collective->comm = comm->known;
		collective->sequence = ring->first + ring->count;
		sequence_ring_add(ring, collective);
	}
	return sequence_ring_get(ring, sequence);
}

static void collective_free(struct execution *execution, struct executed_collective *collective)
{
	const uint32_t count = comm_places(collective->comm);

	for (uint32_t i = 0; i < count; i++)
		if (collective->members[i]) {
			collective->members[i]->collective = NULL;
			operation_release(execution, collective->members[i]);
		}
	free(collective->members);
	free(collective);
}

void collective_over(struct execution *execution, struct executed_collective *collective)
{
	/* All members have arrived, and all know it. */
	if (!--collective->open &&
	    (collective->is_complete || collective->arrived == comm_places(collective->comm)))
		collective_free(execution, collective);
}

bool is_same_collective(const struct analysed_call *a, const struct analysed_call *b)
{
	const uint32_t form = CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT;

	return all_calls[a->function].plain == all_calls[b->function].plain &&
	       (a->flags & form) == (b->flags & form);
}

static void match_member(struct execution *execution, struct executed_operation *operation)
{
	operation->state |= OPERATION_MATCHED;
	operation_done(execution, operation);
	operation_settled(execution, operation);
}

/* Members whose program has continued leave the call here; the others stay blocked. */
static void let_returned_pass(struct execution *execution, const struct executed_collective *collective)
{
	const uint32_t count = comm_places(collective->comm);

	for (uint32_t i = 0; i < count; i++) {
		struct executed_operation *operation = collective->members[i];
		if (operation && operation->state & OPERATION_RETURNED && !operation_is_done(operation)) {
			operation->state |= OPERATION_BUFFERED;
			operation_done(execution, operation);
		}
	}
}

static void complete(struct execution *execution, struct executed_collective *collective)
{
	const uint32_t count = comm_places(collective->comm);

	collective->is_complete = true;
	collective->disagrees = executed_comm_get(collective->comm)->is_disordered;
	LISTENERS_CALL(execution, all_there, collective);
	if (collective->disagrees)
		let_returned_pass(execution, collective);
	for (uint32_t i = 0; !collective->disagrees && i < count; i++)
		match_member(execution, collective->members[i]);
}

/* The member with this rank of an intracommunicator; NULL: it has not arrived, or is not a neighbour. */
static struct executed_operation *neighbour(const struct executed_collective *collective, int32_t rank)
{
	return rank >= 0 && (uint32_t)rank < collective->comm->size[0] ? collective->members[rank] : NULL;
}

/* A newly arrived member notifies its neighbours, and counts the neighbours that it waits for. */
static void join_neighbours(struct execution *execution, const struct executed_collective *collective,
                            struct executed_operation *operation, const int32_t *ranks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct executed_operation *other = neighbour(collective, ranks[i]);
		if (other == operation || ranks[i] < 0)
			continue;
		if (!other)
			operation->missing++;
		else if (other->missing && --other->missing == 0 && !(other->state & OPERATION_MATCHED))
			match_member(execution, other);
	}
}

static void join_neighbourhood(struct execution *execution, struct executed_collective *collective,
                               struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;

	join_neighbours(execution, collective, operation, member->sources, member->source_count);
	join_neighbours(execution, collective, operation, member->dests, member->dest_count);
	if (!operation->missing)
		match_member(execution, operation);
	if (collective->arrived == comm_places(collective->comm)) {
		collective->is_complete = true;
		LISTENERS_CALL(execution, all_there, collective);
	}
}

static void join(struct execution *execution, struct executed_collective *collective,
                 struct executed_operation *operation)
{
	if (!is_same_collective(collective->first, operation->call)) {
		collective->differs = true;
		collective->has_leavers |= operation->call->function == CALL_Finalize ||
		                           collective->first->function == CALL_Finalize;
		executed_comm_get(collective->comm)->is_disordered |=
			(all_calls[operation->call->function].class == CLASS_COLLECTIVE &&
		         all_calls[collective->first->function].class == CLASS_COLLECTIVE) ||
			all_calls[operation->call->function].pgas;
	}
	if (collective->differs)
		let_returned_pass(execution, collective);
	else if (collective->is_neighbourhood)
		join_neighbourhood(execution, collective, operation);
	else if (collective->arrived == comm_places(collective->comm))
		complete(execution, collective);
}

/* Complete calls are found through their members only. A process that has finalized makes no more calls, so
 * later calls cannot complete either. */
static void leave_ring(struct execution *execution, struct executed_comm *comm)
{
	while (comm->collectives.count) {
		struct executed_collective *collective = sequence_ring_get(&comm->collectives,
		                                                           comm->collectives.first);
		if (collective->arrived != comm->member_count || collective->has_leavers)
			return;
		LISTENERS_CALL(execution, gathered, collective);
		sequence_ring_take(&comm->collectives);
		/* Kept until now, so that it is not freed while it is in the ring. */
		collective_over(execution, collective);
	}
}

void collective_count(struct executed_operation *operation, const struct analysed_call *call)
{
	if (operation->state & OPERATION_COUNTED ||
	    call->member->comm->members[place_of(call->member)] != call->process)
		return;
	operation->sequence = call->member->next_collective++;
	operation->state |= OPERATION_COUNTED;
}

void collective_begins(struct execution *execution, struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;

	/* Another process claims to be this member. */
	if (member->comm->members[place_of(member)] != operation->process->known) {
		operation->state |= OPERATION_MATCHED;
		return;
	}
	collective_count(operation, operation->call);
	collective_joins(execution, operation);
}

static struct executed_collective *add_member(struct executed_comm *comm,
                                              struct executed_operation *operation)
{
	const uint32_t place = place_of(operation->call->member);
	struct executed_collective *collective = collective_get(comm, operation->sequence);

	if (!collective->arrived) {
		collective->first = operation->call;
		collective->is_neighbourhood = all_calls[operation->call->function].class ==
		                               CLASS_NEIGHBOURHOOD;
	}
	collective->members[place] = operation_keep(operation);
	collective->open += collective->arrived++ ? 0 : 1;
	if (!(operation->state & (OPERATION_DROPPED | OPERATION_VOID))) {
		collective->open++;
		operation->collective = collective;
	}
	return collective;
}

void learn_arrived(struct execution *execution, const struct process_fact *fact)
{
	struct executed_comm *comm = executed_comm_get(fact->operation->call->member->comm);

	join(execution, add_member(comm, fact->operation), fact->operation);
	leave_ring(execution, comm);
}

void collective_joins(struct execution *execution, struct executed_operation *operation)
{
	const struct execution_part *part = execution->part;

	if (part)
		part->joined(part->owner,
		             add_member(executed_comm_get(operation->call->member->comm), operation),
		             operation);
	else
		fact_tell(execution, NULL,
		          &(struct process_fact){.kind = FACT_ARRIVED, .operation = operation});
}

bool execution_complete(struct execution *execution, const struct analysed_comm *known, uint64_t sequence)
{
	struct executed_comm *comm = known->execution;
	struct executed_collective *collective;

	if (!comm || !comm->collectives.count || comm->collectives.first != sequence)
		return false;
	collective = sequence_ring_take(&comm->collectives);
	collective->is_complete = true;
	for (uint32_t i = 0; i < comm->member_count; i++)
		if (collective->members[i])
			match_member(execution, collective->members[i]);
	collective_over(execution, collective);
	return true;
}

struct executed_collective *execution_open_collective(const struct analysed_comm *comm, uint32_t number)
{
	const struct sequence_ring *ring = comm->execution ? &comm->execution->collectives : NULL;

	return ring && number < ring->count ? sequence_ring_get(ring, ring->first + number) : NULL;
}

void collectives_release(struct execution *execution, struct executed_comm *comm)
{
	while (comm->collectives.count)
		collective_free(execution, sequence_ring_take(&comm->collectives));
	sequence_ring_release(&comm->collectives);
}
