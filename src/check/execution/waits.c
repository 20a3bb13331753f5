/* The operations and processes that blocked threads wait for. */
#include "calls/ids.h"
#include "check/execution/execution_parts.h"

struct wait_visit {
	struct execution *execution;
	struct executed_thread *thread;
	wait_add *add;
	void *owner;
	uint32_t group;
	bool is_any; /* all operations of the thread are one group */
};

static void add_unknown(const struct wait_visit *visit, struct executed_operation *operation)
{
	visit->add(visit->owner, visit->thread, visit->group, visit->is_any, NULL, NULL, WAIT_MESSAGE,
	           operation);
}

static void add_process(const struct wait_visit *visit, const struct analysed_comm *comm, uint32_t side,
                        uint32_t rank, const char *why, struct executed_operation *operation)
{
	struct executed_process *process = execution_member(visit->execution, comm, side, rank);
	const struct execution *execution = visit->execution;
	const struct analysed_call *call = operation->call;
	const bool is_exchange = call->function == CALL_Intercomm_create &&
	                         call->operation != OPERATION_COLLECTIVE;

	/* Only leaders announce the communicator of their exchange. */
	for (size_t i = 0; is_exchange && !process && i < execution->processes.count; i++)
		if (execution->processes.items[i]->known->world == call->process->world &&
		    (int64_t)execution->processes.items[i]->known->rank == call->peer_in_world)
			process = execution->processes.items[i];
	visit->add(visit->owner, visit->thread, visit->group, visit->is_any, process, process ? comm : NULL,
	           why, operation);
}

static void add_message(const struct wait_visit *visit, struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const bool is_inter = member->comm->size[0] && member->comm->size[1];
	const uint32_t side = is_inter ? !member->side : member->side;
	const bool sends = operation->call->operation == OPERATION_SEND;
	const int32_t peer = sends ? operation->call->peer : operation->source;

	if (message_is_undecided(operation)) {
		add_unknown(visit, operation);
		return;
	}
	/* This receive gets the message if the earlier receive gets another one. */
	if (!sends && peer >= 0 && message_has_rivals(operation)) {
		struct wait_visit one_of = *visit;
		one_of.is_any = true;
		add_process(&one_of, member->comm, side, (uint32_t)peer, WAIT_MESSAGE, operation);
	} else if (peer >= 0) {
		add_process(visit, member->comm, side, (uint32_t)peer, sends ? WAIT_RECEIVE : WAIT_MESSAGE,
		            operation);
	}
	if (peer < 0 || (!sends && message_has_rivals(operation)))
		visit->add(visit->owner, visit->thread, visit->group, true, NULL, member->comm, WAIT_MESSAGE,
		           operation);
}

static void add_neighbours(const struct wait_visit *visit, struct executed_operation *operation,
                           const int32_t *ranks, uint32_t count)
{
	const struct executed_collective *collective = operation->collective;

	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] >= 0 && (uint32_t)ranks[i] < collective->comm->size[0] &&
		    !collective->members[ranks[i]])
			add_process(visit, collective->comm, 0, (uint32_t)ranks[i], WAIT_COLLECTIVE,
			            operation);
}

static void add_members(const struct wait_visit *visit, struct executed_operation *operation)
{
	const struct executed_collective *collective = operation->collective;
	const struct analysed_comm *comm = collective->comm;
	const uint32_t own = place_of(operation->call->member);
	struct wait_visit one_of = *visit;

	/* MPI may continue with the help of any member. */
	one_of.is_any |= collective->disagrees;
	for (uint32_t i = 0; i < comm->size[0] + comm->size[1]; i++) {
		const struct executed_operation *other = collective->members[i];
		const uint32_t side = i >= comm->size[0];
		if (!other || (collective->disagrees && i != own) ||
		    (collective->differs && !is_same_collective(other->call, operation->call)))
			add_process(&one_of, comm, side, i - (side ? comm->size[0] : 0),
			            collective->disagrees ? WAIT_MATCH : WAIT_COLLECTIVE, operation);
	}
}

static void add_collective(const struct wait_visit *visit, struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;

	if (!operation->collective) {
		add_unknown(visit, operation);
	} else if (operation->collective->is_neighbourhood && !operation->collective->differs) {
		add_neighbours(visit, operation, member->sources, member->source_count);
		add_neighbours(visit, operation, member->dests, member->dest_count);
	} else {
		add_members(visit, operation);
	}
}

void execution_waits_of(struct execution *execution, struct executed_thread *thread, wait_add *add,
                        void *owner)
{
	struct wait_visit visit = {.execution = execution, .thread = thread, .add = add, .owner = owner};

	if (thread->blocked == BLOCKED_WINDOW)
		window_waits(execution, thread, add, owner);
	if (thread->blocked == BLOCKED_THREAD)
		add(owner, thread, 0, false, thread->process, NULL, WAIT_COLLECTIVE, NULL);
	if (thread->blocked != BLOCKED_OPERATIONS)
		return;
	visit.is_any = thread->is_any;
	for (size_t i = 0; i < thread->waits.count; i++) {
		struct executed_operation *operation = thread->waits.items[i];
		if (operation_is_done(operation))
			continue;
		if (!(operation->state & OPERATION_BEGUN))
			add_unknown(&visit, operation);
		else if (operation->call->operation == OPERATION_COLLECTIVE)
			add_collective(&visit, operation);
		else
			add_message(&visit, operation);
		if (!visit.is_any)
			visit.group++;
	}
}

/* A tested thread never waited. */
void execution_waits(struct execution *execution, struct executed_thread *thread, wait_add *add, void *owner)
{
	const struct wait_visit visit = {
		.execution = execution, .thread = thread, .add = add, .owner = owner};

	if (thread->is_tested)
		add_unknown(&visit, thread->waits.items[0]);
	else
		execution_waits_of(execution, thread, add, owner);
}
