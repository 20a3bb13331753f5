/* Alltoall: one message per pair of nodes (nodes), or pairwise in the order of nodes (pairwise). */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"
#include "coll/algorithms/window.h"

#include <string.h>

static bool is_in_place(const struct coll_call *call)
{
	return call->send == MPI_IN_PLACE;
}

static int pack_block(const struct coll_comm *c, const struct coll_call *call, int rank, char *bytes)
{
	const char *from = is_in_place(call) ? call->receive : call->send;
	int count = is_in_place(call) ? call->receive_count : call->send_count;
	MPI_Datatype type = is_in_place(call) ? call->receive_type : call->send_type;

	return coll_pack(c, from + coll_stride(count, type) * rank, count, type, bytes);
}

/* The processes of a node share the other nodes: handler i of k handles the nodes u with u % k == i. It collects its node's data
 * for them, exchanges it with the handler of its own node there, and distributes the result. */
struct nodewise {
	struct coll_comm *c;
	const struct coll_call *call;
	size_t block;    /* bytes from one process to another */
	int here;        /* processes on this node */
	char *from, *to; /* two halves of the scratch memory; they swap roles in each step */
};

static int largest_node(const struct coll_comm *c, bool smallest)
{
	int size = layout_node_size(&c->layout, 0);

	for (int node = 1; node < c->layout.nodes && !layout_is_regular(&c->layout); node++) {
		int other = layout_node_size(&c->layout, node);
		if (smallest ? other < size : other > size)
			size = other;
	}
	return size;
}

static int nodes_of_handler_max(const struct coll_comm *c)
{
	int smallest = largest_node(c, true);

	return (c->layout.nodes + smallest - 1) / smallest;
}

/* Upper bound on the blocks that a process holds. */
static size_t blocks_max(const struct coll_comm *c)
{
	size_t largest = (size_t)largest_node(c, false);
	size_t handled = (size_t)nodes_of_handler_max(c) * largest * largest;

	return handled > (size_t)c->size ? handled : (size_t)c->size;
}

/* Number of processes on the nodes of a handler. */
static size_t handled_processes(const struct nodewise *n, int handler)
{
	size_t processes = 0;

	for (int node = handler; node < n->c->layout.nodes; node += n->here)
		processes += (size_t)layout_node_size(&n->c->layout, node);
	return processes;
}

static void swap_halves(struct nodewise *n)
{
	char *from = n->from;

	n->from = n->to;
	n->to = from;
}

typedef size_t bytes_with(const struct nodewise *, int member);

static size_t bytes_before(const struct nodewise *n, bytes_with *with, int member)
{
	size_t bytes = 0;

	for (int i = 0; i < member; i++)
		bytes += with(n, i);
	return bytes;
}

/* All-to-all inside the node. The data of members follows each other in their order. */
static int exchange_in_node(struct nodewise *n, bytes_with *sent, bytes_with *received)
{
	struct coll_comm *c = n->c;
	struct coll_window w;

	coll_window_init(&w, c);
	for (int i = 1; i < n->here; i++) {
		int from = (c->my_index + n->here - i) % n->here, to = (c->my_index + i) % n->here;
		COLL_TRY(coll_window_receive(&w, n->to + bytes_before(n, received, from),
		                             (int)received(n, from), MPI_BYTE,
		                             layout_rank(&c->layout, c->my_node, from)));
		COLL_TRY(coll_window_send(&w, n->from + bytes_before(n, sent, to), (int)sent(n, to), MPI_BYTE,
		                          layout_rank(&c->layout, c->my_node, to)));
	}
	memcpy(n->to + bytes_before(n, received, c->my_index), n->from + bytes_before(n, sent, c->my_index),
	       sent(n, c->my_index));
	swap_halves(n);
	return coll_window_wait(&w);
}

static size_t for_handler(const struct nodewise *n, int handler)
{
	return n->block * handled_processes(n, handler);
}

static size_t for_me(const struct nodewise *n, int member)
{
	(void)member;
	return n->block * handled_processes(n, n->c->my_index);
}

/* Step 1: each handler collects from each process of the node: [process][node][process there]. */
static int collect(struct nodewise *n)
{
	const struct layout *layout = &n->c->layout;
	char *at = n->from;

	for (int handler = 0; handler < n->here; handler++)
		for (int node = handler; node < layout->nodes; node += n->here)
			for (int i = 0; i < layout_node_size(layout, node); i++, at += n->block)
				COLL_TRY(pack_block(n->c, n->call, layout_rank(layout, node, i), at));
	return exchange_in_node(n, for_handler, for_me);
}

/* Step 2: between nodes. The result is [node][process there][process here]. */
static int exchange_between_nodes(struct nodewise *n)
{
	struct coll_comm *c = n->c;
	struct coll_window w;
	size_t at = 0;

	coll_window_init(&w, c);
	for (int node = c->my_index; node < c->layout.nodes; node += n->here) {
		int there = layout_node_size(&c->layout, node);
		size_t length = n->block * (size_t)n->here * (size_t)there;
		int partner = layout_rank(&c->layout, node, c->my_node % there);
		if (node == c->my_node) {
			memcpy(n->to + at, n->from + at, length);
		} else {
			COLL_TRY(coll_window_receive(&w, n->to + at, (int)length, MPI_BYTE, partner));
			COLL_TRY(coll_window_send(&w, n->from + at, (int)length, MPI_BYTE, partner));
		}
		at += length;
	}
	swap_halves(n);
	return coll_window_wait(&w);
}

/* Step 3: distributes the data inside the node. */
static int hand_out(struct nodewise *n)
{
	const struct layout *layout = &n->c->layout;
	size_t senders = handled_processes(n, n->c->my_index);
	char *at = n->to;

	for (int i = 0; i < n->here; i++)
		for (size_t sender = 0; sender < senders; sender++, at += n->block)
			memcpy(at, n->from + (sender * (size_t)n->here + (size_t)i) * n->block, n->block);
	swap_halves(n);
	COLL_TRY(exchange_in_node(n, for_me, for_handler));
	at = n->from;
	for (int handler = 0; handler < n->here; handler++)
		for (int node = handler; node < layout->nodes; node += n->here)
			for (int i = 0; i < layout_node_size(layout, node); i++, at += n->block) {
				int rank = layout_rank(layout, node, i);
				char *to = (char *)n->call->receive +
				           coll_stride(n->call->receive_count, n->call->receive_type) * rank;
				COLL_TRY(coll_unpack(n->c, at, to, n->call->receive_count,
				                     n->call->receive_type));
			}
	return MPI_SUCCESS;
}

COLL_APPLIES(alltoall_nodes_applies, c->layout.nodes > 1 && c->layout.nodes < c->size &&
                                             bytes <= COLL_SCRATCH_MAX / 2 / blocks_max(c))

int alltoall_nodes(struct coll_comm *c, const struct coll_call *call)
{
	struct nodewise n = {.c = c,
	                     .call = call,
	                     .here = layout_node_size(&c->layout, c->my_node),
	                     .block = coll_packed_bytes(call->receive_count, call->receive_type)};
	size_t half = n.block * blocks_max(c);

	if (n.block == 0)
		return MPI_SUCCESS;
	COLL_TRY(coll_scratch(c, 2 * half));
	n.from = c->scratch;
	n.to = n.from + half;
	COLL_TRY(collect(&n));
	/* Transposes to [node][process here][process there]. */
	const struct layout *layout = &c->layout;
	size_t each = for_me(&n, 0), before = 0;
	char *at = n.to;
	for (int node = c->my_index; node < layout->nodes; node += n.here) {
		size_t length = n.block * (size_t)layout_node_size(layout, node);
		for (int i = 0; i < n.here; i++, at += length)
			memcpy(at, n.from + (size_t)i * each + before, length);
		before += length;
	}
	swap_halves(&n);
	COLL_TRY(exchange_between_nodes(&n));
	return hand_out(&n);
}

/* Packs the blocks of an in-place call, which would be overwritten before they are sent. */
static int save_blocks(struct coll_comm *c, const struct coll_call *call, char **packed)
{
	size_t block = coll_packed_bytes(call->receive_count, call->receive_type);

	if (block > COLL_SCRATCH_MAX / (size_t)c->size)
		return COLL_DECLINED;
	COLL_TRY(coll_scratch(c, block * (size_t)c->size));
	*packed = c->scratch;
	for (int rank = 0; rank < c->size; rank++)
		COLL_TRY(pack_block(c, call, rank, *packed + block * (size_t)rank));
	return MPI_SUCCESS;
}

static int send_block(struct coll_window *w, const struct coll_call *call, const char *packed, int to)
{
	size_t block = coll_packed_bytes(call->receive_count, call->receive_type);

	if (packed)
		return coll_window_send(w, packed + block * (size_t)to, (int)block, MPI_BYTE, to);
	return coll_window_send(
		w, (const char *)call->send + coll_stride(call->send_count, call->send_type) * to,
		call->send_count, call->send_type, to);
}

/* Receives from one node and sends to another. Processes start with different partners, so no two processes of a node use the same one. */
static int exchange_with_nodes(struct coll_comm *c, const struct coll_call *call, struct coll_window *w,
                               const char *packed, int from_node, int to_node)
{
	MPI_Aint stride = coll_stride(call->receive_count, call->receive_type);
	int senders = layout_node_size(&c->layout, from_node),
	    receivers = layout_node_size(&c->layout, to_node);

	for (int i = 0; i < senders || i < receivers; i++) {
		int from = i < senders
		                   ? layout_rank(&c->layout, from_node, (c->my_index + senders - i) % senders)
		                   : c->rank;
		int to = i < receivers ? layout_rank(&c->layout, to_node, (c->my_index + i) % receivers)
		                       : c->rank;
		if (from != c->rank)
			COLL_TRY(coll_window_receive(w, (char *)call->receive + stride * from,
			                             call->receive_count, call->receive_type, from));
		if (to != c->rank)
			COLL_TRY(send_block(w, call, packed, to));
	}
	return MPI_SUCCESS;
}

COLL_APPLIES(alltoall_pairwise_applies,
             c->layout.nodes > 1 && bytes > 0 && largest_node(c, false) <= COLL_WINDOW_STEPS)

int alltoall_pairwise(struct coll_comm *c, const struct coll_call *call)
{
	MPI_Aint stride = coll_stride(call->receive_count, call->receive_type);
	int nodes = c->layout.nodes;
	struct coll_window w;
	char *packed = NULL;

	if (is_in_place(call))
		COLL_TRY(save_blocks(c, call, &packed));
	else
		COLL_TRY(coll_copy(
			c,
			(const char *)call->send + coll_stride(call->send_count, call->send_type) * c->rank,
			call->send_count, call->send_type, (char *)call->receive + stride * c->rank,
			call->receive_count, call->receive_type));
	coll_window_init(&w, c);
	for (int step = 0; step < nodes; step++) {
		COLL_TRY(exchange_with_nodes(c, call, &w, packed, (c->my_node + nodes - step) % nodes,
		                             (c->my_node + step) % nodes));
		COLL_TRY(coll_window_wait(&w));
	}
	return MPI_SUCCESS;
}
