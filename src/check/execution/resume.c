/* A process continues where another execution stopped: its pending operations, in the order of their begin,
 * and the current call of its thread. Steps that its thread has not executed follow as events. */
#include "calls/ids.h"
#include "check/execution/execution_parts.h"

enum {
	OPEN_COLLECTIVES_MAX = 1 << 16, /* of a process */
	RESUMED_STATES = OPERATION_MATCHED | OPERATION_OVER | OPERATION_DROPPED | OPERATION_BUFFERED |
	                 OPERATION_RETURNED | OPERATION_RESOLVED,
};

/* True if the process has one thread, which has done nothing in this execution. */
static bool can_be_resumed(const struct executed_process *process)
{
	const struct executed_thread *thread = process->current;

	return !process->is_threaded && thread->blocked == BLOCKED_NOT && !thread->is_ready &&
	       !thread->has_more;
}

bool resume_comm(struct executed_process *process, struct cursor *in)
{
	struct comm_member *member = process_membership(process->known, take_varint(in));
	const uint64_t next = take_varint(in), complete = take_varint(in);
	struct executed_comm *comm;

	if (in->bad || !member || next < complete || next - complete > OPEN_COLLECTIVES_MAX ||
	    !can_be_resumed(process))
		return false;
	if (member->comm->members[place_of(member)] != process->known)
		return true;
	comm = executed_comm_get(member->comm);
	/* The other processes report the same. */
	if (!comm->collectives.count && comm->collectives.first < complete)
		comm->collectives.first = complete;
	if (next < comm->collectives.first)
		return false;
	member->next_collective = member->collective_count = next;
	return true;
}

/* True if the call of the process has no other operation. */
static bool is_collective_of(const struct analysed_call *call, uint64_t sequence)
{
	const struct executed_comm *comm = executed_comm_get(call->member->comm);
	const uint32_t place = place_of(call->member);
	const struct executed_collective *there = sequence_ring_find(&comm->collectives, sequence);

	return comm->known->members[place] == call->process && sequence >= comm->collectives.first &&
	       sequence < call->member->next_collective && (!there || !there->members[place]);
}

static void begin(struct execution *execution, struct executed_operation *operation, uint64_t sequence)
{
	LISTENERS_CALL(execution, began, operation);
	if (operation->state & OPERATION_MATCHED)
		return;
	if (operation->call->operation == OPERATION_COLLECTIVE) {
		operation->sequence = sequence;
		operation->state |= OPERATION_COUNTED;
		collective_joins(execution, operation);
	} else {
		message_begins(execution, operation);
	}
}

/* `tag` and `source` are those of the message of a receive or probe with a wildcard. */
static bool can_be_resolved(const struct analysed_call *call, uint64_t state, uint64_t tag, uint64_t source)
{
	const bool is_wildcard = call->flags & CHECK_CALL_WILDCARD;

	return !(state & OPERATION_RESOLVED) || (is_wildcard && tag <= INT32_MAX && source <= INT32_MAX);
}

static void resolve(struct executed_operation *operation, uint64_t tag, uint64_t source)
{
	operation->state |= OPERATION_RESOLVED;
	operation->tag = (int32_t)tag;
	if (operation->call->peer < 0)
		operation->source = (int32_t)source;
}

bool resume_operation(struct execution *execution, struct executed_process *process, struct cursor *in)
{
	struct analysed_call *call = process_call(process->known, take_varint(in));
	const uint64_t number = take_varint(in), state = take_varint(in), sequence = take_varint(in);
	const uint64_t source = take_varint(in);
	struct executed_thread *thread = process->current;
	struct executed_operation *operation;

	if (in->bad || !call || !call->member || call->operation < OPERATION_SEND ||
	    call->operation > OPERATION_MATCHED_PROBE || !can_be_resolved(call, state, sequence, source) ||
	    state & ~(uint64_t)RESUMED_STATES || number < process->arrived || number == UINT64_MAX ||
	    process->early || !can_be_resumed(process))
		return false;
	if (call->operation == OPERATION_COLLECTIVE && !(state & OPERATION_MATCHED) &&
	    !is_collective_of(call, sequence))
		return false;
	execution->now++;
	process->begun = number;
	operation = operation_begin(execution, thread, call, number);
	process->arrived = number + 1;
	operation->hash = call_has_hash(call) ? sequence : 0;
	operation->state |= (uint32_t)state & (OPERATION_MATCHED | OPERATION_BUFFERED | OPERATION_RETURNED);
	operation->state |= OPERATION_CONTINUED | (state & OPERATION_MATCHED ? OPERATION_RESUMED : 0);
	if (state & OPERATION_RESOLVED)
		resolve(operation, sequence, source);
	process->is_final |= call->function == CALL_Finalize;
	begin(execution, operation, sequence);
	if (state & (OPERATION_OVER | OPERATION_DROPPED)) {
		operation_over(execution, operation,
		               state & OPERATION_OVER ? OPERATION_OVER : OPERATION_DROPPED);
	} else {
		thread_set_call(execution, thread, call);
		thread_begins(execution, thread, operation);
	}
	operation_release(execution, operation);
	return true;
}

bool resume_process(struct execution *execution, struct executed_process *process, struct cursor *in)
{
	const uint64_t begun = take_varint(in);
	struct analysed_call *call = process_call(process->known, take_varint(in));
	struct analysed_call *last = process_call(process->known, take_varint(in));

	if (in->bad || begun < process->arrived || process->early)
		return false;
	process->arrived = process->begun = begun;
	if (call && process->current->blocked == BLOCKED_NOT)
		thread_set_call(execution, process->current, call);
	process->known->last = last ? last : process->known->last;
	return true;
}
