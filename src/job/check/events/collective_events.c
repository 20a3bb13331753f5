#include "job/check/events/collective_events.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/events/call_table.h"
#include "job/check/events/comms.h"
#include "job/check/events/leader_exchange.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/types.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/fortran.h"
#include "job/mpi/handles.h"
#include "job/mpi/sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DETAIL_MAX = 512, FIXED_WORDS = 12, KEY_ROOM = 64 };

#define USER_DEFINED ((uint64_t)1 << 63)

static struct handles operations;

void operation_made(const struct agent_call *call)
{
	const int function = call_parameter(call->id, KIND_fn);
	const void *variable = call_address(call, KIND_newop);
	uint64_t module = 0, offset = 0, handle;
	struct check_place place[FINDING_STACK_MAX];
	uintptr_t hash = 1;

	if (!variable)
		return;
	handle = HANDLE(call->fortran ? f_op(variable) : *(const MPI_Op *)variable);
	if (function >= 0) {
		site_locate((uint64_t)call->arguments[function], &module, &offset);
		if (place_stack(place_add(NO_PLACE, module, offset), place))
			hash = hash_word(hash_bytes(place[0].module, strlen(place[0].module)),
			                 place[0].offset);
	}
	host_lock();
	handles_set(&operations, handle, (void *)(hash | 1)); /* NOLINT: a number, not an address */
	host_unlock();
}

void operation_ended(uint64_t handle)
{
	host_lock();
	handles_remove(&operations, handle);
	host_unlock();
}

/* 0: unknown; it matches all operations. */
static uint64_t operator_of(uint64_t handle)
{
	const char *name = operation_name(handle);
	uint64_t own;

	if (name)
		return (hash_bytes(name, strlen(name)) & ~USER_DEFINED) | 1;
	own = (uint64_t)(uintptr_t)handles_find(&operations, handle);
	return own ? own | USER_DEFINED : 0;
}

static int32_t root_of(const struct agent_call *call)
{
	const int64_t root = call_argument(call, KIND_root);

	return call_parameter(call->id, KIND_root) < 0 ? ROOT_NONE
	       : root == MPI_ROOT                      ? ROOT_SELF
	       : root == MPI_PROC_NULL                 ? ROOT_OTHER
	                                               : (int32_t)root;
}

static uint64_t operator_used(const struct agent_call *call)
{
	return call_parameter(call->id, KIND_op) < 0 ? 0
	                                             : operator_of((uint64_t)call_argument(call, KIND_op));
}

/* The data of a call: one element for all peers, or a list with an element for each peer. Insignificant arguments are not read. */

struct collective_data {
	struct announced_data send, receive;
	struct announced_data *send_list, *receive_list; /* freed by the caller */
	uint32_t send_list_count, receive_list_count;
	bool in_place;
	bool accepted; /* MPI has accepted the call: all handles are valid */
	bool failed;   /* a type is unknown, or out of memory */
};

/* The arguments that give the amount of data sent or received. */
enum side {
	SIDE_NONE,
	SIDE_ONE,
	SIDE_SEND,
	SIDE_RECEIVE,
	SIDE_SENDS,
	SIDE_RECEIVES,
	SIDE_BLOCKS,
	SIDE_BLOCK
};

static const struct {
	uint8_t count, type; /* enum parameter_kind */
	uint8_t types;       /* a list may replace the type; KIND_END: never */
	bool is_list;        /* the count is a list, with an element for each peer */
} sides[] = {
	[SIDE_ONE] = {KIND_count, KIND_type, KIND_END, false}, /* one buffer for both */
	[SIDE_SEND] = {KIND_scount, KIND_stype, KIND_END, false},
	[SIDE_RECEIVE] = {KIND_rcount, KIND_rtype, KIND_END, false},
	[SIDE_SENDS] = {KIND_scounts, KIND_stype, KIND_stypes, true},
	[SIDE_RECEIVES] = {KIND_rcounts, KIND_rtype, KIND_rtypes, true},
	[SIDE_BLOCKS] = {KIND_rcounts, KIND_type, KIND_END, true}, /* the same list on all processes */
	[SIDE_BLOCK] = {KIND_rcount, KIND_type, KIND_END, false},
};

struct data_rule {
	bool is_known;
	bool rooted;
	/* of the root and of all others; if there is no root, all count as roots */
	uint8_t root_sends, root_gets, other_sends, other_gets;
};

static const struct data_rule rules[MOVES_VALUES] = {
	[MOVES_BCAST] = {true, true, SIDE_ONE, SIDE_NONE, SIDE_NONE, SIDE_ONE},
	[MOVES_REDUCE] = {true, true, SIDE_ONE, SIDE_NONE, SIDE_ONE, SIDE_NONE},
	[MOVES_ALLREDUCE] = {true, false, SIDE_ONE, SIDE_NONE, 0, 0},
	[MOVES_GATHER] = {true, true, SIDE_SEND, SIDE_RECEIVE, SIDE_SEND, SIDE_NONE},
	[MOVES_GATHERV] = {true, true, SIDE_SEND, SIDE_RECEIVES, SIDE_SEND, SIDE_NONE},
	[MOVES_SCATTER] = {true, true, SIDE_SEND, SIDE_RECEIVE, SIDE_NONE, SIDE_RECEIVE},
	[MOVES_SCATTERV] = {true, true, SIDE_SENDS, SIDE_RECEIVE, SIDE_NONE, SIDE_RECEIVE},
	[MOVES_ALLGATHER] = {true, false, SIDE_SEND, SIDE_RECEIVE, 0, 0},
	[MOVES_ALLGATHERV] = {true, false, SIDE_SEND, SIDE_RECEIVES, 0, 0},
	[MOVES_ALLTOALL] = {true, false, SIDE_SEND, SIDE_RECEIVE, 0, 0},
	[MOVES_ALLTOALLV] = {true, false, SIDE_SENDS, SIDE_RECEIVES, 0, 0},
	[MOVES_ALLTOALLW] = {true, false, SIDE_SENDS, SIDE_RECEIVES, 0, 0},
	[MOVES_REDUCE_SCATTER] = {true, false, SIDE_NONE, SIDE_BLOCKS, 0, 0},
	[MOVES_NEIGHBOR_ALLGATHER] = {true, false, SIDE_SEND, SIDE_RECEIVE, 0, 0},
	[MOVES_NEIGHBOR_ALLGATHERV] = {true, false, SIDE_SEND, SIDE_RECEIVES, 0, 0},
	[MOVES_NEIGHBOR_ALLTOALL] = {true, false, SIDE_SEND, SIDE_RECEIVE, 0, 0},
	[MOVES_NEIGHBOR_ALLTOALLV] = {true, false, SIDE_SENDS, SIDE_RECEIVES, 0, 0},
	[MOVES_NEIGHBOR_ALLTOALLW] = {true, false, SIDE_SENDS, SIDE_RECEIVES, 0, 0},
	[MOVES_REDUCE_SCATTER_BLOCK] = {true, false, SIDE_BLOCK, SIDE_NONE, 0, 0},
};

/* If a type is unknown, data->failed is set, and the data is read again after MPI has accepted the call. */
static struct announced_data data_of(struct collective_data *data, int64_t count, uint64_t type)
{
	struct announced_data found = {.type = type_announced(type, data->accepted),
	                               .count = count > 0 ? (uint64_t)count : 0};

	/* If MPI has accepted an unknown type, it is not used. */
	data->failed |= !found.type && !data->accepted;
	return found;
}

static int64_t count_at(const struct agent_call *call, enum side side, uint32_t i)
{
	const void *counts = call_address(call, sides[side].count);

	if (!counts)
		return 0;
	return all_calls[call->id].large ? (int64_t)((const MPI_Count *)counts)[i] : ((const int *)counts)[i];
}

/* The datatype from a list, or the common one. */
static uint64_t type_at(const struct agent_call *call, enum side side, uint32_t i)
{
	const bool is_list = sides[side].types != KIND_END &&
	                     call_parameter(call->id, sides[side].types) >= 0;
	const void *types = is_list ? call_address(call, sides[side].types) : NULL;

	if (!is_list)
		return (uint64_t)call_argument(call, sides[side].type);
	if (!types)
		return HANDLE(MPI_DATATYPE_NULL);
	return HANDLE(call->fortran ? f_type((const MPI_Fint *)types + i) : ((const MPI_Datatype *)types)[i]);
}

static uint32_t list_length(const struct agent_call *call, enum side side, const struct followed_comm *c)
{
	if (all_calls[call->id].class == CLASS_NEIGHBOURHOOD)
		return side == SIDE_SENDS ? c->announced->comm.dest_count : c->announced->comm.source_count;
	return (uint32_t)(side == SIDE_BLOCKS ? c->size : c->peers);
}

static void read_side(struct collective_data *data, const struct agent_call *call, enum side side, bool sends,
                      const struct followed_comm *c)
{
	const bool is_list = sides[side].is_list;
	const uint32_t count = is_list ? list_length(call, side, c) : 0;
	struct announced_data *list = is_list ? host_table(count + 1, sizeof *list) : NULL;

	if (side == SIDE_NONE)
		return;
	if (!is_list) {
		*(sends ? &data->send : &data->receive) = data_of(
			data, call_argument(call, sides[side].count), type_at(call, side, 0));
		return;
	}
	for (uint32_t i = 0; list && i < count; i++)
		list[i] = data_of(data, count_at(call, side, i), type_at(call, side, i));
	*(sends ? &data->send_list : &data->receive_list) = list;
	*(sends ? &data->send_list_count : &data->receive_list_count) = count;
	data->failed |= !list;
}

static void find_data(struct collective_data *data, const struct agent_call *call,
                      const struct followed_comm *c, bool accepted)
{
	const enum movement moves = all_calls[call->id].moves;
	const struct data_rule *rule = &rules[moves];
	const int64_t root = call_argument(call, KIND_root), in_place = (int64_t)(uintptr_t)MPI_IN_PLACE;
	const bool is_root = !rule->rooted || (c->inter ? root == MPI_ROOT : root == c->rank);
	uint8_t sends = is_root ? rule->root_sends : rule->other_sends;
	uint8_t gets = is_root ? rule->root_gets : rule->other_gets;

	*data = (struct collective_data){.accepted = accepted};
	if (!rule->is_known || (rule->rooted && c->inter && root == MPI_PROC_NULL))
		return;
	if (c->inter && rule->rooted && is_root) { /* the root's group either sends or receives */
		const bool gives = moves == MOVES_BCAST || moves == MOVES_SCATTER || moves == MOVES_SCATTERV;

		sends = gives ? sends : SIDE_NONE;
		gets = gives ? SIDE_NONE : gets;
	}
	if (call_argument(call, KIND_sbuf) == in_place && call_parameter(call->id, KIND_sbuf) >= 0) {
		data->in_place = true;
		if (sends == SIDE_SEND || sends == SIDE_SENDS)
			sends = SIDE_NONE;
	} else if (call_argument(call, KIND_rbuf) == in_place && gets != SIDE_NONE) {
		data->in_place = true;
		gets = SIDE_NONE;
	}
	read_side(data, call, sends, true, c);
	read_side(data, call, gets, false, c);
}

static void add_numbers(char *text, const struct agent_call *call, const char *name, enum parameter_kind kind,
                        int count)
{
	const int *numbers = call_address(call, kind);
	size_t size = strlen(text);

	size += (size_t)snprintf(text + size, DETAIL_MAX - size, "%s%s =", size ? ", " : "", name);
	for (int i = 0; i < count && size + 16 < DETAIL_MAX; i++)
		size += (size_t)snprintf(text + size, DETAIL_MAX - size, " %d",
		                         kind == KIND_truths ? !!numbers[i] : numbers[i]);
}

static void add_number(char *text, const struct agent_call *call, enum parameter_kind kind)
{
	const int at = call_parameter(call->id, kind);
	const size_t size = strlen(text);

	if (at >= 0)
		snprintf(text + size, DETAIL_MAX - size, "%s%s = %" PRId64, size ? ", " : "",
		         call_parameter_name(call->id, (uint32_t)at), call->arguments[at]);
}

/* Further values that must be equal in all processes but have no field in the protocol. */
static void write_detail(char *text, const struct agent_call *call)
{
	const struct call_info *info = &all_calls[call->id];

	*text = '\0';
	if (call->id == CALL_File_open) {
		add_number(text, call, KIND_number); /* without the name, which may have several spellings */
	} else if (info->resizes) {
		add_number(text, call, KIND_position);
	} else if (info->arguments == ARGUMENTS_WHENCE) {
		add_number(text, call, KIND_offset);
		add_number(text, call, KIND_number);
	} else if (info->arguments == ARGUMENTS_GRID) {
		add_numbers(text, call, "dims", KIND_numbers, (int)call_argument(call, KIND_number));
		add_numbers(text, call, "periods", KIND_truths, (int)call_argument(call, KIND_number));
	}
}

/* The object of the collective call. */
struct collective_object {
	struct announced_comm *announced;
	const struct followed_comm *comm; /* NULL: the object is a window or file */
};

static bool find_object(const struct agent_call *call, struct collective_object *found)
{
	const struct followed_object *object = NULL;

	*found = (struct collective_object){0};
	if (call->id == CALL_Finalize)
		found->comm = comm_find(HANDLE(MPI_COMM_WORLD));
	else if (call_parameter(call->id, KIND_oldcomm) >= 0)
		found->comm = comm_find(call->ended);
	else if (call_parameter(call->id, KIND_comm) >= 0)
		found->comm = comm_find((uint64_t)call_argument(call, KIND_comm));
	else if (call_parameter(call->id, KIND_oldwin) >= 0)
		object = win_find(call->ended);
	else if (call_parameter(call->id, KIND_win) >= 0)
		object = win_find((uint64_t)call_argument(call, KIND_win));
	else if (call_parameter(call->id, KIND_oldfile) >= 0)
		object = file_find(call->ended);
	else if (call_parameter(call->id, KIND_file) >= 0)
		object = file_find((uint64_t)call_argument(call, KIND_file));
	if (found->comm)
		found->announced = found->comm->announced;
	if (object)
		found->announced = object->announced;
	return found->announced;
}

uint32_t window_assertions(const struct agent_call *call)
{
	const int at = call_parameter(call->id, KIND_assert);
	int64_t assertion;

	if (at < 0)
		return 0;
	assertion = call->arguments[at];
	return (assertion & MPI_MODE_NOCHECK ? ASSERTION_NOCHECK : 0) |
	       (assertion & MPI_MODE_NOSTORE ? ASSERTION_NOSTORE : 0) |
	       (assertion & MPI_MODE_NOPUT ? ASSERTION_NOPUT : 0) |
	       (assertion & MPI_MODE_NOPRECEDE ? ASSERTION_NOPRECEDE : 0) |
	       (assertion & MPI_MODE_NOSUCCEED ? ASSERTION_NOSUCCEED : 0) |
	       (call->window_changed ? ASSERTION_STORED : 0) | (call->fence_broken ? ASSERTION_BROKEN : 0);
}

/* The key: fixed words, then the lists, with two words per element. It is in `room` if it fits, otherwise on the
 * heap; NULL: out of memory. */
static int64_t *make_key(const struct agent_call *call, uint32_t flags, const struct announced_comm *comm,
                         const struct collective_data *data, const char *detail, int64_t room[KEY_ROOM],
                         uint32_t *words)
{
	const struct announced_data *lists[] = {data->send_list, data->receive_list};
	const uint32_t counts[] = {data->send_list_count, data->receive_list_count};
	const size_t size = FIXED_WORDS + 2 * ((size_t)counts[0] + counts[1]);
	int64_t *key = size <= KEY_ROOM ? room : host_table(size, sizeof *key);
	uint32_t at = 0;

	if (!key)
		return NULL;
	key[at++] = (int64_t)((uint64_t)call->id << 32 | flags);
	key[at++] = (int64_t)agent_place(call);
	key[at++] = (int64_t)(uintptr_t)comm;
	key[at++] = root_of(call);
	key[at++] = (int64_t)operator_used(call);
	key[at++] = (int64_t)(uintptr_t)data->send.type;
	key[at++] = (int64_t)data->send.count;
	key[at++] = (int64_t)(uintptr_t)data->receive.type;
	key[at++] = (int64_t)data->receive.count;
	key[at++] = (int64_t)(uint64_t)counts[0] << 32 | counts[1];
	key[at++] = *detail ? (int64_t)hash_bytes(detail, strlen(detail)) : 0;
	key[at++] = window_assertions(call);
	for (int list = 0; list < 2; list++)
		for (uint32_t i = 0; i < counts[list]; i++) {
			key[at++] = (int64_t)(uintptr_t)lists[list][i].type;
			key[at++] = (int64_t)lists[list][i].count;
		}
	*words = at;
	return key;
}

/* Takes ownership of the lists. */
static void fill(struct announced_call *announced, const struct agent_call *call, uint32_t flags,
                 struct announced_comm *comm, struct collective_data *data, const char *detail)
{
	struct distinct_check_call *distinct = &announced->call;
	char *copy = strdup(detail);

	if (copy) {
		free((char *)(uintptr_t)distinct->detail);
		distinct->detail = copy;
	}
	distinct->operation = OPERATION_COLLECTIVE;
	distinct->flags = flags;
	distinct->comm = comm->comm.identity;
	distinct->root = root_of(call);
	distinct->tag = (int32_t)window_assertions(call);
	distinct->operator= operator_used(call);
	distinct->send_list_count = data->send_list_count;
	distinct->receive_list_count = data->receive_list_count;
	announced->send = data->send;
	announced->receive = data->receive;
	announced->send_list = data->send_list;
	announced->receive_list = data->receive_list;
	data->send_list = data->receive_list = NULL;
	announced->comm = comm;
	announced_call_hold(announced);
}

static struct announced_call *find_call(const struct agent_call *call, uint32_t flags,
                                        struct announced_comm *comm, struct collective_data *data)
{
	struct announced_call *announced = NULL;
	char detail[DETAIL_MAX] = "";
	uint32_t words;
	bool is_new;
	int64_t room[KEY_ROOM], *key;

	if (!(flags & CHECK_CALL_REJECTED))
		write_detail(detail, call);
	key = make_key(call, flags, comm, data, detail, room, &words);
	if (!key)
		return NULL;
	announced = announced_call_get(call, key, words, 1, &is_new);
	if (is_new && announced)
		fill(announced, call, flags, comm, data, detail);
	if (key != room)
		free(key);
	return announced;
}

struct announced_call *collective_event(struct agent_call *call, bool accepted, uint64_t *operation)
{
	struct collective_object object;
	struct collective_data data = {0};
	struct announced_call *announced = NULL;

	if (!find_object(call, &object))
		return NULL;
	if (object.comm)
		find_data(&data, call, object.comm, accepted);
	if (data.failed)
		call->postponed = true;
	else if ((announced = find_call(call,
	                                call_form(call->id) | (data.in_place ? CHECK_CALL_IN_PLACE : 0) |
	                                        (exchange_follows(call) ? CHECK_CALL_TOGETHER : 0),
	                                object.announced, &data)))
		*operation = push_event(announced);
	free(data.send_list);
	free(data.receive_list);
	return announced;
}

void collective_rejected(const struct agent_call *call)
{
	struct collective_object object;
	struct collective_data none = {0};
	struct announced_call *announced;

	if (!find_object(call, &object))
		return;
	announced = find_call(call, call_form(call->id) | CHECK_CALL_REJECTED, object.announced, &none);
	if (announced)
		push_rejected(announced);
}

struct announced_call *collective_start(const struct agent_call *call, const struct announced_call *made,
                                        struct followed_comm *comm)
{
	struct announced_comm *starts = comm_of_starts(comm);
	const int64_t key[] = {(int64_t)((uint64_t)call->id << 32 | made->call.flags),
	                       (int64_t)agent_place(call), (int64_t)(uintptr_t)starts};
	const uint32_t words = sizeof key / sizeof *key;
	struct announced_call *announced = starts ? announced_call_new(call, key, words,
	                                                               hash_words(key, words, 2))
	                                          : NULL;

	if (!announced) {
		announced_comm_release(starts);
		return NULL;
	}
	announced->call.operation = OPERATION_COLLECTIVE;
	announced->call.flags = made->call.flags | CHECK_CALL_NONBLOCKING;
	announced->call.comm = starts->comm.identity;
	announced->call.root = made->call.root;
	announced->comm = starts;
	announced_call_hold(announced);
	return announced;
}
