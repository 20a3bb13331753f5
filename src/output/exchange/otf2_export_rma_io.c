#include "calls/calls.h"
#include "output/exchange/otf2_export_records.h"

#include <string.h>

/* The window of a call; NULL: the trace does not describe it. */
static const struct known_object *window_of(struct record_writer *w, const struct call *call)
{
	const struct known_object *window;
	int64_t identity = 0;

	if (!call_field(call, FIELD_WIN, &identity) || !identity)
		return NULL;
	window = known_object_get(w->ex, OBJECT_WIN, (uint64_t)identity);
	return window->defined ? window : NULL;
}

/* The target of a call; UINT32_MAX where it is none or all. */
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

void rma_ended(struct record_writer *w, const struct request_operation *operation)
{
	const struct known_object *window = window_of(w, operation->call);

	if (operation->info->class == CLASS_ONE_SIDED && window &&
	    target_of(w, window, operation->call) != OTF2_UNDEFINED_UINT32)
		wrote(w->ex, OTF2_EvtWriter_RmaOpCompleteNonBlocking(w->events, NULL, w->time, window->ref,
		                                                     operation->id));
}

/* OTF2_COLLECTIVE_OP_* of calls in which all processes of the window take part; -1: another call. */
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

static void write_lock(struct record_writer *w, const struct known_object *window, const struct call *call)
{
	int64_t lock = LOCK_SHARED;
	uint32_t target = target_of(w, window, call);

	call_field(call, FIELD_LOCK, &lock);
	wrote(w->ex,
	      OTF2_EvtWriter_RmaAcquireLock(w->events, NULL, w->time, window->ref, target, 0,
	                                    lock == LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED));
}

static void write_unlock(struct record_writer *w, const struct known_object *window, const struct call *call)
{
	wrote(w->ex, OTF2_EvtWriter_RmaReleaseLock(w->events, NULL, w->time, window->ref,
	                                           target_of(w, window, call), 0));
}

static void write_sync(struct record_writer *w, const struct known_object *window, const struct call *call)
{
	wrote(w->ex, OTF2_EvtWriter_RmaSync(w->events, NULL, w->time, window->ref, target_of(w, window, call),
	                                    OTF2_RMA_SYNC_TYPE_MEMORY));
}

/* The members of a Post or Start; of their ends, all of the window, as the call does not say more. */
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

static void write_group_sync(struct record_writer *w, const struct known_object *window,
                             const struct call *call)
{
	wrote(w->ex, OTF2_EvtWriter_RmaGroupSync(w->events, NULL, w->time,
	                                         OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS,
	                                         window->ref, group_of(w, window, call)));
}

/* Calls that open and close epochs have a record at their end. */
static void epoch_records(struct record_writer *w, const struct known_object *window,
                          const struct nested_call *node, const struct call_info *info)
{
	static void (*const writers[RMA_VALUES])(struct record_writer * w, const struct known_object *window,
	                                         const struct call *call) = {
		[RMA_LOCK] = write_lock,        [RMA_LOCK_ALL] = write_lock,
		[RMA_UNLOCK] = write_unlock,    [RMA_UNLOCK_ALL] = write_unlock,
		[RMA_FLUSH] = write_sync,       [RMA_FLUSH_ALL] = write_sync,
		[RMA_SYNC] = write_sync,        [RMA_POST] = write_group_sync,
		[RMA_START] = write_group_sync, [RMA_COMPLETE] = write_group_sync,
		[RMA_WAIT] = write_group_sync,
	};

	if (writers[info->rma] && !info->tests)
		writers[info->rma](w, window, node->event.call);
}

static bool is_rma(const struct call_info *info)
{
	return info->class == CLASS_ONE_SIDED || info->class == CLASS_EPOCH || info->class == CLASS_WINDOW;
}

void rma_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	if (!is_rma(info))
		return;
	if (info->class == CLASS_ONE_SIDED) {
		const struct call *call = node->event.call;
		const struct known_object *window = window_of(w, call);
		uint32_t target = window ? target_of(w, window, call) : OTF2_UNDEFINED_UINT32;
		uint64_t sent = field_or_zero(call, FIELD_SENT),
			 received = field_or_zero(call, FIELD_RECEIVED);
		uint64_t id = node->operations ? node->operations->access_id : 0;

		if (target != OTF2_UNDEFINED_UINT32 && id) {
			if (info->moves == MOVES_ACCUMULATE || info->moves == MOVES_GET_ACCUMULATE ||
			    info->moves == MOVES_FETCH)
				wrote(w->ex,
				      OTF2_EvtWriter_RmaAtomic(w->events, NULL, w->time, window->ref, target,
				                               atomic_of(info, call), sent, received, id));
			else if (info->moves == MOVES_PUT)
				wrote(w->ex, OTF2_EvtWriter_RmaPut(w->events, NULL, w->time, window->ref,
				                                   target, sent, id));
			else
				wrote(w->ex, OTF2_EvtWriter_RmaGet(w->events, NULL, w->time, window->ref,
				                                   target, received, id));
		}
	} else if (find_collective(info) >= 0 && window_of(w, node->event.call))
		wrote(w->ex, OTF2_EvtWriter_RmaCollectiveBegin(w->events, NULL, w->time));
}

static void collective_ends(struct record_writer *w, const struct known_object *window, OTF2_CollectiveOp op)
{
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;

	if (op == OTF2_COLLECTIVE_OP_BARRIER)
		level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
	else if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
		wrote(w->ex, OTF2_EvtWriter_RmaWinDestroy(w->events, NULL, w->time, window->ref));
	else
		wrote(w->ex, OTF2_EvtWriter_RmaWinCreate(w->events, NULL, w->time, window->ref));
	wrote(w->ex, OTF2_EvtWriter_RmaCollectiveEnd(w->events, NULL, w->time, op, level, window->ref,
	                                             OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
}

void rma_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	const struct known_object *window = is_rma(info) ? window_of(w, call) : NULL;
	int op = find_collective(info);

	if (!window || info->class == CLASS_ONE_SIDED)
		return;
	for (size_t i = 0; node->operations && i < node->operations->ended_count; i++)
		wrote(w->ex, OTF2_EvtWriter_RmaOpCompleteRemote(w->events, NULL, w->time, window->ref,
		                                                node->operations->ended[i]));
	epoch_records(w, window, node, info);
	if (op >= 0)
		collective_ends(w, window, (OTF2_CollectiveOp)op);
}

/* Files */

static const struct known_object *file_of(struct record_writer *w, const struct call *call)
{
	const struct known_object *file;
	int64_t identity = 0;

	if (!call_field(call, FIELD_FILE, &identity) || !identity)
		return NULL;
	file = known_object_get(w->ex, OBJECT_FILE, (uint64_t)identity);
	return file->defined ? file : NULL;
}

static bool begins(const struct call_info *info)
{
	return info->class == CLASS_FILE_DATA && info->moves;
}

/* Data of split calls is known when they begin. */
static bool ends_by_itself(const struct call_info *info)
{
	return !call_has(info, KIND_newrequest);
}

/* The operation's number is the request's, where there is one. */
static uint64_t id_of(const struct record_writer *w, const struct nested_call *node)
{
	if (node->operations && node->operations->count && node->operations->at[0])
		return node->operations->at[0]->id;
	return w->io_id;
}

void io_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct known_object *file = begins(info) ? file_of(w, node->event.call) : NULL;

	if (file) {
		bool reads = info->moves == MOVES_READ;
		uint64_t bytes = field_or_zero(node->event.call, reads ? FIELD_ROOM : FIELD_SENT);
		OTF2_IoOperationFlag flags = info->meets ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
		                                         : OTF2_IO_OPERATION_FLAG_NONE;

		if (!ends_by_itself(info))
			flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
		/* Above all numbers of requests. */
		w->io_id = (w->io_id | (uint64_t)1 << 62) + 1;
		wrote(w->ex, OTF2_EvtWriter_IoOperationBegin(w->events, NULL, w->time, file->ref,
		                                             reads ? OTF2_IO_OPERATION_MODE_READ
		                                                   : OTF2_IO_OPERATION_MODE_WRITE,
		                                             flags, bytes, id_of(w, node)));
	}
}

void io_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	const struct known_object *file = info->class == CLASS_FILE_DATA || info->class == CLASS_FILE
	                                          ? file_of(w, call)
	                                          : NULL;
	bool reads = info->moves == MOVES_READ;

	if (!file)
		return;
	if (!begins(info)) {
		if (call_has(info, KIND_newfile))
			wrote(w->ex, OTF2_EvtWriter_IoCreateHandle(w->events, NULL, w->time, file->ref,
			                                           OTF2_IO_ACCESS_MODE_READ_WRITE,
			                                           OTF2_IO_CREATION_FLAG_NONE,
			                                           OTF2_IO_STATUS_FLAG_NONE));
		if (call_has(info, KIND_oldfile))
			wrote(w->ex, OTF2_EvtWriter_IoDestroyHandle(w->events, NULL, w->time, file->ref));
	} else if (ends_by_itself(info))
		wrote(w->ex,
		      OTF2_EvtWriter_IoOperationComplete(
			      w->events, NULL, w->time, file->ref,
			      field_or_zero(call, reads ? FIELD_RECEIVED : FIELD_SENT), id_of(w, node)));
	else
		wrote(w->ex,
		      OTF2_EvtWriter_IoOperationIssued(w->events, NULL, w->time, file->ref, id_of(w, node)));
}

void io_ended(struct record_writer *w, const struct request_operation *operation, struct field_range brought)
{
	const struct known_object *file = operation->info->class == CLASS_FILE_DATA
	                                          ? file_of(w, operation->call)
	                                          : NULL;
	uint64_t bytes = field_or_zero(operation->call, FIELD_SENT);

	if (!file)
		return;
	for (uint32_t i = brought.first; i < brought.end; i++)
		if (field_key_at(brought.call, i) == FIELD_RECEIVED && field_value_at(brought.call, i) > 0)
			bytes = (uint64_t)field_value_at(brought.call, i);
	wrote(w->ex,
	      OTF2_EvtWriter_IoOperationComplete(w->events, NULL, w->time, file->ref, bytes, operation->id));
}
