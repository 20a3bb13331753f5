#include "job/check/windows/window_events.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/events/call_table.h"
#include "job/check/events/collective_events.h"
#include "job/check/events/comms.h"
#include "job/check/events/request_operations.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/repeated_calls.h"
#include "job/check/objects/type_layout.h"
#include "job/check/objects/types.h"
#include "job/check/windows/repeated_reads.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/flavour.h"

#include <limits.h>
#include <string.h>

/* RUNS_MAX: accesses with more runs of bytes are reported without these, and only their types are compared. */
enum { RUNS_MAX = 1024, LAYOUT_CACHE = 16, WINDOW_KEY = 77, MEMORY_FACTS = 4 };

/* What distinguishes window calls. */
struct window_description {
	enum window_operation operation;
	uint32_t flags;
	int32_t peer;
	uint32_t assertion;
	uint64_t operator;
	struct announced_data origin, target;
	const struct type_layout *layout;
	uint64_t content; /* hash of the layout, of the ranks, or of the facts */
	const int *ranks; /* of a group */
	int rank_count;
	const int64_t *facts;         /* MEMORY_FACTS of them */
	const struct byte_runs *runs; /* of a buffer */
};

static enum window_operation operation_of(enum call_id id)
{
	static const enum window_operation operations[RMA_VALUES] = {
		[RMA_START] = WINDOW_START,       [RMA_COMPLETE] = WINDOW_COMPLETE,
		[RMA_POST] = WINDOW_POST,         [RMA_WAIT] = WINDOW_WAIT,
		[RMA_LOCK] = WINDOW_LOCK,         [RMA_UNLOCK] = WINDOW_UNLOCK,
		[RMA_LOCK_ALL] = WINDOW_LOCK_ALL, [RMA_UNLOCK_ALL] = WINDOW_UNLOCK_ALL,
		[RMA_FLUSH] = WINDOW_FLUSH,       [RMA_FLUSH_ALL] = WINDOW_FLUSH,
		[RMA_SYNC] = WINDOW_SYNC,         [RMA_FENCE] = WINDOW_NONE,
		[RMA_NONE] = WINDOW_NONE,
	};
	const struct call_info *info = &all_calls[id];

	if (info->accesses == ACCESSES_LOCAL)
		return WINDOW_FLUSH_LOCAL;
	if (info->rma != RMA_ACCESS)
		return operations[info->rma];
	switch (info->moves) {
	case MOVES_GET:
		return WINDOW_GET;
	case MOVES_PUT:
		return WINDOW_PUT;
	case MOVES_ACCUMULATE:
		return WINDOW_ACCUMULATE;
	default:
		return WINDOW_FETCH;
	}
}

static uint64_t hash_layout(const struct type_layout *layout)
{
	uint64_t hash = hash_word((uint64_t)layout->extent, layout->count);

	for (uint32_t i = 0; i < layout->count; i++)
		hash = hash_word(hash_word(hash, (uint64_t)layout->run[i].offset),
		                 (uint64_t)layout->run[i].length);
	return hash;
}

/* The layout of a type, with a hash that identifies it. */
static const struct type_layout *find_layout(uint64_t handle, uint64_t *hash)
{
	static struct {
		uint64_t handle, hash;
		uint32_t generation;
		const struct type_layout *layout;
	} cache[LAYOUT_CACHE];
	const size_t at = (handle ^ handle >> 6 ^ handle >> 12) % LAYOUT_CACHE;
	const uint32_t generation = RELAXED_LOAD(checked.generation);
	const struct type_layout *layout;

	if (UNLIKELY(!cache[at].layout || cache[at].handle != handle || cache[at].generation != generation)) {
		layout = type_layout_get(handle);
		cache[at].layout = layout;
		cache[at].handle = handle;
		cache[at].generation = generation;
		cache[at].hash = layout ? hash_layout(layout) : 0;
	}
	*hash = cache[at].hash;
	return cache[at].layout;
}

static void fill_found(struct distinct_check_call *call, const struct byte_runs *runs, int64_t first)
{
	if (!runs->count || runs->approximate ||
	    !(call->ranks = host_table(2 * (size_t)runs->count, sizeof *call->ranks)))
		return;
	call->rank_count = 2 * runs->count;
	for (uint32_t i = 0; i < runs->count; i++) {
		call->ranks[2 * i] = runs->run[i].offset - first;
		call->ranks[2 * i + 1] = runs->run[i].length;
	}
}

/* First byte and length of each run in `count` elements, ascending within each element. */
static void fill_runs(struct distinct_check_call *call, const struct type_layout *layout, uint64_t count)
{
	struct byte_runs runs = {0};
	const struct byte_pattern pattern = type_layout_pattern(layout, 0, (int64_t)count);

	if (layout->approximate || !layout->count || count > RUNS_MAX * (uint64_t)BYTE_RUNS_MAX)
		return;
	/* Elements without gaps are one run. */
	if (layout->count == 1 && layout->run[0].length == layout->extent)
		byte_runs_add(&runs, layout->run[0].offset, layout->extent * (int64_t)count);
	else if (count * layout->count <= RUNS_MAX)
		byte_runs_add_pattern(&runs, &pattern);
	byte_runs_sort(&runs);
	fill_found(call, &runs, 0);
	byte_runs_release(&runs);
}

static void fill_ranks(struct distinct_check_call *call, const struct window_description *d)
{
	const int count = d->facts ? MEMORY_FACTS : d->rank_count;

	if (count <= 0 || !(call->ranks = host_table((size_t)count, sizeof *call->ranks)))
		return;
	call->rank_count = (uint32_t)count;
	for (int i = 0; i < count; i++)
		call->ranks[i] = d->facts ? d->facts[i] : d->ranks[i];
}

static struct announced_call *find_call(const struct agent_call *call, struct announced_comm *comm,
                                        const struct window_description *d)
{
	const int64_t key[] = {
		(int64_t)((uint64_t)call->id << 32 | (uint64_t)d->operation << 16 | d->flags),
		(int64_t)agent_place(call),
		(int64_t)(uintptr_t)comm,
		(int64_t)((uint64_t)(uint32_t)d->peer << 32 | d->assertion),
		(int64_t)d->operator,
		(int64_t)(uintptr_t)d->origin.type,
		(int64_t)d->origin.count,
		(int64_t)(uintptr_t)d->target.type,
		(int64_t)d->target.count,
		(int64_t)d->content,
	};
	bool is_new;
	struct announced_call *announced = announced_call_get(call, key, sizeof key / sizeof *key, WINDOW_KEY,
	                                                      &is_new);

	if (LIKELY(!is_new) || !announced)
		return announced;
	announced->call.operation = OPERATION_WINDOW;
	announced->call.window = d->operation;
	announced->call.flags = d->flags;
	announced->call.comm = comm->comm.identity;
	announced->call.peer = d->peer;
	announced->call.tag = (int32_t)d->assertion;
	announced->call.operator= d->operator;
	announced->send = d->origin;
	announced->receive = d->target;
	announced->comm = comm;
	if (d->runs)
		fill_found(&announced->call, d->runs, d->runs->run[0].offset);
	else if (d->layout)
		fill_runs(&announced->call, d->layout, d->target.count);
	else
		fill_ranks(&announced->call, d);
	announced_call_hold(announced);
	return announced;
}

/* NULL: this window is not reported. */
static struct announced_comm *window_comm(struct checked_window *window)
{
	const struct followed_object *object;

	if (UNLIKELY(!window->announced) && (object = win_find(window->handle)))
		window->announced = object->announced;
	return window->announced;
}

static uint64_t operator_of(const struct agent_call *call)
{
	const int at = call_parameter(call->id, KIND_op);
	const char *name = at < 0 ? NULL : operation_name((uint64_t)call->arguments[at]);

	if (at >= 0 && (uint64_t)call->arguments[at] == HANDLE(MPI_NO_OP))
		return WINDOW_OPERATOR_NONE;
	if (call->id == CALL_Compare_and_swap)
		return WINDOW_OPERATOR_SWAP;
	return name ? hash_bytes(name, strlen(name)) | 1 : 0;
}

/* False: the types are unknown. */
static bool describe_access(const struct agent_call *call, struct window_description *d, bool accepted)
{
	const uint64_t type = (uint64_t)call_argument_or(call, KIND_ttype, KIND_type),
		       origin = (uint64_t)call_argument_or(call, KIND_otype, KIND_type);
	/* MPI_Fetch_and_op and MPI_Compare_and_swap access one element. */
	const bool is_single = call_parameter(call->id, KIND_tcount) < 0;
	const int64_t count = is_single ? 1 : call_argument(call, KIND_tcount),
		      sent = call_parameter(call->id, KIND_ocount) < 0 ? 1 : call_argument(call, KIND_ocount);

	d->operator= operator_of(call);
	d->target.type = type_announced(type, accepted);
	d->target.count = (uint64_t)count;
	if (d->operator!= WINDOW_OPERATOR_NONE) {
		d->origin.type = type_announced(origin, accepted);
		d->origin.count = (uint64_t)sent;
	}
	if (count < 0 || sent < 0 || !d->target.type ||
	    (!d->origin.type && d->operator!= WINDOW_OPERATOR_NONE))
		return false;
	d->layout = find_layout(type, &d->content);
	return true;
}

/* Whether a lock or unlock is shared. */
static bool is_shared(const struct agent_call *call, const struct checked_window *window, int lock)
{
	if (lock >= 0)
		return call->arguments[lock] == MPI_LOCK_SHARED;
	if (all_calls[call->id].rma == RMA_UNLOCK) {
		const struct peer_epochs *there = epoch_peer(window, call_argument(call, KIND_target));

		return there && there->is_locked && !there->is_exclusive;
	}
	return all_calls[call->id].rma == RMA_LOCK_ALL || all_calls[call->id].rma == RMA_UNLOCK_ALL;
}

static bool is_access(enum window_operation operation)
{
	return operation >= WINDOW_GET && operation <= WINDOW_FETCH;
}

/* The distinct call; NULL: unknown. */
static struct announced_call *describe_call(struct agent_call *call, struct checked_window *window,
                                            enum window_operation operation, bool accepted)
{
	struct announced_comm *comm = window_comm(window);
	struct window_description d = {.operation = operation, .peer = -1};
	const int target = call_parameter(call->id, KIND_target), lock = call_parameter(call->id, KIND_lock),
		  group = call_parameter(call->id, KIND_group);
	struct announced_call *announced;
	int *ranks = NULL;

	if (!comm ||
	    (target >= 0 && (call->arguments[target] < 0 || call->arguments[target] >= window->size)))
		return NULL;
	if (target >= 0)
		d.peer = (int32_t)call->arguments[target];
	if (is_access(operation) && !describe_access(call, &d, accepted))
		return NULL;
	d.assertion = window_assertions(call);
	if (is_shared(call, window, lock))
		d.flags = CHECK_CALL_SHARED;
	if (group >= 0) {
		d.rank_count = epoch_group(window, (uint64_t)call->arguments[group], &ranks);
		d.ranks = ranks;
		for (int i = 0; i < d.rank_count; i++)
			d.content = hash_word(d.content, (uint64_t)ranks[i]);
	}
	announced = d.rank_count < 0 ? NULL : find_call(call, comm, &d);
	free(ranks);
	return announced;
}

static void emit(struct agent_call *call, struct checked_window *window, enum window_operation operation,
                 bool accepted)
{
	/* The table may have forgotten the distinct call since the arguments were checked. */
	const bool is_known = call->repeated &&
	                      call->repeated->generation == RELAXED_LOAD(checked.generation);
	struct announced_call *announced = is_known ? call->repeated->announced : NULL;
	const uint64_t first = is_access(operation) ? (uint64_t)call_argument(call, KIND_disp) : 0;

	if (!announced)
		announced = describe_call(call, window, operation, accepted);
	if (call->repeated)
		call->repeated->announced = announced;
	if (announced && repeated_reads_push(window, announced, first) && is_access(operation))
		call->access = window->accesses;
}

/* When the request of an MPI_Rget is complete, the data has been read. Other accesses with a request are
 * then only complete at the origin. */
static void follow_get(const struct agent_call *call, struct checked_window *window)
{
	const struct window_description d = {.operation = WINDOW_GET_COMPLETE,
	                                     .peer = (int32_t)call_argument(call, KIND_target)};
	struct checked_request *request = call->access ? request_made(call) : NULL;
	struct announced_comm *comm = request ? window_comm(window) : NULL;
	struct announced_call *announced = comm ? find_call(call, comm, &d) : NULL;

	if (announced)
		operations_keep_get(request, announced, call->access);
}

static bool is_reported(void)
{
	return checked.phase == AGENT_IN_MPI;
}

void window_event_before(struct agent_call *call, struct checked_window *window)
{
	const enum window_operation operation = operation_of(call->id);

	if (operation != WINDOW_NONE && !all_calls[call->id].tests && is_reported())
		emit(call, window, operation, false);
}

static bool is_flag_set(const struct agent_call *call)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a variable */
	return *(const int *)call_address(call, KIND_flag);
}

void window_event_after(struct agent_call *call, struct checked_window *window)
{
	const enum window_operation operation = operation_of(call->id);

	if (operation == WINDOW_NONE || !is_reported())
		return;
	if (all_calls[call->id].tests ? is_flag_set(call)
	                              : call->problems && all_calls[call->id].rma != RMA_ACCESS)
		emit(call, window, operation, true);
	if (operation == WINDOW_GET && call_parameter(call->id, KIND_newrequest) >= 0)
		follow_get(call, window);
	if (operation == WINDOW_LOCK || operation == WINDOW_LOCK_ALL)
		emit(call, window, WINDOW_LOCKED, true);
	call_left();
}

void window_made(const struct agent_call *call, struct checked_window *window)
{
	struct announced_comm *comm = window_comm(window);
	/* The protocol numbers the kinds of memory from 0 (messages.h). */
	const int64_t facts[MEMORY_FACTS] = {window->own.bytes, window->own.unit,
	                                     (int64_t)window->memory - WINDOW_MEMORY_PROGRAM,
	                                     window->accumulate_hints};
	const struct window_description d = {.operation = WINDOW_MEMORY,
	                                     .peer = -1,
	                                     .content = hash_words(facts, MEMORY_FACTS, 0),
	                                     .facts = facts};
	struct announced_call *announced = comm && is_reported() ? find_call(call, comm, &d) : NULL;

	if (announced)
		push_window(announced, 0);
	call_left();
}

void window_event_synchronised(struct checked_window *window)
{
	const int64_t arguments[] = {(int64_t)window->handle};
	const struct agent_call call = {.id = CALL_Win_sync,
	                                .arguments = arguments,
	                                .place = window->created.at,
	                                .place_known = true};
	const struct window_description d = {.operation = WINDOW_SYNC, .peer = -1};
	struct announced_comm *comm = window_comm(window);
	struct announced_call *announced = comm && is_reported() ? find_call(&call, comm, &d) : NULL;

	if (announced)
		push_window(announced, 0);
	call_left();
}

void window_event_local(struct checked_window *window, const struct local_access *access)
{
	const uint32_t place = place_of_addresses(access->stack->addresses, access->stack->count,
	                                          access->stack->is_whole);
	const int64_t arguments[] = {(int64_t)window->handle};
	/* A load or store has no call, so any function will do. */
	const struct agent_call call = {
		.id = CALL_Win_sync, .arguments = arguments, .place = place, .place_known = true};
	const int run[] = {0, (int)(access->bytes < INT_MAX ? access->bytes : INT_MAX)};
	const struct window_description d = {.operation = access->is_write ? WINDOW_STORED : WINDOW_LOADED,
	                                     .flags = (access->is_watched ? CHECK_CALL_WATCHED : 0) |
	                                              (access->is_once ? CHECK_CALL_ONCE : 0),
	                                     .peer = access->target,
	                                     .content = (uint64_t)run[1],
	                                     .ranks = run,
	                                     .rank_count = 2};
	struct announced_comm *comm = window_comm(window);
	struct announced_call *announced = comm && is_reported() && place != NO_PLACE
	                                           ? find_call(&call, comm, &d)
	                                           : NULL;

	if (announced)
		push_window(announced, (uint64_t)access->first);
	call_left();
}

struct announced_call *window_event_buffer(struct checked_window *window, const struct window_buffer *buffer,
                                           bool now)
{
	const struct byte_runs *runs = buffer->runs;
	const int64_t first = runs->run[0].offset;
	struct window_description d = {.operation = buffer->is_written ? WINDOW_STORED : WINDOW_LOADED,
	                               .peer = buffer->rank,
	                               .assertion = buffer->target < 0 ? UINT32_MAX
	                                                               : (uint32_t)buffer->target + 1,
	                               .content = runs->count,
	                               .runs = runs};
	struct announced_comm *comm = window_comm(window);
	struct announced_call *announced;

	if (!comm || !is_reported() || runs->count > RUNS_MAX)
		return NULL;
	for (uint32_t i = 0; i < runs->count; i++)
		d.content = hash_word(hash_word(d.content, (uint64_t)(runs->run[i].offset - first)),
		                      (uint64_t)runs->run[i].length);
	announced = find_call(buffer->call, comm, &d);
	return announced && (!now || push_window_over(announced, (uint64_t)first)) ? announced : NULL;
}
