#include "job/check/events/collective_data.h"

#include "calls/calls.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/fortran.h"

#include <string.h>

/* Which arguments say how much is sent or received. */
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
	uint8_t types;       /* that there may be instead of one type; KIND_END: never */
	bool is_list;        /* counts, one for each peer */
} sides[] = {
	[SIDE_ONE] = {KIND_count, KIND_type, KIND_END, false}, /* one buffer for both */
	[SIDE_SEND] = {KIND_scount, KIND_stype, KIND_END, false},
	[SIDE_RECEIVE] = {KIND_rcount, KIND_rtype, KIND_END, false},
	[SIDE_SENDS] = {KIND_scounts, KIND_stype, KIND_stypes, true},
	[SIDE_RECEIVES] = {KIND_rcounts, KIND_rtype, KIND_rtypes, true},
	[SIDE_BLOCKS] = {KIND_rcounts, KIND_type, KIND_END, true}, /* the same list everywhere */
	[SIDE_BLOCK] = {KIND_rcount, KIND_type, KIND_END, false},
};

struct data_rule {
	bool is_known;
	bool rooted;
	/* of the root and of all others; without a root all are like the root */
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

/* A type that is not known makes the data fail: it is asked for again when MPI has accepted the call. */
static struct announced_data data_of(struct collective_data *data, int64_t count, uint64_t type)
{
	struct announced_data found = {.type = type_announced(type, data->accepted),
	                               .count = count > 0 ? (uint64_t)count : 0};

	/* Where MPI takes no type at all, nothing is sent. */
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

/* Of a list of datatypes, or the one for all. */
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

void collective_data_find(struct collective_data *data, const struct agent_call *call,
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
	if (c->inter && rule->rooted && is_root) { /* the root's group only gives or only takes */
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
