#include "job/check/events.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/call_table.h"
#include "job/check/collective_events.h"
#include "job/check/comms.h"
#include "job/check/event_plan.h"
#include "job/check/kept.h"
#include "job/check/lives.h"
#include "job/check/objects.h"
#include "job/check/process_state.h"
#include "job/check/receives.h"
#include "job/check/request_states.h"
#include "job/check/service.h"
#include "job/check/threads.h"
#include "job/check/type_layout.h"
#include "job/check/types.h"
#include "job/check/windows.h"
#include "job/check/wrap.h"
#include "job/mpi/handles.h"
#include "job/mpi/members.h"
#include "job/mpi/world.h"

#include <string.h>

/* As much as any message may hold. */
#define PROBED_BYTES (UINT64_C(1) << 40)

/* Messages that a matched probe took, by handle. */
static struct handles messages;

/* Of a request: what its completion, its start or its end means. */
struct operation_facts {
	struct announced_call *send, *receive; /* pinned; NULL: none */
	struct followed_comm *comm;
	struct pending_receive *pending; /* NULL: its event is on its way, or it is not started */
	int32_t source, tag;             /* of a receive, as posted */
	bool persistent;
	bool started;
};

static int64_t value(const struct agent_call *call, int8_t parameter)
{
	return parameter < 0 ? 0 : call->arguments[parameter];
}

static int32_t source_of(int64_t rank)
{
	return rank == MPI_ANY_SOURCE ? ANY : (int32_t)rank;
}

static int32_t tag_of(int64_t tag)
{
	return tag == MPI_ANY_TAG ? ANY : (int32_t)tag;
}

struct message_description {
	struct followed_comm *comm;
	struct announced_comm *told;
	bool sends;
	uint32_t flags;
	int32_t peer, tag; /* ANY */
	struct announced_data data;
};

static void fill_message(struct announced_call *told, const struct message_description *m)
{
	struct distinct_check_call *call = &told->call;

	call->operation = m->sends ? OPERATION_SEND : OPERATION_RECEIVE;
	call->flags = m->flags | (m->peer == ANY || m->tag == ANY ? CHECK_CALL_WILDCARD : 0);
	call->comm = m->told->comm.identity;
	call->peer = m->peer == ANY ? -1 : m->peer;
	call->peer_in_world = m->peer == ANY ? -1 : comm_peer(m->comm, m->peer);
	call->tag = m->tag == ANY ? -1 : m->tag;
	told->comm = m->told;
	*(m->sends ? &told->send : &told->receive) = m->data;
	announced_call_hold(told);
}

static struct announced_call *find_message(const struct agent_call *call, const struct message_description *m)
{
	const int64_t key[] = {
		(int64_t)call->id << 1 | m->sends,
		(int64_t)agent_place(call),
		(int64_t)(uintptr_t)m->told,
		(int64_t)((uint64_t)(uint32_t)m->peer << 32 | (uint32_t)m->tag),
		(int64_t)(uintptr_t)m->data.type,
		(int64_t)m->data.count,
	};
	const uint32_t words = sizeof key / sizeof *key;
	const uint64_t hash = hash_words(key, words, 0);
	struct announced_call *told = announced_call_find(key, words, hash);

	if (LIKELY(told))
		return told;
	told = announced_call_new(call, key, words, hash);
	if (told)
		fill_message(told, m);
	return told;
}

/* One side of a message. False: there is nothing to tell of it. `call->postponed` is set if that has to wait. */
static bool describe(struct agent_call *call, const struct event_plan *plan, bool sends, bool accepted,
                     struct message_description *m)
{
	const struct message_parameters *at = sends ? &plan->send : &plan->receive;
	const int64_t peer = value(call, at->peer), tag = value(call, at->tag),
		      count = value(call, at->count);

	if (peer == MPI_PROC_NULL || !(m->comm = comm_find((uint64_t)value(call, plan->comm))))
		return false;
	m->told = plan->partitioned ? comm_partitioned(m->comm) : m->comm->told;
	m->sends = sends;
	m->flags = plan->flags;
	m->peer = sends ? (int32_t)peer : source_of(peer);
	m->tag = sends ? (int32_t)tag : tag_of(tag);
	if ((m->peer != ANY && comm_peer(m->comm, m->peer) < 0) || count < 0 || !m->told)
		return false;
	m->data.count = (uint64_t)count * (plan->partitioned ? (uint64_t)value(call, plan->partitions) : 1);
	m->data.type = type_told((uint64_t)value(call, at->type), accepted);
	if (UNLIKELY(!m->data.type))
		call->postponed = true;
	return m->data.type;
}

/* Held as long as the call lasts: the table may be forgotten meanwhile. */
static void hold(struct announced_call **place, struct announced_call *told)
{
	*place = told;
	if (told)
		told->pins++;
}

static void let_go(struct thread_events *events)
{
	struct announced_call *const held[] = {events->send, events->receive, events->collective};

	if (events->pending)
		receive_drop(events->pending);
	for (size_t i = 0; i < sizeof held / sizeof *held; i++)
		if (held[i])
			held[i]->pins--;
	*events = (struct thread_events){0};
}

/* Sends and receives; persistent ones are only described. A receive is kept until it is known what it took. */
static void tell_message(struct agent_call *call, const struct event_plan *plan, bool accepted)
{
	struct thread_events *events = &agent_self->events;
	struct message_description send = {0}, receive = {0};
	bool sends = plan->sends && describe(call, plan, true, accepted, &send);
	bool receives = plan->receives && describe(call, plan, false, accepted, &receive);
	const bool waits = plan->persistent && !plan->partitioned;

	if (UNLIKELY(call->postponed) && !accepted)
		return;
	if (sends)
		hold(&events->send, find_message(call, &send));
	if (events->send && !waits)
		kept_event(events->send);
	if (receives)
		hold(&events->receive, find_message(call, &receive));
	if (!events->receive || waits)
		return;
	if (plan->partitioned) {
		kept_event(events->receive);
		return;
	}
	receive_own(receive_post(receive.comm, events->receive, receive.peer, receive.tag, false),
	            &events->pending);
	events->receive_pushed = !events->pending;
}

/* Did MPI not even begin with a call that returned this? */
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

/* It never happened. */
static void take_back(struct thread_events *events)
{
	if (events->send)
		kept_cancelled(events->send);
	if (events->pending)
		receive_drop(events->pending);
	else if (events->receive && events->receive_pushed)
		kept_cancelled(events->receive);
	if (events->collective)
		kept_cancelled(events->collective);
}

/* A receive is complete. */
static void resolve(struct pending_receive *pending, const MPI_Status *status)
{
	if (pending->is_open && status)
		receive_resolve(pending, NULL, status->MPI_SOURCE, status->MPI_TAG);
}

static void keep_for_request(const struct agent_call *call, const struct event_plan *plan)
{
	struct thread_events *events = &agent_self->events;
	struct checked_request *request = request_made(call);
	struct operation_facts *facts;

	if (!request || plan->partitioned || (!events->send && !events->receive) ||
	    !(facts = host_table(1, sizeof *facts)))
		return;
	*facts = (struct operation_facts){
		.send = events->send,
		.receive = events->receive,
		.comm = comm_find((uint64_t)value(call, plan->comm)),
		.source = source_of(value(call, plan->receive.peer)),
		.tag = tag_of(value(call, plan->receive.tag)),
		.persistent = plan->persistent,
		.started = !plan->persistent,
	};
	if (facts->send)
		facts->send->pins++;
	if (facts->receive)
		facts->receive->pins++;
	if (events->pending)
		receive_own(events->pending, &facts->pending);
	request->facts = facts;
}

static void end_message(struct agent_call *call, const struct event_plan *plan, int rc)
{
	struct thread_events *events = &agent_self->events;

	/* A send that fails has sent nothing; what was wrong before the call was not even begun. */
	if (UNLIKELY(rc != MPI_SUCCESS) && (is_rejected(rc) || !plan->receives || call->postponed)) {
		if (!plan->persistent)
			take_back(events);
		return;
	}
	if (UNLIKELY(call->postponed))
		tell_message(call, plan, true);
	if (plan->request >= 0)
		keep_for_request(call, plan);
	else if (UNLIKELY(events->pending))
		resolve(events->pending, call->status);
	if (events->pending && events->pending->owner == &events->pending)
		events->pending->owner = NULL; /* it waits for others before it */
	events->pending = NULL;
}

static void end_collective(struct agent_call *call, const struct event_plan *plan, int rc)
{
	const bool postponed = call->postponed, rejected = is_rejected(rc);

	if (rejected && !postponed)
		take_back(&agent_self->events);
	if (rejected || (postponed && rc != MPI_SUCCESS))
		collective_rejected(call, plan);
	else if (postponed)
		collective_event(call, plan, true);
}

/* MPI_Mprobe: from now on nobody else can receive the message. */
static void end_probe(const struct agent_call *call, const struct event_plan *plan, int rc)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): they are addresses of variables */
	const void *variable = (const void *)(uintptr_t)value(call, plan->message),
		   *flag = plan->flag < 0 ? NULL
	                                  : (const void *)(uintptr_t)value(call, plan->flag); /* NOLINT */
	struct followed_comm *c = comm_find((uint64_t)value(call, plan->comm));
	const MPI_Status *status = call->status;
	struct message_description m;
	struct pending_receive *receive;
	struct announced_call *told;
	MPI_Message message;

	if (rc != MPI_SUCCESS || !c || !variable || !status || (flag && !*(const int *)flag))
		return;
	message = call->fortran ? f_message(variable) : *(const MPI_Message *)variable;
	if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL)
		return;
	/* If nobody ever receives it, the probe took it, whatever it holds. */
	m = (struct message_description){
		.comm = c,
		.told = c->told,
		.peer = status->MPI_SOURCE,
		.tag = status->MPI_TAG,
		.data = {.type = type_told(HANDLE(MPI_PACKED), true), .count = PROBED_BYTES},
	};
	told = m.data.type ? find_message(call, &m) : NULL;
	receive = told ? receive_post(c, told, status->MPI_SOURCE, status->MPI_TAG, true) : NULL;
	if (receive)
		handles_set(&messages, HANDLE(message), receive);
}

/* MPI_Mrecv: before the call its message is known. */
static void tell_matched(struct agent_call *call, const struct event_plan *plan)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a variable */
	const void *variable = (const void *)(uintptr_t)value(call, plan->message);
	struct pending_receive *receive;
	MPI_Message message;
	struct announced_call *told;
	struct message_description m;

	if (!variable)
		return;
	message = call->fortran ? f_message(variable) : *(const MPI_Message *)variable;
	receive = handles_remove(&messages, HANDLE(message));
	if (!receive)
		return;
	m = (struct message_description){
		.comm = receive->comm,
		.told = receive->comm->told,
		.flags = plan->flags,
		.peer = receive->source,
		.tag = receive->tag,
		.data = {.type = type_told((uint64_t)value(call, plan->receive.type), false),
	                 .count = (uint64_t)value(call, plan->receive.count)},
	};
	told = m.data.type ? find_message(call, &m) : NULL;
	if (told)
		receive_resolve(receive, told, receive->source, receive->tag);
	else
		receive_drop(receive);
}

/* Requests: what request_states.c calls. */

void request_started(struct checked_request *request, const struct agent_call *call)
{
	struct operation_facts *facts = request->facts;

	(void)call;
	if (!facts || !facts->persistent)
		return;
	lock_if_shared();
	if (facts->send)
		kept_event(facts->send);
	if (facts->receive)
		receive_own(receive_post(facts->comm, facts->receive, facts->source, facts->tag, false),
		            &facts->pending);
	facts->started = true;
	unlock_if_shared();
}

void request_completed(struct checked_request *request, const struct agent_call *call,
                       const MPI_Status *status)
{
	struct operation_facts *facts = request->facts;

	(void)call;
	if (LIKELY(!facts) || !facts->started)
		return;
	lock_if_shared();
	if (UNLIKELY(status && request->flags & REQUEST_CANCELLED && status_cancelled(status))) {
		if (facts->send)
			kept_cancelled(facts->send);
		if (facts->pending)
			receive_drop(facts->pending);
		else if (facts->receive)
			kept_cancelled(facts->receive);
	} else if (facts->pending) {
		resolve(facts->pending, status);
	}
	facts->started = !facts->persistent;
	unlock_if_shared();
}

void request_ended(struct checked_request *request)
{
	struct operation_facts *facts = request->facts;

	if (!facts)
		return;
	lock_if_shared();
	if (facts->pending && facts->pending->is_open)
		receive_drop(facts->pending); /* which message it takes nobody will ever know */
	if (facts->pending)
		facts->pending->owner = NULL;
	if (facts->send)
		facts->send->pins--;
	if (facts->receive)
		facts->receive->pins--;
	free(facts);
	request->facts = NULL;
	unlock_if_shared();
}

void object_facts_release(enum object_kind kind, void *facts)
{
	if (kind == OBJECT_TYPE)
		type_layout_release(facts);
}

/* Requests that were cancelled and never completed: whether they were is not known, so that nothing is said of them. */
void events_finalizing(void)
{
	struct checked_request *request;
	uint32_t position = 0;

	while (request_next(&position, &request)) {
		struct operation_facts *facts = request->facts;

		if (!facts || !(request->flags & REQUEST_CANCELLED) || !(request->flags & REQUEST_ACTIVE))
			continue;
		lock_if_shared();
		if (facts->send)
			kept_cancelled(facts->send);
		if (facts->pending)
			receive_drop(facts->pending);
		else if (facts->receive)
			kept_cancelled(facts->receive);
		unlock_if_shared();
	}
}

void events_end(void)
{
	host_lock();
	comms_each(receives_end);
	host_unlock();
}

/* Around each call */

void events_before(struct agent_call *call)
{
	const struct event_plan *plan = event_plan(call->id);
	struct thread_events *events = &agent_self->events;

	if (plan->ends)
		comms_before(call);
	if (plan->kind == PLAN_NOTHING || checked.phase != AGENT_IN_MPI || UNLIKELY(call->nested))
		return;
	call->postponed = call->problems;
	lock_if_shared();
	let_go(events); /* of a call that was left by a jump */
	if (call->postponed) {
		unlock_if_shared();
		return;
	}
	if (plan->kind == PLAN_MESSAGE)
		tell_message(call, plan, false);
	else if (plan->kind == PLAN_COLLECTIVE)
		hold(&events->collective, collective_event(call, plan, false));
	else if (plan->kind == PLAN_MATCHED_RECEIVE)
		tell_matched(call, plan);
	unlock_if_shared();
}

void events_after(struct agent_call *call, int rc)
{
	const struct event_plan *plan = event_plan(call->id);
	struct thread_events *events = &agent_self->events;

	if (plan->kind != PLAN_NOTHING && checked.phase == AGENT_IN_MPI && LIKELY(!call->nested)) {
		lock_if_shared();
		if (plan->kind == PLAN_MESSAGE) {
			end_message(call, plan, rc);
		} else if (plan->kind == PLAN_COLLECTIVE) {
			end_collective(call, plan, rc);
		} else if (plan->kind == PLAN_MATCHED_PROBE) {
			end_probe(call, plan, rc);
		}
		let_go(events);
		kept_left();
		unlock_if_shared();
	}
	if (plan->ends || plan->makes)
		comms_after(call, rc);
	if (plan->makes)
		windows_made(call, rc);
}

/* The start */

static void identify(int rank, int size)
{
	int common = 0;
	uint64_t world = world_identity(hash_bytes(checked.key, sizeof checked.key), size, &common);

	checked.world = world_claim(agent_folder(), world, rank);
	checked.rank = (uint32_t)rank;
	checked.size = (uint32_t)size;
}

#if HAS_SESSIONS
static bool identify_by_session(const struct agent_call *call, MPI_Group *world)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a variable */
	const void *variable = (const void *)(uintptr_t)value(
		call, (int8_t)call_parameter(call->id, KIND_newsession));
	MPI_Session session = call->fortran ? f_session(variable) : *(const MPI_Session *)variable;
	int rank = 0, size = 1;

	if (PMPI_Group_from_session_pset(session, "mpi://WORLD", world) != MPI_SUCCESS)
		return false;
	PMPI_Group_rank(*world, &rank);
	PMPI_Group_size(*world, &size);
	identify(rank, size);
	return true;
}
#endif

static void share_if_threads_may(const struct agent_call *call)
{
	int level = MPI_THREAD_SINGLE;

	if (call->id != CALL_Session_init)
		PMPI_Query_thread(&level);
	checked.shared = call->id == CALL_Session_init || level == MPI_THREAD_MULTIPLE;
	if (checked.shared)
		lives_share();
}

void events_start(const struct agent_call *call)
{
	int rank = 0, size = 1;

	threads_start();
	share_if_threads_may(call);
#if HAS_SESSIONS
	if (call->id == CALL_Session_init) {
		MPI_Group world;

		if (!identify_by_session(call, &world))
			return;
		checked.by_session = true;
		members_start(world);
	} else
#endif
	{
		PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
		PMPI_Comm_size(MPI_COMM_WORLD, &size);
		identify(rank, size);
		comms_start();
	}
	RELAXED_STORE(checked.phase, AGENT_IN_MPI);
	service_start();
}
