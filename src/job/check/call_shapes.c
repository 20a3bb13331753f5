#include "job/check/call_shapes.h"

#include "calls/calls.h"

#include <string.h>

struct call_shape call_shapes[MPI_CALLS];

/* How data flows (mpi.calls), and what that means for the two sides. Flows that are not here have one block on each side. */
struct flow_rule {
	const char *moves;
	enum data_blocks send, receive;
	bool send_at_root, receive_at_root;
	enum in_place_rule in_place;
};

static const struct flow_rule flow_rules[] = {
	{"allgather", ONE_BLOCK, BLOCK_PER_PEER, false, false, IN_PLACE_SEND},
	{"allgatherv", ONE_BLOCK, BLOCK_PER_PEER, false, false, IN_PLACE_SEND},
	{"allreduce", ONE_BLOCK, ONE_BLOCK, false, false, IN_PLACE_SEND},
	{"alltoall", BLOCK_PER_PEER, BLOCK_PER_PEER, false, false, IN_PLACE_SEND},
	{"alltoallv", BLOCK_PER_PEER, BLOCK_PER_PEER, false, false, IN_PLACE_SEND},
	{"alltoallw", BLOCK_PER_PEER, BLOCK_PER_PEER, false, false, IN_PLACE_SEND},
	{"gather", ONE_BLOCK, BLOCK_PER_PEER, false, true, IN_PLACE_SEND_AT_ROOT},
	{"gatherv", ONE_BLOCK, BLOCK_PER_PEER, false, true, IN_PLACE_SEND_AT_ROOT},
	{"reduce", ONE_BLOCK, ONE_BLOCK, false, true, IN_PLACE_SEND_AT_ROOT},
	{"reduce_scatter", BLOCK_PER_PEER, OWN_BLOCK, false, false, IN_PLACE_SEND},
	{"reduce_scatter_block", BLOCK_PER_PEER, ONE_BLOCK, false, false, IN_PLACE_SEND},
	{"scatter", BLOCK_PER_PEER, ONE_BLOCK, true, false, IN_PLACE_RECEIVE_AT_ROOT},
	{"scatterv", BLOCK_PER_PEER, ONE_BLOCK, true, false, IN_PLACE_RECEIVE_AT_ROOT},
	{"neighbor_allgather", ONE_BLOCK, BLOCK_PER_SOURCE, false, false, IN_PLACE_NEVER},
	{"neighbor_allgatherv", ONE_BLOCK, BLOCK_PER_SOURCE, false, false, IN_PLACE_NEVER},
	{"neighbor_alltoall", BLOCK_PER_DESTINATION, BLOCK_PER_SOURCE, false, false, IN_PLACE_NEVER},
	{"neighbor_alltoallv", BLOCK_PER_DESTINATION, BLOCK_PER_SOURCE, false, false, IN_PLACE_NEVER},
	{"neighbor_alltoallw", BLOCK_PER_DESTINATION, BLOCK_PER_SOURCE, false, false, IN_PLACE_NEVER},
};

static const struct flow_rule plain_flow = {"", ONE_BLOCK, ONE_BLOCK, false, false, IN_PLACE_NEVER};

static const struct flow_rule *flow_of(enum call_id id)
{
	for (size_t i = 0; i < sizeof flow_rules / sizeof *flow_rules; i++)
		if (strcmp(flow_rules[i].moves, all_calls[id].moves) == 0)
			return &flow_rules[i];
	return &plain_flow;
}

/* The first parameter of one of these kinds, which end with KIND_END. */
static int8_t first_of(enum call_id id, const enum parameter_kind *kinds)
{
	int found = -1;

	for (; *kinds != KIND_END && found < 0; kinds++)
		found = call_parameter(id, *kinds);
	return (int8_t)found;
}

#define FIRST_OF(id, ...) first_of(id, (const enum parameter_kind[]){__VA_ARGS__, KIND_END})

static int8_t displacements_behind(enum call_id id, int counts)
{
	const uint8_t *kinds = call_parameter_kinds(id);

	if (counts < 0)
		return -1;
	for (int i = counts + 1; kinds[i] != KIND_END; i++)
		if (kinds[i] == KIND_displs || kinds[i] == KIND_adispls)
			return (int8_t)i;
		else if (kinds[i] == KIND_rbuf)
			break;
	return -1;
}

/* Of functions that pack or attach: a size in bytes, or a count of a type, stands behind the buffer. */
static void shape_sized_buffer(enum call_id id, struct shaped_buffer *buffer)
{
	const uint8_t *kinds = call_parameter_kinds(id);

	for (int i = buffer->buffer + 1; kinds[i] != KIND_END; i++)
		if (kinds[i] == KIND_wide || kinds[i] == KIND_wideaint) {
			if (kinds[i + 1] == KIND_type)
				buffer->count = (int8_t)i, buffer->type = (int8_t)(i + 1);
			else
				buffer->bytes = (int8_t)i, buffer->type = -1;
			return;
		}
}

static struct shaped_buffer shape_buffer(enum call_id id, int position, const struct flow_rule *flow)
{
	const bool sends = call_parameter_kinds(id)[position] == KIND_sbuf;
	struct shaped_buffer b = {.buffer = (int8_t)position, .sends = sends, .bytes = -1};

	if (sends) {
		b.count = FIRST_OF(id, KIND_scount, KIND_ocount, KIND_count, KIND_bigcount, KIND_rcount);
		b.counts = call_parameter(id, KIND_scount) < 0 ? FIRST_OF(id, KIND_scounts) : -1;
		b.type = FIRST_OF(id, KIND_stype, KIND_otype, KIND_type);
		b.types = FIRST_OF(id, KIND_stypes);
	} else {
		b.count = FIRST_OF(id, KIND_rcount, KIND_xcount, KIND_ocount, KIND_count, KIND_bigcount);
		b.counts = FIRST_OF(id, KIND_rcounts);
		b.type = FIRST_OF(id, KIND_rtype, KIND_xtype, KIND_otype, KIND_type);
		b.types = FIRST_OF(id, KIND_rtypes);
	}
	/* reduce_scatter has one array for both sides */
	if (sends && b.count < 0 && b.counts < 0)
		b.counts = FIRST_OF(id, KIND_rcounts);
	if (b.counts >= 0 && (!sends || call_parameter(id, KIND_scount) < 0))
		b.count = -1;
	b.displs = displacements_behind(id, b.counts);
	b.blocks = (uint8_t)(sends ? flow->send : flow->receive);
	if (call_parameter(id, KIND_partitions) >= 0)
		b.blocks = BLOCK_PER_PARTITION;
	/* In place it has room for the input, which may be more than the result. */
	b.blocks_in_place = flow->send == ONE_BLOCK ? b.blocks : (uint8_t)flow->send;
	b.only_root = sends ? flow->send_at_root : flow->receive_at_root;
	if (b.count < 0 && b.counts < 0)
		shape_sized_buffer(id, &b);
	return b;
}

static enum comm_need topology_need(enum call_id id)
{
	switch (id) {
	case CALL_Cart_create:
	case CALL_Graph_create:
	case CALL_Dist_graph_create:
	case CALL_Dist_graph_create_adjacent:
	case CALL_Cart_map:
	case CALL_Graph_map:
		return NEEDS_INTRA;
	case CALL_Topo_test:
		return NEEDS_ANY;
	case CALL_Graph_get:
	case CALL_Graph_neighbors:
	case CALL_Graph_neighbors_count:
	case CALL_Graphdims_get:
		return NEEDS_GRAPH;
	case CALL_Dist_graph_neighbors:
	case CALL_Dist_graph_neighbors_count:
		return NEEDS_DIST_GRAPH;
	default:
		return NEEDS_CART;
	}
}

static enum comm_need collective_need(enum call_id id)
{
	switch (id) {
	case CALL_Scan:
	case CALL_Scan_c:
	case CALL_Scan_init:
	case CALL_Scan_init_c:
	case CALL_Iscan:
	case CALL_Iscan_c:
	case CALL_Exscan:
	case CALL_Exscan_c:
	case CALL_Exscan_init:
	case CALL_Exscan_init_c:
	case CALL_Iexscan:
	case CALL_Iexscan_c:
		return NEEDS_INTRA;
	default:
		return NEEDS_ANY;
	}
}

static enum comm_need need_of(enum call_id id)
{
	switch (all_calls[id].class) {
	case CLASS_TOPOLOGY:
		return topology_need(id);
	case CLASS_NEIGHBOURHOOD:
		return NEEDS_TOPOLOGY;
	case CLASS_WINDOW:
	case CLASS_FILE:
	case CLASS_DYNAMIC:
		return NEEDS_INTRA;
	case CLASS_COLLECTIVE:
		return collective_need(id);
	default:
		break;
	}
	if (id == CALL_Intercomm_merge || id == CALL_Comm_remote_size || id == CALL_Comm_remote_group)
		return NEEDS_INTER;
	return id == CALL_Intercomm_create || id == CALL_Comm_create_group ? NEEDS_INTRA : NEEDS_ANY;
}

/* Classes whose functions want more of their arguments than kinds tell. */
static bool has_values(enum call_id id)
{
	switch (all_calls[id].class) {
	case CLASS_TOPOLOGY:
	case CLASS_DATATYPE:
	case CLASS_GROUP:
	case CLASS_ENVIRONMENT:
	case CLASS_FILE:
	case CLASS_COMMUNICATOR:
		return true;
	default:
		return false;
	}
}

/* Threads that come together make the same. */
const struct call_shape *call_shape_make(enum call_id id)
{
	const struct flow_rule *flow = flow_of(id);
	const uint8_t *kinds = call_parameter_kinds(id);
	struct call_shape shape = {
		.receives = call_parameter(id, KIND_source) >= 0 && call_parameter(id, KIND_dest) < 0,
		.in_place = (uint8_t)flow->in_place,
		.need = (uint8_t)need_of(id),
		.has_values = has_values(id),
		.comm = (int8_t)call_parameter(id, KIND_comm),
		.peercomm = (int8_t)call_parameter(id, KIND_peercomm),
		.win = (int8_t)call_parameter(id, KIND_win),
		.root = (int8_t)call_parameter(id, KIND_root),
		.dest = (int8_t)call_parameter(id, KIND_dest),
		.source = (int8_t)call_parameter(id, KIND_source),
		.op = (int8_t)call_parameter(id, KIND_op),
		.file = (int8_t)call_parameter(id, KIND_file),
	};

	for (int i = 0; kinds[i] != KIND_END; i++)
		if ((kinds[i] == KIND_sbuf || kinds[i] == KIND_rbuf) && shape.buffer_count < SHAPED_BUFFERS)
			shape.buffers[shape.buffer_count++] = shape_buffer(id, i, flow);
	if (id == CALL_Buffer_detach || id == CALL_Buffer_detach_c)
		shape.buffer_count = 0; /* where MPI puts the address of the buffer */
	call_shapes[id] = shape;
	__atomic_store_n(&call_shapes[id].made, true, __ATOMIC_RELEASE);
	return &call_shapes[id];
}
