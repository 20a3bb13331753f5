#include "output/exchange/otf2_export_records.h"

#include "calls/calls.h"

#include <stdio.h>
#include <string.h>

uint64_t field_or_zero(const struct call *call, enum field_key key)
{
	int64_t value = 0;

	return call_field(call, key, &value) && value > 0 ? (uint64_t)value : 0;
}

/* A call's communicator, which has a number; NULL: there is none. */
static const struct known_comm *comm_of(struct record_writer *w, const struct call *call)
{
	int64_t identity = 0;

	if (!call_field(call, FIELD_COMM, &identity) || !identity)
		return NULL;
	define_comm_of(w->ex, (uint64_t)identity);
	return known_comm_get(&w->ex->comms, (uint64_t)identity);
}

/* Which of the two groups of an intercommunicator the process is in. */
static bool is_in_first_group(const struct record_writer *w, const struct known_comm *comm)
{
	const struct comm *own = find_comm(&w->ex->reader->processes[w->process], comm->identity);

	return own && own->rank < comm->local.count && comm->local.at[own->rank] == w->process;
}

/* A message's other end. */
struct message_peer {
	OTF2_CommRef comm;
	uint32_t rank; /* in the archive's group: of an intercommunicator, that of both its groups */
};

/* False where there is none, or none that OTF2 could name. */
static bool find_peer(struct record_writer *w, const struct call *call, int64_t rank,
                      struct message_peer *peer)
{
	const struct known_comm *comm = comm_of(w, call);
	bool is_other = comm && comm->is_inter && is_in_first_group(w, comm);
	uint32_t before = is_other ? comm->local.count : 0;

	if (!comm || rank < 0 || rank >= (is_other ? comm->remote.count : comm->local.count))
		return false;
	*peer = (struct message_peer){comm->ref, before + (uint32_t)rank};
	return true;
}

static void write_send(struct record_writer *w, const struct call *call,
                       const struct request_operation *operation)
{
	uint64_t bytes = field_or_zero(call, FIELD_SENT);
	uint32_t tag = (uint32_t)field_or_zero(call, FIELD_TAG);
	int64_t rank = RANK_NULL;
	struct message_peer peer;

	if (!call_field(call, FIELD_PEER, &rank) || !find_peer(w, call, rank, &peer))
		return;
	if (operation)
		wrote(w->ex, OTF2_EvtWriter_MpiIsend(w->events, NULL, w->time, peer.rank, peer.comm, tag,
		                                     bytes, operation->id));
	else
		wrote(w->ex,
		      OTF2_EvtWriter_MpiSend(w->events, NULL, w->time, peer.rank, peer.comm, tag, bytes));
}

/* What arrived: from the fields that it brought, and where these say nothing, as it was posted. */
struct received_message {
	int64_t source, tag, bytes;
	bool cancelled;
};

static struct received_message received_by(const struct call *posted, struct field_range brought)
{
	struct received_message arrival = {.source = RANK_NULL, .tag = 0};

	if (!call_field(posted, FIELD_RECV_PEER, &arrival.source))
		call_field(posted, FIELD_PEER, &arrival.source);
	if (!call_field(posted, FIELD_RECV_TAG, &arrival.tag))
		call_field(posted, FIELD_TAG, &arrival.tag);
	for (uint32_t i = brought.first; i < brought.end; i++) {
		struct field field = field_at(brought.call, i);
		if (field.key == FIELD_SOURCE)
			arrival.source = field.value;
		if (field.key == FIELD_SOURCE_TAG)
			arrival.tag = field.value;
		if (field.key == FIELD_RECEIVED)
			arrival.bytes = field.value;
		if (field.key == FIELD_CANCELLED)
			arrival.cancelled = field.value != 0;
	}
	return arrival;
}

static void write_receive(struct record_writer *w, const struct call *posted,
                          const struct received_message *arrival, const struct request_operation *operation)
{
	uint32_t tag = arrival->tag < 0 ? 0 : (uint32_t)arrival->tag;
	uint64_t bytes = arrival->bytes < 0 ? 0 : (uint64_t)arrival->bytes;
	struct message_peer peer;

	if (!find_peer(w, posted, arrival->source, &peer))
		return;
	if (operation)
		wrote(w->ex, OTF2_EvtWriter_MpiIrecv(w->events, NULL, w->time, peer.rank, peer.comm, tag,
		                                     bytes, operation->receive_id));
	else
		wrote(w->ex,
		      OTF2_EvtWriter_MpiRecv(w->events, NULL, w->time, peer.rank, peer.comm, tag, bytes));
}

static const struct otf2_collective {
	enum call_id plain;
	OTF2_CollectiveOp op;
} collective_rows[] = {
	{CALL_Allgather, OTF2_COLLECTIVE_OP_ALLGATHER},
	{CALL_Allgatherv, OTF2_COLLECTIVE_OP_ALLGATHERV},
	{CALL_Allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE},
	{CALL_Alltoall, OTF2_COLLECTIVE_OP_ALLTOALL},
	{CALL_Alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV},
	{CALL_Alltoallw, OTF2_COLLECTIVE_OP_ALLTOALLW},
	{CALL_Barrier, OTF2_COLLECTIVE_OP_BARRIER},
	{CALL_Bcast, OTF2_COLLECTIVE_OP_BCAST},
	{CALL_Exscan, OTF2_COLLECTIVE_OP_EXSCAN},
	{CALL_Gather, OTF2_COLLECTIVE_OP_GATHER},
	{CALL_Gatherv, OTF2_COLLECTIVE_OP_GATHERV},
	{CALL_Reduce, OTF2_COLLECTIVE_OP_REDUCE},
	{CALL_Reduce_scatter, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
	{CALL_Reduce_scatter_block, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
	{CALL_Scan, OTF2_COLLECTIVE_OP_SCAN},
	{CALL_Scatter, OTF2_COLLECTIVE_OP_SCATTER},
	{CALL_Scatterv, OTF2_COLLECTIVE_OP_SCATTERV},
};

/* Not those that make or free communicators and block: Score-P before version 9 wrote no collective record for them, and Scalasca
 * ends if there is one. Theirs are CommCreate and CommDestroy.
 *
 * OTF2_COLLECTIVE_OP_* of a call; -1 if OTF2 does not have this collective, or it is one of an intercommunicator: in the Comm of both groups, one
 * group would seem to take part in calls of the other. */
static int collective_of(struct record_writer *w, const struct call *call, const struct call_info *info)
{
	const struct known_comm *comm = comm_of(w, call);

	if (!comm || comm->is_inter)
		return -1;
	if (call_has(info, KIND_newcomm))
		return call_is_nonblocking(info) ? OTF2_COLLECTIVE_OP_CREATE_HANDLE : -1;
	for (size_t i = 0; i < sizeof collective_rows / sizeof *collective_rows; i++)
		if (collective_rows[i].plain == info->plain)
			return collective_rows[i].op;
	return -1;
}

static uint32_t root_of(const struct call *call)
{
	int64_t root;

	return call_field(call, FIELD_ROOT, &root) && root >= 0 ? (uint32_t)root : OTF2_COLLECTIVE_ROOT_NONE;
}

static void write_collective(struct record_writer *w, const struct call *call, int op,
                             const struct request_operation *operation)
{
	uint64_t sent = field_or_zero(call, FIELD_SENT), received = field_or_zero(call, FIELD_RECEIVED);
	OTF2_CommRef comm = comm_of(w, call)->ref;

	if (operation)
		wrote(w->ex, OTF2_EvtWriter_NonBlockingCollectiveComplete(
				     w->events, NULL, w->time, (OTF2_CollectiveOp)op, comm, root_of(call),
				     sent, received, operation->id));
	else
		wrote(w->ex, OTF2_EvtWriter_MpiCollectiveEnd(w->events, NULL, w->time, (OTF2_CollectiveOp)op,
		                                             comm, root_of(call), sent, received));
}

static bool moves_out(const struct call_info *info)
{
	return info->moves == MOVES_SEND || info->moves == MOVES_SENDRECV || info->moves == MOVES_REPLACE;
}

static bool moves_in(const struct call_info *info)
{
	return info->moves == MOVES_RECV || info->moves == MOVES_SENDRECV || info->moves == MOVES_REPLACE;
}

/* OTF2 needs it. */
static bool has_comm(const struct call *call)
{
	int64_t identity;

	return call_field(call, FIELD_COMM, &identity);
}

/* Not if the source is MPI_PROC_NULL. */
static bool expects_message(const struct call *call)
{
	int64_t source = RANK_ANY;

	if (!call_field(call, FIELD_RECV_PEER, &source))
		call_field(call, FIELD_PEER, &source);
	return has_comm(call) && source != RANK_NULL;
}

static void operation_begins(struct record_writer *w, const struct request_operation *operation)
{
	const struct call_info *info = operation->info;

	if (moves_out(info))
		write_send(w, operation->call, operation);
	if (moves_in(info) && expects_message(operation->call))
		wrote(w->ex, OTF2_EvtWriter_MpiIrecvRequest(w->events, NULL, w->time, operation->receive_id));
	if (collective_of(w, operation->call, info) >= 0)
		wrote(w->ex,
		      OTF2_EvtWriter_NonBlockingCollectiveRequest(w->events, NULL, w->time, operation->id));
}

static void operation_ends(struct record_writer *w, const struct request_operation *operation,
                           struct field_range brought)
{
	const struct call_info *info = operation->info;
	struct received_message arrival = received_by(operation->call, brought);
	int op = collective_of(w, operation->call, info);
	int64_t rank = RANK_NULL;
	struct message_peer peer;

	if (arrival.cancelled) {
		wrote(w->ex, OTF2_EvtWriter_MpiRequestCancelled(w->events, NULL, w->time, operation->id));
		return;
	}
	if (moves_out(info) && call_field(operation->call, FIELD_PEER, &rank) &&
	    find_peer(w, operation->call, rank, &peer))
		wrote(w->ex, OTF2_EvtWriter_MpiIsendComplete(w->events, NULL, w->time, operation->id));
	if (moves_in(info) && expects_message(operation->call))
		write_receive(w, operation->call, &arrival, operation);
	if (op >= 0)
		write_collective(w, operation->call, op, operation);
	rma_ended(w, operation);
	io_ended(w, operation, brought);
}

static bool is_blocking(const struct call_info *info)
{
	return !call_has(info, KIND_newrequest);
}

static void completed_operations(struct record_writer *w, const struct nested_call *node)
{
	const struct call *call = node->event.call;
	size_t place = 0;

	for (uint32_t at = 0; node->operations && at < field_count(call); at++) {
		uint32_t key = field_key_at(call, at), next = at + 1;
		const struct request_operation *operation;
		if (key != FIELD_REQUEST && key != FIELD_DONE)
			continue;
		operation = node->operations->at[place++];
		while (next < field_count(call) && field_key_at(call, next) != FIELD_DONE)
			next++;
		if (key == FIELD_DONE && operation && operation->info)
			operation_ends(w, operation, (struct field_range){call, at + 1, next});
	}
}

void records_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call;
	size_t place = 0;
	int64_t flag = 1;

	if (!info)
		return;
	if (is_blocking(info) && moves_out(info))
		write_send(w, node->event.call, NULL);
	if (is_blocking(info) && collective_of(w, node->event.call, info) >= 0)
		wrote(w->ex, OTF2_EvtWriter_MpiCollectiveBegin(w->events, NULL, w->time));
	/* Operations that the call begins or tests; records of those that it completes are at its end. */
	call = node->event.call;
	call_field(call, FIELD_FLAG, &flag);
	for (uint32_t i = 0; node->operations && i < field_count(call); i++) {
		uint32_t key = field_key_at(call, i);
		const struct request_operation *operation;
		if (key != FIELD_REQUEST && key != FIELD_DONE)
			continue;
		operation = node->operations->at[place++];
		if (key == FIELD_DONE || !operation)
			continue;
		if (begins_operations(info))
			operation_begins(w, operation);
		else if (info->tests && call_completes(info) && !flag)
			wrote(w->ex, OTF2_EvtWriter_MpiRequestTest(w->events, NULL, w->time, operation->id));
	}
	rma_at_start(w, node, info);
	io_at_start(w, node, info);
}

void records_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	int op;
	int64_t identity = 0;

	if (!info)
		return;
	completed_operations(w, node);
	if (is_blocking(info) && moves_in(info)) {
		bool matched = node->operations && node->operations->matched;
		const struct call *posted = matched ? node->operations->matched : call;
		struct field_range all = {call, 0, field_count(call)};
		struct received_message arrival = received_by(posted, all);
		write_receive(w, posted, &arrival, NULL);
	}
	rma_at_end(w, node, info);
	io_at_end(w, node, info);
	/* Communicators that the call brought or took. */
	if (call_field(call, FIELD_NEWCOMM, &identity) && identity)
		wrote(w->ex, OTF2_EvtWriter_CommCreate(w->events, NULL, w->time,
		                                       define_comm_of(w->ex, (uint64_t)identity)));
	if (call_has(info, KIND_oldcomm) && call_field(call, FIELD_COMM, &identity) && identity)
		wrote(w->ex, OTF2_EvtWriter_CommDestroy(w->events, NULL, w->time,
		                                        define_comm_of(w->ex, (uint64_t)identity)));
	op = is_blocking(info) ? collective_of(w, call, info) : -1;
	if (op >= 0)
		write_collective(w, call, op, NULL);
}
