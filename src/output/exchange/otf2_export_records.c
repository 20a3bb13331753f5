#include "output/exchange/otf2_exporter.h"

#include "calls/calls.h"

#include <stdio.h>
#include <string.h>

/* Without a request. The data of split calls is known when they begin. */
static bool ends_by_itself(const struct call_info *info)
{
	return !call_has(info, KIND_newrequest);
}

static uint64_t field_or_zero(const struct call *call, enum field_key key)
{
	int64_t value = 0;

	return call_field(call, key, &value) && value > 0 ? (uint64_t)value : 0;
}

/* The window or file in a field of the call; NULL: not described in the trace. */
static const struct known_object *object_of(struct record_writer *w, const struct call *call,
                                            enum field_key key)
{
	const struct known_object *object;
	int64_t identity = 0;

	if (!call_field(call, key, &identity) || !identity)
		return NULL;
	object = known_object_get(w->ex, key == FIELD_WIN ? RECORDED_WIN : RECORDED_FILE, (uint64_t)identity);
	return object->defined ? object : NULL;
}

/* The target of a call; UINT32_MAX: none, or all. */
static uint32_t target_of(struct record_writer *w, const struct known_object *window, const struct call *call)
{
	int64_t target = RANK_NULL;

	if (!call_field(call, FIELD_TARGET, &target) || target < 0 ||
	    (uint64_t)target >= known_comm_get(&w->ex->comms, window->comm)->local.count)
		return OTF2_UNDEFINED_UINT32;
	return (uint32_t)target;
}

static OTF2_RmaAtomicType atomic_of(const struct call_info *info, const struct call *call)
{
	enum { OP_SUM = 3, OP_REPLACE = 13 };
	int64_t op = 0;

	call_field(call, FIELD_OP, &op);
	if (info->plain == CALL_Compare_and_swap)
		return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
	if (info->moves == MOVES_ACCUMULATE)
		return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
	if (op == OP_REPLACE)
		return OTF2_RMA_ATOMIC_TYPE_SWAP;
	return op == OP_SUM ? OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD : OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
}

/* OTF2_COLLECTIVE_OP_* of calls that involve all processes of the window; -1: another call. */
static int find_collective(const struct call_info *info)
{
	if (info->rma == RMA_FENCE)
		return OTF2_COLLECTIVE_OP_BARRIER;
	if (call_has(info, KIND_oldwin))
		return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
	if (!call_has(info, KIND_newwin))
		return -1;
	return info->window_memory == WINDOW_MEMORY_ALLOCATED || info->window_memory == WINDOW_MEMORY_SHARED
	               ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE
	               : OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

/* The members of a Post or Start; for their ends, all of the window, because the call does not say more. */
static OTF2_GroupRef group_of(struct record_writer *w, const struct known_object *window,
                              const struct call *call)
{
	const struct process_list *all = &known_comm_get(&w->ex->comms, window->comm)->local;
	struct process_list members = {.at = arena_array(&w->ex->arena, uint64_t, field_count(call) + 1)};

	for (uint32_t i = 0; i < field_count(call); i++) {
		int64_t rank = field_value_at(call, i);
		if (field_key_at(call, i) == FIELD_MEMBER && rank >= 0 && (uint64_t)rank < all->count)
			members.at[members.count++] = all->at[rank];
	}
	return define_group_of(w->ex, members.count ? &members : all);
}

/* Calls that open and close epochs have a record at their end. */
static void epoch_records(struct record_writer *w, const struct known_object *window, const struct call *call,
                          const struct call_info *info)
{
	uint32_t target = target_of(w, window, call);
	int64_t lock = LOCK_SHARED;

	switch (info->tests ? RMA_NONE : info->rma) {
	case RMA_LOCK:
	case RMA_LOCK_ALL:
		call_field(call, FIELD_LOCK, &lock);
		RECORD(w, RmaAcquireLock, window->ref, target, 0,
		       lock == LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
		break;
	case RMA_UNLOCK:
	case RMA_UNLOCK_ALL:
		RECORD(w, RmaReleaseLock, window->ref, target, 0);
		break;
	case RMA_FLUSH:
	case RMA_FLUSH_ALL:
	case RMA_SYNC:
		RECORD(w, RmaSync, window->ref, target, OTF2_RMA_SYNC_TYPE_MEMORY);
		break;
	case RMA_POST:
	case RMA_START:
	case RMA_COMPLETE:
	case RMA_WAIT:
		RECORD(w, RmaGroupSync, OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS, window->ref,
		       group_of(w, window, call));
		break;
	default:
		break;
	}
}

static bool is_rma(const struct call_info *info)
{
	return info->class == CLASS_ONE_SIDED || info->class == CLASS_EPOCH || info->class == CLASS_WINDOW;
}

static void rma_at_start(struct record_writer *w, const struct nested_call *node,
                         const struct call_info *info)
{
	if (!is_rma(info))
		return;
	if (info->class == CLASS_ONE_SIDED) {
		const struct call *call = node->event.call;
		const struct known_object *window = object_of(w, call, FIELD_WIN);
		uint32_t target = window ? target_of(w, window, call) : OTF2_UNDEFINED_UINT32;
		uint64_t sent = field_or_zero(call, FIELD_SENT),
			 received = field_or_zero(call, FIELD_RECEIVED);
		uint64_t id = node->operations ? node->operations->access_id : 0;

		if (target != OTF2_UNDEFINED_UINT32 && id) {
			if (info->moves == MOVES_ACCUMULATE || info->moves == MOVES_GET_ACCUMULATE ||
			    info->moves == MOVES_FETCH)
				RECORD(w, RmaAtomic, window->ref, target, atomic_of(info, call), sent,
				       received, id);
			else if (info->moves == MOVES_PUT)
				RECORD(w, RmaPut, window->ref, target, sent, id);
			else
				RECORD(w, RmaGet, window->ref, target, received, id);
		}
	} else if (find_collective(info) >= 0 && object_of(w, node->event.call, FIELD_WIN))
		RECORD(w, RmaCollectiveBegin);
}

static void rma_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	const struct known_object *window = is_rma(info) ? object_of(w, call, FIELD_WIN) : NULL;
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
	int op = find_collective(info);

	if (!window || info->class == CLASS_ONE_SIDED)
		return;
	for (size_t i = 0; node->operations && i < node->operations->ended_count; i++)
		RECORD(w, RmaOpCompleteRemote, window->ref, node->operations->ended[i]);
	epoch_records(w, window, call, info);
	if (op < 0)
		return;
	if (op == OTF2_COLLECTIVE_OP_BARRIER)
		level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
	else if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
		RECORD(w, RmaWinDestroy, window->ref);
	else
		RECORD(w, RmaWinCreate, window->ref);
	RECORD(w, RmaCollectiveEnd, (OTF2_CollectiveOp)op, level, window->ref, OTF2_COLLECTIVE_ROOT_NONE, 0,
	       0);
}

/* Files */

static bool begins(const struct call_info *info)
{
	return info->class == CLASS_FILE_DATA && info->moves;
}

/* The operation's number is the request's, if there is one. */
static uint64_t id_of(const struct record_writer *w, const struct nested_call *node)
{
	if (node->operations && node->operations->count && node->operations->at[0])
		return node->operations->at[0]->id;
	return w->io_id;
}

static void io_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	const struct known_object *file = info->class == CLASS_FILE_DATA || info->class == CLASS_FILE
	                                          ? object_of(w, call, FIELD_FILE)
	                                          : NULL;
	bool reads = info->moves == MOVES_READ;

	if (!file)
		return;
	if (!begins(info)) {
		if (call_has(info, KIND_newfile))
			RECORD(w, IoCreateHandle, file->ref, OTF2_IO_ACCESS_MODE_READ_WRITE,
			       OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
		if (call_has(info, KIND_oldfile))
			RECORD(w, IoDestroyHandle, file->ref);
	} else if (ends_by_itself(info))
		RECORD(w, IoOperationComplete, file->ref,
		       field_or_zero(call, reads ? FIELD_RECEIVED : FIELD_SENT), id_of(w, node));
	else
		RECORD(w, IoOperationIssued, file->ref, id_of(w, node));
}

/* A call's communicator, if it has a number; NULL: none. */
static const struct known_comm *comm_of(struct record_writer *w, const struct call *call)
{
	int64_t identity = 0;

	if (!call_field(call, FIELD_COMM, &identity) || !identity)
		return NULL;
	define_comm_of(w->ex, (uint64_t)identity);
	return known_comm_get(&w->ex->comms, (uint64_t)identity);
}

/* True if the process is in the first of the two groups of an intercommunicator. */
static bool is_in_first_group(const struct record_writer *w, const struct known_comm *comm)
{
	const struct comm *own = find_comm(&w->ex->reader->processes[w->process], comm->identity);

	return own && own->rank < comm->local.count && comm->local.at[own->rank] == w->process;
}

/* A message's other end. */
struct message_peer {
	OTF2_CommRef comm;
	uint32_t rank; /* in the archive's group: for an intercommunicator, that of both groups */
};

/* False: none, or not representable in OTF2. */
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
		RECORD(w, MpiIsend, peer.rank, peer.comm, tag, bytes, operation->id);
	else
		RECORD(w, MpiSend, peer.rank, peer.comm, tag, bytes);
}

/* The received message: from the fields of the completion, otherwise as posted. */
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
		RECORD(w, MpiIrecv, peer.rank, peer.comm, tag, bytes, operation->receive_id);
	else
		RECORD(w, MpiRecv, peer.rank, peer.comm, tag, bytes);
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

/* Excludes blocking calls that create or free communicators: Score-P before version 9 wrote no collective
 * record for them, and Scalasca ends if there is one. They have CommCreate and CommDestroy.
 *
 * OTF2_COLLECTIVE_OP_* of a call; -1 if OTF2 does not have this collective, or for an intercommunicator: in
 * the Comm of both groups, one group would seem to take part in calls of the other. */
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

static void write_collective(struct record_writer *w, const struct call *call, int op,
                             const struct request_operation *operation)
{
	uint64_t sent = field_or_zero(call, FIELD_SENT), received = field_or_zero(call, FIELD_RECEIVED);
	OTF2_CommRef comm = comm_of(w, call)->ref;
	int64_t given = -1;
	uint32_t root;

	call_field(call, FIELD_ROOT, &given);
	root = given >= 0 ? (uint32_t)given : OTF2_COLLECTIVE_ROOT_NONE;
	if (operation)
		RECORD(w, NonBlockingCollectiveComplete, (OTF2_CollectiveOp)op, comm, root, sent, received,
		       operation->id);
	else
		RECORD(w, MpiCollectiveEnd, (OTF2_CollectiveOp)op, comm, root, sent, received);
}

static bool moves_out(const struct call_info *info)
{
	return info->moves == MOVES_SEND || info->moves == MOVES_SENDRECV || info->moves == MOVES_REPLACE;
}

static bool moves_in(const struct call_info *info)
{
	return info->moves == MOVES_RECV || info->moves == MOVES_SENDRECV || info->moves == MOVES_REPLACE;
}

/* False if the source is MPI_PROC_NULL. */
static bool expects_message(const struct call *call)
{
	int64_t source = RANK_ANY, comm;

	if (!call_field(call, FIELD_RECV_PEER, &source))
		call_field(call, FIELD_PEER, &source);
	return call_field(call, FIELD_COMM, &comm) && source != RANK_NULL; /* required by OTF2 */
}

static void operation_begins(struct record_writer *w, const struct request_operation *operation)
{
	const struct call_info *info = operation->info;

	if (moves_out(info))
		write_send(w, operation->call, operation);
	if (moves_in(info) && expects_message(operation->call))
		RECORD(w, MpiIrecvRequest, operation->receive_id);
	if (collective_of(w, operation->call, info) >= 0)
		RECORD(w, NonBlockingCollectiveRequest, operation->id);
}

static void operation_ends(struct record_writer *w, const struct request_operation *operation,
                           struct field_range brought)
{
	const struct call_info *info = operation->info;
	struct received_message arrival = received_by(operation->call, brought);
	int op = collective_of(w, operation->call, info);
	int64_t rank = RANK_NULL;
	struct message_peer peer;
	const struct known_object *window, *file;
	uint64_t bytes;

	if (arrival.cancelled) {
		RECORD(w, MpiRequestCancelled, operation->id);
		return;
	}
	if (moves_out(info) && call_field(operation->call, FIELD_PEER, &rank) &&
	    find_peer(w, operation->call, rank, &peer))
		RECORD(w, MpiIsendComplete, operation->id);
	if (moves_in(info) && expects_message(operation->call))
		write_receive(w, operation->call, &arrival, operation);
	if (op >= 0)
		write_collective(w, operation->call, op, operation);
	window = object_of(w, operation->call, FIELD_WIN);
	if (operation->info->class == CLASS_ONE_SIDED && window &&
	    target_of(w, window, operation->call) != OTF2_UNDEFINED_UINT32)
		RECORD(w, RmaOpCompleteNonBlocking, window->ref, operation->id);
	file = operation->info->class == CLASS_FILE_DATA ? object_of(w, operation->call, FIELD_FILE) : NULL;
	bytes = field_or_zero(operation->call, FIELD_SENT);
	if (!file)
		return;
	for (uint32_t i = brought.first; i < brought.end; i++)
		if (field_key_at(brought.call, i) == FIELD_RECEIVED && field_value_at(brought.call, i) > 0)
			bytes = (uint64_t)field_value_at(brought.call, i);
	RECORD(w, IoOperationComplete, file->ref, bytes, operation->id);
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
	const struct known_object *file;

	if (!info)
		return;
	if (ends_by_itself(info) && moves_out(info))
		write_send(w, node->event.call, NULL);
	if (ends_by_itself(info) && collective_of(w, node->event.call, info) >= 0)
		RECORD(w, MpiCollectiveBegin);
	/* Operations that the call begins or tests; records of completed operations are at its end. */
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
			RECORD(w, MpiRequestTest, operation->id);
	}
	rma_at_start(w, node, info);
	/* The same for files. */
	file = begins(info) ? object_of(w, node->event.call, FIELD_FILE) : NULL;
	if (file) {
		bool reads = info->moves == MOVES_READ;
		uint64_t bytes = field_or_zero(node->event.call, reads ? FIELD_ROOM : FIELD_SENT);
		OTF2_IoOperationFlag flags = info->collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
		                                              : OTF2_IO_OPERATION_FLAG_NONE;

		if (!ends_by_itself(info))
			flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
		/* Above all request numbers. */
		w->io_id = (w->io_id | (uint64_t)1 << 62) + 1;
		RECORD(w, IoOperationBegin, file->ref,
		       reads ? OTF2_IO_OPERATION_MODE_READ : OTF2_IO_OPERATION_MODE_WRITE, flags, bytes,
		       id_of(w, node));
	}
}

void records_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	int op;
	int64_t identity = 0;

	if (!info)
		return;
	completed_operations(w, node);
	if (ends_by_itself(info) && moves_in(info)) {
		bool matched = node->operations && node->operations->matched;
		const struct call *posted = matched ? node->operations->matched : call;
		struct field_range all = {call, 0, field_count(call)};
		struct received_message arrival = received_by(posted, all);
		write_receive(w, posted, &arrival, NULL);
	}
	rma_at_end(w, node, info);
	io_at_end(w, node, info);
	/* Communicators that the call created or freed. */
	if (call_field(call, FIELD_NEWCOMM, &identity) && identity)
		RECORD(w, CommCreate, define_comm_of(w->ex, (uint64_t)identity));
	if (call_has(info, KIND_oldcomm) && call_field(call, FIELD_COMM, &identity) && identity)
		RECORD(w, CommDestroy, define_comm_of(w->ex, (uint64_t)identity));
	op = ends_by_itself(info) ? collective_of(w, call, info) : -1;
	if (op >= 0)
		write_collective(w, call, op, NULL);
}
