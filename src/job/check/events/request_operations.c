#include "job/check/events/request_operations.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/events/call_table.h"
#include "job/check/events/collective_events.h"
#include "job/check/wire/unsent_events.h"

/* What a request's start, completion or end means for events. */
struct operation_facts {
	struct announced_call *send, *receive; /* pinned; NULL: none */
	struct announced_call *get;            /* of MPI_Rget: the call that reports its completion; pinned */
	uint64_t access;                       /* number of the access */
	struct announced_call
		*start; /* of a persistent collective call: the call that each start begins; pinned */
	struct followed_comm *comm; /* held; NULL: it belongs to a file */
	bool is_persistent;
	bool is_started;
	struct operation_facts *next_unused;
	bool is_waited_for;               /* a wait for several operations has reported these */
	uint64_t sent, received;          /* pending operations; 0: none. A collective one is in `sent` */
	struct announced_call *broadcast; /* whose data is compared; pinned; NULL: none */
	/* The receive whose data is reported when it is complete (message_contents.h), or the number of the broadcast; 0: none */
	uint64_t content_of;
	bool has_arrived; /* it is complete, and `content` describes the received data */
	struct message_content content;
};

/* Kept for reuse: programs usually create and complete as many requests in each step as in the last one. */
static struct operation_facts *unused_facts;

static struct operation_facts *new_facts(struct checked_request *request, struct followed_comm *comm,
                                         bool is_persistent)
{
	struct operation_facts *facts = unused_facts ? unused_facts : host_table(1, sizeof *facts);

	if (!facts)
		return NULL;
	unused_facts = facts->next_unused;
	*facts = (struct operation_facts){0};
	facts->is_persistent = is_persistent;
	facts->is_started = !is_persistent;
	facts->comm = comm;
	if (comm)
		comm_keep(comm);
	request->facts = facts;
	return facts;
}

static struct announced_call *pin(struct announced_call *call)
{
	if (call)
		call->pins++;
	return call;
}

static void unpin(struct announced_call *call)
{
	if (call)
		call->pins--;
}

/* From now on, the request reports the data. */
static void take_content(struct operation_facts *facts, struct thread_events *events)
{
	facts->content_of = events->content_of;
	events->content_of = 0;
}

void operations_keep_message(struct checked_request *request, const struct agent_call *call,
                             struct thread_events *events, struct followed_comm *comm)
{
	struct operation_facts *facts = events->send || events->receive
	                                        ? new_facts(request, comm, all_calls[call->id].persistent)
	                                        : NULL;

	if (!facts)
		return;
	facts->send = pin(events->send);
	facts->receive = pin(events->receive);
	facts->sent = events->send_operation;
	facts->received = events->receive_operation;
	take_content(facts, events);
}

void operations_keep_matched(struct checked_request *request, struct thread_events *events)
{
	struct operation_facts *facts = new_facts(request, NULL, false);

	if (!facts)
		return;
	facts->receive = pin(events->receive);
	take_content(facts, events);
}

void operations_keep_collective(struct checked_request *request, const struct agent_call *call,
                                const struct thread_events *events, struct followed_comm *comm,
                                bool is_persistent)
{
	struct operation_facts *facts;

	if (!events->collective || (is_persistent && !comm) ||
	    !(facts = new_facts(request, comm, is_persistent)))
		return;
	if (is_persistent)
		facts->start = pin(collective_start(call, events->collective, comm));
	else
		facts->sent = events->collective_operation;
	if (LIKELY(!events->broadcast))
		return;
	facts->broadcast = pin(events->collective);
	facts->content_of = events->broadcast;
	facts->has_arrived = events->is_root;
	facts->content = events->content;
}

void operations_keep_get(struct checked_request *request, struct announced_call *complete, uint64_t access)
{
	struct operation_facts *facts = new_facts(request, NULL, false);

	if (!facts)
		return;
	facts->get = pin(complete);
	facts->access = access;
}

/* Hash of the data that a persistent request will send; 0: unknown. */
static uint64_t hash_of(const struct checked_request *request, const struct announced_call *send)
{
	return UNLIKELY(send->call.flags & CHECK_CALL_CONTENT)
	               ? active_buffers_content(request, INT64_MAX).hash
	               : 0;
}

static void post(struct operation_facts *facts)
{
	facts->received = push_event(facts->receive);
	facts->content_of = facts->receive->call.flags & CHECK_CALL_CONTENT ? facts->received : 0;
	facts->has_arrived = false;
}

void request_started(struct checked_request *request)
{
	struct operation_facts *facts = request->facts;

	if (!facts || !facts->is_persistent)
		return;
	lock_if_shared();
	if (facts->start)
		facts->sent = push_event(facts->start);
	if (facts->send)
		facts->sent = push_event_with(facts->send, hash_of(request, facts->send));
	if (facts->receive)
		post(facts);
	facts->is_started = true;
	unlock_if_shared();
}

/* The program changed the data while it was sent, so nothing is concluded from the data. */
static void send_changed(const struct checked_request *request)
{
	struct operation_facts *facts = request->facts;

	if (facts && facts->broadcast)
		facts->content = (struct message_content){0};
	if (!facts || !facts->send || !(facts->send->call.flags & CHECK_CALL_CONTENT))
		return;
	lock_if_shared();
	push_content(facts->send, 0, &(struct message_content){0});
	unlock_if_shared();
}

void request_arrived(struct checked_request *request, const MPI_Status *status)
{
	struct operation_facts *facts = request->facts;

	if (UNLIKELY(request->flags & REQUEST_SEND_CHANGED)) {
		request->flags &= ~(uint32_t)REQUEST_SEND_CHANGED;
		send_changed(request);
	}
	if (LIKELY(!facts || !facts->content_of) || facts->has_arrived)
		return;
	facts->content = active_buffers_content(request, !status            ? -1
	                                                 : facts->broadcast ? INT64_MAX
	                                                                    : status_bytes(status));
	facts->has_arrived = true;
}

/* Reports the received data; if unknown, at least ends the analyser's wait for it. */
static void give_content(struct operation_facts *facts)
{
	push_content(facts->broadcast ? facts->broadcast : facts->receive, facts->content_of,
	             &facts->content);
	facts->content_of = 0;
	facts->has_arrived = false;
	facts->content = (struct message_content){0};
}

/* Takes back operations that never happened. */
static void cancel(struct operation_facts *facts)
{
	if (facts->sent)
		push_drops(facts->sent, true);
	if (facts->received)
		push_drops(facts->received, true);
	facts->content_of = 0;
}

/* The status of a failed call may contain anything. */
static bool is_message(const MPI_Status *status, const struct followed_comm *comm)
{
	return status && comm && status->MPI_SOURCE >= 0 && status->MPI_SOURCE < comm->peers &&
	       status->MPI_TAG >= 0;
}

void operation_took(uint64_t operation, const struct announced_call *call, const struct followed_comm *comm,
                    const MPI_Status *status)
{
	if (call->call.flags & CHECK_CALL_WILDCARD && is_message(status, comm))
		push_takes(operation, status->MPI_SOURCE, status->MPI_TAG);
	else
		push_completes(operation);
}

static void complete(struct operation_facts *facts, const MPI_Status *status)
{
	if (facts->sent && !facts->is_waited_for)
		push_completes(facts->sent);
	if (facts->received && (!facts->is_waited_for || facts->receive->call.flags & CHECK_CALL_WILDCARD))
		operation_took(facts->received, facts->receive, facts->comm, status);
	if (UNLIKELY(facts->content_of))
		give_content(facts);
	if (facts->get)
		push_window_over(facts->get, facts->access);
}

void request_completed(struct checked_request *request, const MPI_Status *status)
{
	struct operation_facts *facts = request->facts;

	if (!facts || !facts->is_started)
		return;
	lock_if_shared();
	if (UNLIKELY(status && request->flags & REQUEST_CANCELLED && status_cancelled(status)))
		cancel(facts);
	else
		complete(facts, status);
	facts->sent = facts->received = 0;
	facts->is_waited_for = false;
	facts->is_started = !facts->is_persistent;
	unlock_if_shared();
}

void request_ended(struct checked_request *request)
{
	struct operation_facts *facts = request->facts;

	if (!facts)
		return;
	lock_if_shared();
	if (facts->sent)
		push_drops(facts->sent, false);
	if (facts->received) {
		push_drops(facts->received, false);
		/* It stays unknown which message was received. */
		if (facts->receive->call.flags & CHECK_CALL_WILDCARD)
			facts->comm->announced->is_uncompared = true;
	}
	if (UNLIKELY(facts->content_of))
		give_content(facts);
	unpin(facts->send);
	unpin(facts->receive);
	unpin(facts->broadcast);
	unpin(facts->get);
	if (facts->start) {
		unpin(facts->start);
		push_ends(facts->start->comm);
		announced_comm_release(facts->start->comm);
	}
	if (facts->comm)
		comm_drop(facts->comm);
	facts->next_unused = unused_facts;
	unused_facts = facts;
	request->facts = NULL;
	unlock_if_shared();
}

void operations_finalizing(void)
{
	struct checked_request *request;
	uint32_t position = 0;

	while (request_next(&position, &request)) {
		struct operation_facts *facts = request->facts;

		if (!facts || !(request->flags & REQUEST_CANCELLED) || !(request->flags & REQUEST_ACTIVE))
			continue;
		lock_if_shared();
		cancel(facts);
		facts->sent = facts->received = 0;
		unlock_if_shared();
	}
}

static uint32_t add_operations(uint64_t *operations, const struct operation_facts *facts)
{
	uint32_t count = 0;

	if (facts->sent)
		operations[count++] = facts->sent;
	if (facts->received)
		operations[count++] = facts->received;
	return count;
}

void operations_wait(const struct agent_call *call)
{
	static uint64_t operations[PUSHED_WAITS_MAX];
	const bool is_any = call_needs_one_request(&all_calls[call->id]);
	const int many = call_parameter(call->id, KIND_many);
	const int64_t what[] = {many < 0 ? 1 : call->arguments[many], 0};
	struct announced_call *announced;
	uint32_t count = 0;

	for (const struct checked_request *request = call->state; request;
	     request = request_next_claimed(request)) {
		struct operation_facts *facts = request->facts;

		/* An operation that is not known to analysers may end the wait. */
		if (is_any && (!facts || !(facts->sent || facts->received) || count + 2 > PUSHED_WAITS_MAX))
			return;
		if (!facts || count + 2 > PUSHED_WAITS_MAX)
			continue;
		facts->is_waited_for = !is_any;
		count += add_operations(operations + count, facts);
	}
	if (count && (announced = wait_call(call, (is_any ? CHECK_CALL_ANY : 0) | status_flags(call), what)))
		push_waits(announced, operations, count);
}
