#include "job/check/events/leader_exchange.h"

#include "calls/calls.h"
#include "job/check/events/call_table.h"
#include "job/check/events/comms.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/flavour.h"

/* In larger groups, only the leaders' waits are reported: reporting every member to the analyser
 * would take too long. */
enum { MEMBERS_MAX = 1024 };

struct leader_exchange {
	struct followed_comm *local, *peer; /* peer: NULL if this process is not a leader */
	int32_t leader, remote, tag;
};

/* False: not such a call, or a communicator is unknown; nothing is reported. */
static bool find_exchange(const struct agent_call *call, struct leader_exchange *found)
{
	const int peer = call_parameter(call->id, KIND_peercomm),
		  remote = call_parameter(call->id, KIND_leader);

	if (call->id != CALL_Intercomm_create)
		return false;
	*found = (struct leader_exchange){
		.local = comm_find((uint64_t)call_argument(call, KIND_comm)),
		.leader = (int32_t)call_argument(call, KIND_number),
		.remote = (int32_t)call->arguments[remote],
		.tag = (int32_t)call_argument(call, KIND_tag),
	};
	if (!found->local || found->local->inter)
		return false;
	if (found->leader != found->local->rank)
		return found->local->size <= MEMBERS_MAX;
	found->peer = comm_find((uint64_t)call->arguments[peer]);
	return found->peer && comm_peer(found->peer, found->remote) >= 0;
}

bool exchange_follows(const struct agent_call *call)
{
	struct leader_exchange exchange;

	return find_exchange(call, &exchange);
}

static struct announced_call *describe(const struct agent_call *call, struct followed_comm *comm,
                                       enum check_operation operation, int32_t peer, int32_t tag,
                                       uint32_t flags)
{
	const struct message_description m = {
		.comm = comm,
		.announced = comm_of_leaders(comm),
		.operation = operation,
		.flags = flags,
		.peer = peer,
		.tag = tag,
		.data = {.type = type_announced(HANDLE(MPI_INT), true), .count = 1},
	};
	struct announced_call *announced = m.announced && m.data.type ? message_call(call, &m) : NULL;

	if (announced)
		announced->pins++;
	return announced;
}

static void wait(const struct agent_call *call, const struct thread_events *events)
{
	const uint64_t operations[] = {events->collective_operation, events->receive_operation,
	                               events->send_operation};
	const int64_t what[] = {(int64_t)(uintptr_t)events->collective, (int64_t)(uintptr_t)events->receive};
	struct announced_call *announced = wait_call(call, 0, what);

	if (announced)
		push_waits(announced, operations, events->send_operation ? 3 : 2);
}

void exchange_begins(const struct agent_call *call, bool waits)
{
	struct thread_events *events = &agent_self->events;
	struct leader_exchange exchange;

	if (!events->collective_operation || !find_exchange(call, &exchange))
		return;
	if (exchange.peer) {
		events->send = describe(call, exchange.peer, OPERATION_SEND, exchange.remote, exchange.tag,
		                        CHECK_CALL_TOGETHER);
		events->receive = describe(call, exchange.peer, OPERATION_RECEIVE, exchange.remote,
		                           exchange.tag, CHECK_CALL_TOGETHER);
		events->send_operation = events->send ? push_event(events->send) : 0;
		events->receive_operation = events->receive ? push_event(events->receive) : 0;
	} else {
		events->receive = describe(call, exchange.local, OPERATION_RECEIVE, exchange.leader, 0,
		                           CHECK_CALL_TOGETHER);
		events->receive_operation = events->receive ? push_event(events->receive) : 0;
	}
	if (waits && events->receive_operation)
		wait(call, events);
}

/* The leader has informed its group. */
static void release_members(const struct agent_call *call, const struct leader_exchange *exchange)
{
	for (int32_t rank = 0; rank < exchange->local->size; rank++) {
		struct announced_call *announced = rank == exchange->leader
		                                           ? NULL
		                                           : describe(call, exchange->local, OPERATION_SEND,
		                                                      rank, 0, CHECK_CALL_BUFFERED);

		if (!announced)
			continue;
		push_event(announced);
		announced->pins--;
	}
}

void exchange_ends(const struct agent_call *call, bool happened)
{
	const struct thread_events *events = &agent_self->events;
	struct leader_exchange exchange;

	if (!events->receive_operation || !find_exchange(call, &exchange))
		return;
	if (!happened) {
		push_drops(events->receive_operation, true);
		if (events->send_operation)
			push_drops(events->send_operation, true);
	}
	if (exchange.peer && exchange.local->size <= MEMBERS_MAX)
		release_members(call, &exchange);
}
