#include "job/check/events/events.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/buffers/attached_buffer.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/events/call_table.h"
#include "job/check/events/collective_events.h"
#include "job/check/events/comms.h"
#include "job/check/events/leader_exchange.h"
#include "job/check/events/request_operations.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/handles.h"

#include <string.h>

struct probed_message {
	struct followed_comm *comm;
	int32_t source, tag;
	uint64_t operation; /* the probe */
};

/* Messages of matched probes, by handle: struct probed_message. */
static struct handles messages;

static struct followed_comm *comm_of(const struct agent_call *call)
{
	return comm_find((uint64_t)call_argument_or(call, KIND_comm, KIND_oldcomm));
}

static bool has_request(const struct agent_call *call)
{
	return call_parameter(call->id, KIND_newrequest) >= 0;
}

static bool is_persistent(const struct agent_call *call)
{
	return all_calls[call->id].persistent;
}

static int32_t source_of(int64_t rank)
{
	return rank == MPI_ANY_SOURCE ? ANY : (int32_t)rank;
}

static int32_t tag_of(int64_t tag)
{
	return tag == MPI_ANY_TAG ? ANY : (int32_t)tag;
}

/* The bytes that the call needs in the attached buffer. A persistent send may be started with another buffer. */
static void describe_buffer(const struct agent_call *call, struct message_description *m)
{
	m->buffer_needed = attached_buffer_is_of_process(call) ? attached_buffer_needed(call) : 0;
	if (!m->buffer_needed || is_persistent(call))
		return;
	m->buffer_size = attached_buffer_size();
	if (attached_buffer_is_new())
		m->flags |= CHECK_CALL_NEW_BUFFER;
}

/* Partitions are sent later than their requests match, and in MPICH 4.0 the status of MPI_Isendrecv has no
 * number of bytes. */
static bool may_be_compared(const struct agent_call *call, bool sends)
{
	return call_parameter(call->id, KIND_partitions) < 0 &&
	       (sends || !call_sends(&all_calls[call->id]) || !has_request(call));
}

/* Describes one side of a message. False: there is nothing to report. Sets `call->postponed`
 * if the report must wait. */
static bool describe(struct agent_call *call, bool sends, bool accepted, struct message_description *m)
{
	const int64_t peer = call_argument(call, sends ? KIND_dest : KIND_source),
		      tag = call_argument_or(call, sends ? KIND_stag : KIND_rtag, KIND_tag),
		      partitions = call_argument(call, KIND_partitions);
	const bool is_partitioned = call_parameter(call->id, KIND_partitions) >= 0;
	const int64_t count = is_partitioned
	                              ? call_argument(call, KIND_partcount)
	                              : call_argument_or(call, sends ? KIND_scount : KIND_rcount, KIND_count);

	if (peer == MPI_PROC_NULL || !(m->comm = comm_of(call)))
		return false;
	m->announced = m->comm->announced;
	m->operation = sends ? OPERATION_SEND : OPERATION_RECEIVE;
	m->flags = call_form(call->id) | (sends ? 0 : status_flags(call));
	if (UNLIKELY(message_contents_are_compared()) && may_be_compared(call, sends))
		m->flags |= CHECK_CALL_CONTENT;
	m->peer = sends ? (int32_t)peer : source_of(peer);
	m->tag = sends ? (int32_t)tag : tag_of(tag);
	if ((m->peer != ANY && comm_peer(m->comm, m->peer) < 0) || count < 0 || !m->announced)
		return false;
	m->data.count = (uint64_t)count * (is_partitioned ? (uint64_t)partitions : 1);
	m->data.type = type_announced(
		(uint64_t)call_argument_or(call, sends ? KIND_stype : KIND_rtype, KIND_type), accepted);
	if (UNLIKELY(!m->data.type))
		call->postponed = true;
	else if (is_partitioned)
		m->announced = comm_partitioned(m->comm, sends, m->peer, m->tag);
	else if (UNLIKELY(m->flags & CHECK_CALL_BUFFERED))
		describe_buffer(call, m);
	return m->data.type && m->announced;
}

/* Holds it until the call ends, because the table may be cleared before that. */
static void hold(struct announced_call **place, struct announced_call *announced)
{
	*place = announced;
	if (announced)
		announced->pins++;
}

/* Reports the data that a call has received; if unknown, at least ends the analyser's wait for it. */
static void give_content(struct thread_events *events, const struct message_content *content)
{
	push_content(events->receive, events->content_of, content);
	events->content_of = 0;
}

static void release_calls(struct thread_events *events)
{
	struct announced_call *const held[] = {events->send, events->receive, events->collective};

	if (UNLIKELY(events->content_of))
		give_content(events, &(struct message_content){0});
	for (size_t i = 0; i < sizeof held / sizeof *held; i++)
		if (held[i])
			held[i]->pins--;
	*events = (struct thread_events){0};
}

/* Reports that MPI_Sendrecv waits for both of its halves. */
static void emit_both(const struct agent_call *call, const struct thread_events *events)
{
	const uint64_t operations[] = {events->send_operation, events->receive_operation};
	const int64_t halves[] = {(int64_t)(uintptr_t)events->send, (int64_t)(uintptr_t)events->receive};
	struct announced_call *announced = operations[0] && operations[1]
	                                           ? wait_call(call, status_flags(call), halves)
	                                           : NULL;

	if (announced)
		push_waits(announced, operations, 2);
}

/* The hash of the data to be sent; 0: unknown. */
static uint64_t hash_of(struct agent_call *call, const struct announced_call *send)
{
	if (UNLIKELY(send->call.flags & CHECK_CALL_CONTENT) && !call->postponed)
		call->sent = content_of_call(call, true, INT64_MAX).hash;
	return call->sent;
}

/* Reports sends and receives; persistent ones are only described. */
static void emit_message(struct agent_call *call, bool accepted)
{
	struct thread_events *events = &agent_self->events;
	struct message_description send = {0}, receive = {0};
	const bool sends = call_sends(&all_calls[call->id]) && describe(call, true, accepted, &send);
	const bool receives = call_receives(&all_calls[call->id]) &&
	                      describe(call, false, accepted, &receive);
	const bool together = sends && receives && !has_request(call);

	if (UNLIKELY(call->postponed) && !accepted)
		return;
	if (together) {
		send.flags |= CHECK_CALL_TOGETHER;
		receive.flags |= CHECK_CALL_TOGETHER;
	}
	if (sends)
		hold(&events->send, message_call(call, &send));
	if (receives)
		hold(&events->receive, message_call(call, &receive));
	if (is_persistent(call))
		return;
	if (events->send)
		events->send_operation = push_event_with(events->send, hash_of(call, events->send));
	if (!events->receive)
		return;
	events->receive_operation = push_event(events->receive);
	if (UNLIKELY(events->receive->call.flags & CHECK_CALL_CONTENT))
		events->content_of = events->receive_operation;
	if (together)
		emit_both(call, events);
}

/* True if MPI rejected the call before it began. */
static bool is_rejected(int rc)
{
	static const int classes[] = {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,     MPI_ERR_TAG,
	                              MPI_ERR_COMM,   MPI_ERR_RANK,  MPI_ERR_ROOT,     MPI_ERR_GROUP,
	                              MPI_ERR_OP,     MPI_ERR_ARG,   MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,
	                              MPI_ERR_WIN,    MPI_ERR_FILE,  MPI_ERR_REQUEST,  MPI_ERR_INFO};
	int class = rc;

	if (rc == MPI_SUCCESS)
		return false;
	PMPI_Error_class(rc, &class);
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (class == classes[i])
			return true;
	return false;
}

/* Takes back the events of a call that never happened. */
static void take_back(struct thread_events *events)
{
	if (events->send_operation)
		push_drops(events->send_operation, true);
	if (events->receive_operation)
		push_drops(events->receive_operation, true);
	events->content_of = 0;
}

static void give_received(const struct agent_call *call)
{
	const struct message_content content = content_received(call);

	give_content(&agent_self->events, &content);
}

/* A receive is complete, or from now on its request stands for it. */
static void keep_message(const struct agent_call *call, int rc)
{
	struct thread_events *events = &agent_self->events;
	struct followed_comm *comm = comm_of(call);
	struct checked_request *request = has_request(call) ? request_made(call) : NULL;

	if (request) {
		operations_keep_message(request, call, events, comm);
	} else if (!has_request(call) && events->receive_operation) {
		if (UNLIKELY(events->content_of) && rc == MPI_SUCCESS)
			give_received(call);
		if (UNLIKELY(events->receive->call.flags & CHECK_CALL_WILDCARD))
			operation_took(events->receive_operation, events->receive, comm, call->status);
	}
}

static void end_message(struct agent_call *call, int rc)
{
	struct thread_events *events = &agent_self->events;

	/* A failed send has not sent anything; a call that was wrong from the start has not even begun. */
	if (UNLIKELY(rc != MPI_SUCCESS) &&
	    (is_rejected(rc) || !call_receives(&all_calls[call->id]) || call->postponed)) {
		if (!is_persistent(call))
			take_back(events);
		return;
	}
	if (UNLIKELY(call->postponed))
		emit_message(call, true);
	keep_message(call, rc);
}

/* Numbers the broadcast on its communicator. The root knows its data before the call. */
static void begin_broadcast(const struct agent_call *call)
{
	struct thread_events *events = &agent_self->events;
	struct followed_comm *comm = comm_of(call);

	if (!comm || is_persistent(call) || all_calls[call->id].moves != MOVES_BCAST)
		return;
	events->broadcast = ++comm->broadcasts;
	events->is_root = call_argument(call, KIND_root) == (comm->inter ? MPI_ROOT : comm->rank);
	if (events->is_root && !call->postponed)
		events->content = content_of_call(call, true, INT64_MAX);
}

/* The data is known now, or the request takes it over. */
static void end_broadcast(const struct agent_call *call, int rc)
{
	struct thread_events *events = &agent_self->events;
	struct followed_comm *comm = comm_of(call);

	if (rc != MPI_SUCCESS && comm) /* other members may not have counted this broadcast */
		comm->announced->is_uncompared = true;
	if (!events->collective)
		return;
	if (!has_request(call) && !events->is_root && call_argument(call, KIND_root) != MPI_PROC_NULL)
		events->content = content_of_call(call, false, INT64_MAX);
	push_content(events->collective, events->broadcast, &events->content);
}

static void begin_collective(struct agent_call *call)
{
	struct thread_events *events = &agent_self->events;

	hold(&events->collective, collective_event(call, false, &events->collective_operation));
	if (UNLIKELY(call->id == CALL_Intercomm_create))
		exchange_begins(call, true);
}

static void end_collective(struct agent_call *call, int rc)
{
	struct thread_events *events = &agent_self->events;
	struct checked_request *request;

	if (UNLIKELY(rc != MPI_SUCCESS)) {
		/* Otherwise the event from before the call counts as this process's part. */
		if (call->postponed)
			collective_rejected(call);
		else if (is_rejected(rc) && events->collective_operation)
			push_drops(events->collective_operation, true);
		exchange_ends(call, false);
		if (UNLIKELY(events->broadcast))
			end_broadcast(call, rc);
		return;
	}
	if (UNLIKELY(call->postponed)) {
		hold(&events->collective, collective_event(call, true, &events->collective_operation));
		exchange_begins(call, false);
	}
	if (UNLIKELY(events->receive_operation))
		exchange_ends(call, true);
	request = has_request(call) ? request_made(call) : NULL;
	if (UNLIKELY(events->broadcast) && !request)
		end_broadcast(call, rc);
	if (request)
		operations_keep_collective(request, call, events, comm_of(call), is_persistent(call));
}

/* A probe is reported before the call; MPI_Iprobe and MPI_Improbe when they have found a message. */
static void begin_probe(const struct agent_call *call)
{
	struct thread_events *events = &agent_self->events;
	const int64_t peer = call_argument(call, KIND_source);
	struct message_description m = {
		.comm = comm_of(call),
		.operation = call_event(call->id) == EVENT_PROBE ? OPERATION_PROBE : OPERATION_MATCHED_PROBE,
		.flags = call_form(call->id) | status_flags(call),
		.peer = source_of(peer),
		.tag = tag_of(call_argument(call, KIND_tag)),
	};

	if (peer == MPI_PROC_NULL || !m.comm || (m.peer != ANY && comm_peer(m.comm, m.peer) < 0))
		return;
	m.announced = m.comm->announced;
	hold(&events->receive, message_call(call, &m));
	if (events->receive)
		events->receive_operation = push_event(events->receive);
}

static void take_message(const struct agent_call *call);

static void end_probe(const struct agent_call *call, int rc)
{
	const int *flag = call_address(call, KIND_flag);
	struct thread_events *events = &agent_self->events;

	if (UNLIKELY(rc != MPI_SUCCESS)) {
		if (events->receive_operation)
			push_drops(events->receive_operation, true);
		return;
	}
	if (flag && !*flag)
		return;
	if (!events->receive_operation)
		begin_probe(call);
	/* Not needed for a probe without wildcards that waits: it has found the message that it describes. */
	if (events->receive_operation &&
	    (flag || call->postponed || events->receive->call.flags & CHECK_CALL_WILDCARD))
		operation_took(events->receive_operation, events->receive, comm_of(call), call->status);
	if (call_event(call->id) == EVENT_MATCHED_PROBE)
		take_message(call);
}

/* MPI_Mprobe has taken the message: no other call can receive it. */
static void take_message(const struct agent_call *call)
{
	const void *variable = call_address(call, KIND_newmessage);
	struct followed_comm *c = comm_of(call);
	const MPI_Status *status = call->status;
	struct probed_message *probed;
	MPI_Message message;

	if (!c || !variable || !status || !agent_self->events.receive_operation)
		return;
	message = call->fortran ? f_message(variable) : *(const MPI_Message *)variable;
	if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL)
		return;
	probed = host_table(1, sizeof *probed);
	if (!probed)
		return;
	*probed = (struct probed_message){.comm = c,
	                                  .source = status->MPI_SOURCE,
	                                  .tag = status->MPI_TAG,
	                                  .operation = agent_self->events.receive_operation};
	comm_keep(c);
	handles_set(&messages, HANDLE(message), probed);
}

/* MPI_Mrecv: the message is known before the call. */
static void emit_matched(struct agent_call *call)
{
	const void *variable = call_address(call, KIND_message);
	struct thread_events *events = &agent_self->events;
	struct probed_message *probed;
	MPI_Message message;
	struct announced_call *announced;
	struct message_description m;

	if (!variable)
		return;
	message = call->fortran ? f_message(variable) : *(const MPI_Message *)variable;
	probed = handles_remove(&messages, HANDLE(message));
	if (!probed)
		return;
	m = (struct message_description){
		.comm = probed->comm,
		.announced = probed->comm->announced,
		.operation = OPERATION_RECEIVE,
		.flags = call_form(call->id) | (message_contents_are_compared() ? CHECK_CALL_CONTENT : 0),
		.peer = probed->source,
		.tag = probed->tag,
		.data = {.type = type_announced((uint64_t)call_argument(call, KIND_type), false),
	                 .count = (uint64_t)call_argument(call, KIND_count)},
	};
	announced = m.data.type ? message_call(call, &m) : NULL;
	if (announced)
		push_receives(announced, probed->operation);
	if (announced && UNLIKELY(m.flags & CHECK_CALL_CONTENT)) {
		hold(&events->receive, announced);
		events->content_of = probed->operation;
	}
	comm_drop(probed->comm);
	free(probed);
}

/* The request takes the data over, or the data is reported. */
static void end_matched(const struct agent_call *call, int rc)
{
	struct thread_events *events = &agent_self->events;
	struct checked_request *request = has_request(call) ? request_made(call) : NULL;

	if (LIKELY(!events->content_of))
		return;
	if (request)
		operations_keep_matched(request, events);
	else if (!has_request(call) && rc == MPI_SUCCESS)
		give_received(call);
}

void events_finalizing(void)
{
	operations_finalizing();
}

/* Around each call */

void events_before(struct agent_call *call)
{
	const enum call_event event = call_event(call->id);
	struct thread_events *events = &agent_self->events;

	if (all_calls[call->id].frees)
		comms_before(call);
	if (event == EVENT_NONE || checked.phase != AGENT_IN_MPI || UNLIKELY(call->nested))
		return;
	call->event = event;
	call->postponed = call->problems;
	lock_if_shared();
	if (UNLIKELY(events->is_open)) /* left over from a call that was left by a jump */
		release_calls(events);
	events->is_open = true;
	if (UNLIKELY(message_contents_are_compared()) && event == EVENT_COLLECTIVE)
		begin_broadcast(call);
	if (call->postponed) {
		unlock_if_shared();
		return;
	}
	if (event == EVENT_MESSAGE)
		emit_message(call, false);
	else if (event == EVENT_COLLECTIVE)
		begin_collective(call);
	else if (event == EVENT_WAIT)
		operations_wait(call);
	else if (event == EVENT_MATCHED_RECEIVE)
		emit_matched(call);
	else if (!all_calls[call->id].tests)
		begin_probe(call);
	unlock_if_shared();
}

void events_after(struct agent_call *call, int rc)
{
	const enum call_event event = call->event;
	struct thread_events *events = &agent_self->events;

	if (event != EVENT_NONE && checked.phase == AGENT_IN_MPI) {
		lock_if_shared();
		if (event == EVENT_MESSAGE) {
			end_message(call, rc);
		} else if (event == EVENT_COLLECTIVE) {
			end_collective(call, rc);
		} else if (event == EVENT_MATCHED_RECEIVE) {
			end_matched(call, rc);
		} else if (event == EVENT_PROBE || event == EVENT_MATCHED_PROBE) {
			end_probe(call, rc);
		}
		release_calls(events);
		call_left();
		unlock_if_shared();
	}
	if (all_calls[call->id].frees || all_calls[call->id].creates)
		comms_after(call, rc);
	else if (UNLIKELY(call->id == CALL_Comm_set_info))
		comms_info_changed(call);
}

void events_fail(const struct agent_call *call, int error_class)
{
	const struct thread_events *events = &agent_self->events;

	if (call->event != EVENT_MESSAGE || error_class != MPI_ERR_TRUNCATE || has_request(call) ||
	    !events->receive_operation || !(events->receive->call.flags & CHECK_CALL_WILDCARD))
		return;
	lock_if_shared();
	operation_took(events->receive_operation, events->receive, comm_of(call), call->status);
	unlock_if_shared();
}
