/* Records between a call's enter and its leave become fields of the call. */
#include "calls/calls.h"
#include "output/exchange/otf2_importer.h"

#include <string.h>

/* Blocking calls by OTF2_COLLECTIVE_OP_*. */
static const enum call_id collective_calls[] = {
	[OTF2_COLLECTIVE_OP_BARRIER] = CALL_Barrier,
	[OTF2_COLLECTIVE_OP_BCAST] = CALL_Bcast,
	[OTF2_COLLECTIVE_OP_GATHER] = CALL_Gather,
	[OTF2_COLLECTIVE_OP_GATHERV] = CALL_Gatherv,
	[OTF2_COLLECTIVE_OP_SCATTER] = CALL_Scatter,
	[OTF2_COLLECTIVE_OP_SCATTERV] = CALL_Scatterv,
	[OTF2_COLLECTIVE_OP_ALLGATHER] = CALL_Allgather,
	[OTF2_COLLECTIVE_OP_ALLGATHERV] = CALL_Allgatherv,
	[OTF2_COLLECTIVE_OP_ALLTOALL] = CALL_Alltoall,
	[OTF2_COLLECTIVE_OP_ALLTOALLV] = CALL_Alltoallv,
	[OTF2_COLLECTIVE_OP_ALLTOALLW] = CALL_Alltoallw,
	[OTF2_COLLECTIVE_OP_ALLREDUCE] = CALL_Allreduce,
	[OTF2_COLLECTIVE_OP_REDUCE] = CALL_Reduce,
	[OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = CALL_Reduce_scatter,
	[OTF2_COLLECTIVE_OP_SCAN] = CALL_Scan,
	[OTF2_COLLECTIVE_OP_EXSCAN] = CALL_Exscan,
	[OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = CALL_Reduce_scatter_block,
};

static const char *collective_name(OTF2_CollectiveOp op, bool nonblocking)
{
	enum { COUNT = sizeof collective_calls / sizeof *collective_calls };
	enum call_id plain = op < COUNT ? collective_calls[op] : CALL_Comm_dup;

	for (size_t i = 0; nonblocking && i < ALL_CALLS; i++)
		if (all_calls[i].plain == plain && call_has(&all_calls[i], KIND_newrequest) &&
		    !all_calls[i].persistent && !all_calls[i].large)
			return all_calls[i].name;
	return all_calls[plain].name;
}

/* An operation that MPI_Start begins was prepared by another call, which the archive does not name. It
 * becomes a call nested in MPI_Start. */
static bool only_starts(const struct open_region *open, const char *function)
{
	const struct call_info *around = call_find(open->function), *begun = call_find(function);

	return around && around->starts && begun->plain != call_id_of(begun);
}

static enum rma_action rma_action_of(const struct open_region *call)
{
	const struct call_info *info = call_find(call->function);

	return info ? info->rma : RMA_NONE;
}

/* The call of a record. A record outside an MPI function becomes a separate call of the function that
 * usually makes such records. */
static struct open_region *call_of(struct thread_reader *reader, uint64_t time, const char *function)
{
	struct open_region *open = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;

	reader->last_time = time;
	if (reader->own)
		return NULL;
	if (!open || !open->function || only_starts(open, function)) {
		open = open_region(reader, time);
		open->function = function;
	}
	return open;
}

/* Ends the call that call_of() began. */
static OTF2_CallbackCode end_call(struct thread_reader *reader, const struct open_region *call, uint64_t time)
{
	if (call && !call->region)
		close_region(reader, time);
	return reader->im->status == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static void add_value(struct draft_list *list, enum field_key key, uint64_t value)
{
	array_add(list, (struct draft_field){.key = key, .value = (int64_t)value});
}

/* The first value counts. Without a call (NULL) nothing is added, here and below. */
static void add_field(struct open_region *call, enum field_key key, uint64_t value)
{
	uint64_t bit = (uint64_t)1 << key;

	if (!call || call->given & bit)
		return;
	call->given |= bit;
	add_value(&call->fields, key, value);
}

static void add_comm_field(struct thread_reader *reader, struct open_region *call, enum field_key key,
                           OTF2_CommRef ref)
{
	uint64_t identity = comm_identity(reader->im, reader->process, ref);

	add_field(identity ? call : NULL, key, identity);
	reader->im->counts[NOTE_NO_SUCH] += call && !identity;
}

static void add_root(struct open_region *call, uint32_t root)
{
	if (root == OTF2_COLLECTIVE_ROOT_NONE)
		return;
	if (root == OTF2_COLLECTIVE_ROOT_SELF)
		add_field(call, FIELD_ROOT, (uint64_t)(int64_t)RANK_ROOT);
	else if (root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		add_field(call, FIELD_ROOT, (uint64_t)(int64_t)RANK_NULL);
	else
		add_field(call, FIELD_ROOT, root);
}

/* A request that the call begins. The scan has collected the data of its completion. */
static void add_request(struct thread_reader *reader, struct open_region *call, uint64_t id)
{
	uint64_t number;
	const struct begun_request *begun;

	if (!call)
		return;
	begun = request_begin(reader->requests, reader->number, id, &number);
	if (begun->knows_comm)
		add_comm_field(reader, call, FIELD_COMM, begun->comm);
	if (begun->is_collective) {
		add_root(call, begun->root);
		add_field(call, FIELD_SENT, begun->sent);
		add_field(call, FIELD_RECEIVED, begun->received);
	}
	add_value(&call->fields, FIELD_REQUEST, number);
}

/* False: no call has begun it. */
static bool add_done(struct thread_reader *reader, struct open_region *call, uint64_t id)
{
	uint64_t number;

	if (!call)
		return false;
	if (!request_end(reader->requests, id, &number)) {
		reader->im->counts[NOTE_NO_REQUEST]++;
		return false;
	}
	add_value(&call->completions, FIELD_DONE, number);
	return true;
}

EVENT_CALLBACK(on_send, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	struct open_region *call = call_of(context, time, "MPI_Send");

	add_field(call, FIELD_PEER, peer);
	add_field(call, FIELD_TAG, tag);
	add_comm_field(context, call, FIELD_COMM, comm);
	add_field(call, FIELD_SENT, bytes);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_isend, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
	struct open_region *call = call_of(context, time, "MPI_Isend");

	add_field(call, FIELD_PEER, peer);
	add_field(call, FIELD_TAG, tag);
	add_comm_field(context, call, FIELD_COMM, comm);
	add_request(context, call, id);
	add_field(call, FIELD_SENT, bytes);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_isend_complete, uint64_t id)
{
	struct open_region *call = call_of(context, time, "MPI_Wait");

	add_done(context, call, id);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_irecv_request, uint64_t id)
{
	struct thread_reader *reader = context;
	const struct begun_request *begun = request_peek(reader->requests);
	struct open_region *call = call_of(
		reader, time, begun && begun->is_collective ? collective_name(begun->op, true) : "MPI_Irecv");

	add_request(context, call, id);
	return end_call(context, call, time);
}

/* The posted source is not recorded, only the actual one. */
EVENT_CALLBACK(on_recv, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	struct open_region *call = call_of(context, time, "MPI_Recv");

	add_comm_field(context, call, FIELD_COMM, comm);
	add_field(call, FIELD_SOURCE, peer);
	add_field(call, FIELD_SOURCE_TAG, tag);
	add_field(call, FIELD_RECEIVED, bytes);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_irecv, uint32_t peer, UNUSED OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
	struct open_region *call = call_of(context, time, "MPI_Wait");

	if (add_done(context, call, id)) {
		add_value(&call->completions, FIELD_SOURCE, peer);
		add_value(&call->completions, FIELD_SOURCE_TAG, tag);
		add_value(&call->completions, FIELD_RECEIVED, bytes);
	}
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_request_test, uint64_t id)
{
	struct thread_reader *reader = context;
	struct open_region *call = call_of(context, time, "MPI_Test");
	uint64_t number;

	if (call && request_find(reader->requests, id, &number)) {
		add_field(call, FIELD_REQUEST, number);
		add_field(call, FIELD_FLAG, 0);
	}
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_request_cancelled, uint64_t id)
{
	struct open_region *call = call_of(context, time, "MPI_Wait");

	if (add_done(context, call, id))
		add_value(&call->completions, FIELD_CANCELLED, 1);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_collective_end, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
               uint64_t received)
{
	struct open_region *call = call_of(context, time, collective_name(op, false));

	add_root(call, root);
	add_comm_field(context, call, FIELD_COMM, comm);
	add_field(call, FIELD_SENT, sent);
	add_field(call, FIELD_RECEIVED, received);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_collective_complete, UNUSED OTF2_CollectiveOp op, UNUSED OTF2_CommRef comm,
               UNUSED uint32_t root, UNUSED uint64_t sent, UNUSED uint64_t received, uint64_t id)
{
	struct open_region *call = call_of(context, time, "MPI_Wait");

	add_done(context, call, id);
	return end_call(context, call, time);
}

/* Score-P before version 9 has no collective record of such a call: then its communicator is the parent of
 * the new one. From version 9 on MPI_Init has records of the predefined ones. */
EVENT_CALLBACK(on_comm_create, OTF2_CommRef comm)
{
	struct thread_reader *reader = context;
	const struct comm_item *item = item_get(&reader->im->contents.comms, comm);
	OTF2_CommRef parent = item->parent;
	struct open_region *call;
	const struct call_info *info;

	if (!comm_is_of_processes(reader->im, comm)) {
		reader->im->counts[NOTE_THREADS] += !reader->own;
		return OTF2_CALLBACK_SUCCESS;
	}
	call = call_of(context, time, "MPI_Comm_dup");
	info = call ? call_find(call->function) : NULL;
	if (!call || (info && info->life == LIFE_BEGINS))
		return end_call(context, call, time);
	add_comm_field(context, call, FIELD_NEWCOMM, comm);
	if (item->name && parent != comm && parent != OTF2_UNDEFINED_COMM &&
	    comm_identity(reader->im, reader->process, parent))
		add_comm_field(context, call, FIELD_COMM, parent);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_comm_destroy, OTF2_CommRef comm)
{
	struct open_region *call = call_of(context, time, "MPI_Comm_free");

	add_comm_field(context, call, FIELD_COMM, comm);
	return end_call(context, call, time);
}

static void add_window(struct thread_reader *reader, struct open_region *call, OTF2_RmaWinRef win)
{
	const struct window_item *item = item_get(&reader->im->contents.windows, win);

	add_field(item->name ? call : NULL, FIELD_WIN, window_identity(win));
	reader->im->counts[NOTE_NO_SUCH] += call && !item->name;
}

static void add_access(struct thread_reader *reader, struct open_region *call, OTF2_RmaWinRef win,
                       uint32_t target)
{
	if (target != OTF2_UNDEFINED_UINT32)
		add_field(call, FIELD_TARGET, target);
	add_window(reader, call, win);
}

/* The call of a one-sided record. NULL: not an MPI window; CUDA uses such records for copies. */
static struct open_region *window_call(struct thread_reader *reader, uint64_t time, const char *function,
                                       OTF2_RmaWinRef win)
{
	const struct window_item *item = item_get(&reader->im->contents.windows, win);

	if (!item->name || comm_is_of_processes(reader->im, item->comm))
		return call_of(reader, time, function);
	reader->last_time = time;
	reader->im->counts[NOTE_OTHERS] += !reader->own;
	return NULL;
}

EVENT_CALLBACK(on_win_create, OTF2_RmaWinRef win)
{
	struct thread_reader *reader = context;
	struct open_region *call = window_call(context, time, "MPI_Win_create", win);
	const struct window_item *item = item_get(&reader->im->contents.windows, win);

	if (call) {
		if (item->name)
			add_comm_field(context, call, FIELD_COMM, item->comm);
		add_window(context, call, win);
	}
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_win_destroy, OTF2_RmaWinRef win)
{
	struct open_region *call = window_call(context, time, "MPI_Win_free", win);

	add_window(context, call, win);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_rma_collective_end, UNUSED OTF2_CollectiveOp op, UNUSED OTF2_RmaSyncLevel level,
               OTF2_RmaWinRef win, UNUSED uint32_t root, UNUSED uint64_t sent, UNUSED uint64_t received)
{
	struct open_region *call = window_call(context, time, "MPI_Win_fence", win);

	add_window(context, call, win);
	return end_call(context, call, time);
}

/* The rank of a process in the window; UINT32_MAX: none. */
static uint32_t rank_in(struct thread_reader *reader, OTF2_RmaWinRef win, uint64_t member)
{
	struct contents *contents = &reader->im->contents;
	const struct window_item *item = item_get(&contents->windows, win);
	const struct comm_item *comm = item_get(&contents->comms, item->comm);
	const struct group_item *group = item_get(&contents->groups, comm->local);

	for (uint32_t i = 0; comm->name && group->defined && i < group->count; i++)
		if (group->members[i] == member)
			return i;
	return UINT32_MAX;
}

EVENT_CALLBACK(on_group_sync, UNUSED OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, OTF2_GroupRef ref)
{
	enum { MEMBERS_MAX = 1024 };
	struct thread_reader *reader = context;
	struct open_region *call = window_call(context, time, "MPI_Win_start", win);
	const struct group_item *group = item_get(&reader->im->contents.groups, ref);

	if (!call)
		return end_call(context, call, time);
	add_window(reader, call, win);
	if (rma_action_of(call) != RMA_POST && rma_action_of(call) != RMA_START)
		return end_call(context, call, time);
	for (uint32_t i = 0; group->defined && i < group->count && i < MEMBERS_MAX; i++) {
		uint32_t rank = rank_in(reader, win, group->members[i]);
		if (rank != UINT32_MAX)
			add_value(&call->fields, FIELD_MEMBER, rank);
	}
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_lock, OTF2_RmaWinRef win, uint32_t target, UNUSED uint64_t id, OTF2_LockType type)
{
	struct open_region *call = window_call(context, time, "MPI_Win_lock", win);

	if (call && rma_action_of(call) == RMA_LOCK)
		add_field(call, FIELD_LOCK, type == OTF2_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE : LOCK_SHARED);
	add_access(context, call, win, target);
	return end_call(context, call, time);
}

/* A call with no fields but its window and its target. */
static OTF2_CallbackCode end_call_to(struct thread_reader *reader, uint64_t time, const char *function,
                                     OTF2_RmaWinRef win, uint32_t target)
{
	struct open_region *call = window_call(reader, time, function, win);

	add_access(reader, call, win, target);
	return end_call(reader, call, time);
}

EVENT_CALLBACK(on_unlock, OTF2_RmaWinRef win, uint32_t target, UNUSED uint64_t id)
{
	return end_call_to(context, time, "MPI_Win_unlock", win, target);
}

EVENT_CALLBACK(on_rma_sync, OTF2_RmaWinRef win, uint32_t target, UNUSED OTF2_RmaSyncType type)
{
	return end_call_to(context, time, "MPI_Win_flush", win, target);
}

EVENT_CALLBACK(on_put, OTF2_RmaWinRef win, uint32_t target, uint64_t bytes, UNUSED uint64_t id)
{
	struct open_region *call = window_call(context, time, "MPI_Put", win);

	add_access(context, call, win, target);
	add_field(call, FIELD_SENT, bytes);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_get, OTF2_RmaWinRef win, uint32_t target, uint64_t bytes, UNUSED uint64_t id)
{
	struct open_region *call = window_call(context, time, "MPI_Get", win);

	add_access(context, call, win, target);
	add_field(call, FIELD_RECEIVED, bytes);
	return end_call(context, call, time);
}

EVENT_CALLBACK(on_atomic, OTF2_RmaWinRef win, uint32_t target, UNUSED OTF2_RmaAtomicType type, uint64_t sent,
               uint64_t received, UNUSED uint64_t id)
{
	struct open_region *call = window_call(context, time, "MPI_Accumulate", win);

	add_access(context, call, win, target);
	add_field(call, FIELD_SENT, sent);
	if (type != OTF2_RMA_ATOMIC_TYPE_ACCUMULATE)
		add_field(call, FIELD_RECEIVED, received);
	return end_call(context, call, time);
}

/* Only MPI files: a trace has no calls of other I/O. */
static struct open_region *file_call(struct thread_reader *reader, uint64_t time)
{
	struct open_region *open = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;
	const struct call_info *info = open && open->function ? call_find(open->function) : NULL;

	reader->last_time = time;
	if (reader->own)
		return NULL;
	if (info && (info->class == CLASS_FILE || info->class == CLASS_FILE_DATA))
		return open;
	reader->im->counts[NOTE_OTHERS]++;
	return NULL;
}

static void add_file(struct thread_reader *reader, struct open_region *call, OTF2_IoHandleRef ref)
{
	const struct window_item *item = item_get(&reader->im->contents.files, ref);

	add_field(item->name ? call : NULL, FIELD_FILE, file_identity(ref));
	reader->im->counts[NOTE_NO_SUCH] += call && !item->name;
}

EVENT_CALLBACK(on_file_open, OTF2_IoHandleRef file, UNUSED OTF2_IoAccessMode mode,
               UNUSED OTF2_IoCreationFlag creation, UNUSED OTF2_IoStatusFlag flags)
{
	struct open_region *call = file_call(context, time);

	add_file(context, call, file);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(on_file_close, OTF2_IoHandleRef file)
{
	struct open_region *call = file_call(context, time);

	add_file(context, call, file);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(on_io_begin, OTF2_IoHandleRef file, OTF2_IoOperationMode mode,
               UNUSED OTF2_IoOperationFlag flags, uint64_t bytes, UNUSED uint64_t id)
{
	struct open_region *call = file_call(context, time);

	add_file(context, call, file);
	add_field(call, mode == OTF2_IO_OPERATION_MODE_READ ? FIELD_ROOM : FIELD_SENT, bytes);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(on_io_complete, UNUSED OTF2_IoHandleRef file, uint64_t bytes, UNUSED uint64_t id)
{
	struct open_region *call = file_call(context, time);

	if (call && call->given & (uint64_t)1 << FIELD_ROOM)
		add_field(call, FIELD_RECEIVED, bytes);
	return OTF2_CALLBACK_SUCCESS;
}

void set_call_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
	OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_request_test);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_request_cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_irecv_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
	OTF2_EvtReaderCallbacks_SetCommCreateCallback(callbacks, on_comm_create);
	OTF2_EvtReaderCallbacks_SetCommDestroyCallback(callbacks, on_comm_destroy);
	OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_win_create);
	OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_win_destroy);
	OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_collective_end);
	OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
	OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_lock);
	OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_unlock);
	OTF2_EvtReaderCallbacks_SetRmaSyncCallback(callbacks, on_rma_sync);
	OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
	OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
	OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
	OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_file_open);
	OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_file_close);
	OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_io_begin);
	OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_io_complete);
}
