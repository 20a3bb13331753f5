/* Bcast. The head of a node is the root, or the lowest process of another node.
 *
* Short data is sent along trees, first between heads (or in one message from the root to each), then inside nodes. Long data is
 * sent in segments, which go from process to process inside a node; between nodes:
 *
 * pipeline: from head to head;
 * relays: the root sends each segment to one other head in turn, which sends it to all others. This takes two steps for any
 * number of nodes, and no node sends more than the data once. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/shared.h"
#include "coll/algorithms/table.h"
#include "coll/algorithms/window.h"

#include <limits.h>

COLL_APPLIES(bcast_leaders_applies, bytes > 0 && bytes <= COLL_SCRATCH_MAX && c->layout.nodes > 1)

/* With many nodes or much data, direct messages take the root longer than a tree. */
COLL_APPLIES(bcast_direct_applies,
             bytes > 0 && bytes <= 65536 && c->layout.nodes > 2 && c->layout.nodes <= 256)
COLL_APPLIES(bcast_pipeline_applies, bytes > 0 && bytes <= COLL_SCRATCH_MAX)

/* The data as bytes: in place, or packed into scratch memory. */
static int begin_bytes(struct coll_comm *c, const struct coll_call *call, size_t bytes, char **data)
{
	COLL_TRY(coll_scratch(c, bytes));
	if (coll_is_plain(call->receive_type)) {
		*data = call->receive;
		return MPI_SUCCESS;
	}
	*data = c->scratch;
	if (c->rank != call->root)
		return MPI_SUCCESS;
	return coll_pack(c, call->receive, call->receive_count, call->receive_type, *data);
}

static int end_bytes(const struct coll_comm *c, const struct coll_call *call, const char *data)
{
	if (data == call->receive || c->rank == call->root)
		return MPI_SUCCESS;
	return coll_unpack(c, data, call->receive, call->receive_count, call->receive_type);
}

static int run_heads(struct coll_comm *c, const struct coll_call *call, bool flat)
{
	size_t bytes = coll_bytes(c, call);
	struct coll_group node = group_of_node(c, NULL);
	struct coll_group heads = group_of_heads(c, NULL, call->root);
	int head = coll_head_index(c, call->root);
	char *data;

	COLL_TRY(begin_bytes(c, call, bytes, &data));
	int root_node = layout_node(&c->layout, call->root);
	if (c->my_index == head && flat)
		COLL_TRY(group_bcast_flat(&heads, root_node, data, bytes));
	else if (c->my_index == head)
		COLL_TRY(group_bcast(&heads, root_node, data, bytes));
	COLL_TRY(group_bcast(&node, head, data, bytes));
	return end_bytes(c, call, data);
}

COLL_RUNS(bcast_leaders, run_heads(c, call, false))
COLL_RUNS(bcast_direct, run_heads(c, call, true))
COLL_APPLIES(bcast_shared_applies,
             shared_may_be_used(c) && bytes > 0 && bytes <= COLL_SCRATCH_MAX && c->layout.nodes < c->size)

/* Inside a node, only the head has a part. */
static size_t bytes_of_member(const struct coll_group *g, int member)
{
	return member == g->root ? *(const size_t *)g->context : 0;
}

int bcast_shared(struct coll_comm *c, const struct coll_call *call)
{
	size_t bytes = coll_bytes(c, call);
	struct coll_group node = group_of_node(c, NULL);
	struct coll_group heads = group_of_heads(c, NULL, call->root);
	char *data;

	node.root = coll_head_index(c, call->root);
	node.bytes = bytes_of_member;
	node.context = &bytes;
	COLL_TRY(shared_begin(c));
	COLL_TRY(begin_bytes(c, call, bytes, &data));
	if (c->my_index == node.root)
		COLL_TRY(group_bcast(&heads, layout_node(&c->layout, call->root), data, bytes));
	COLL_TRY(shared_exchange(c, &node, data));
	return end_bytes(c, call, data);
}

#define SEGMENTS 64
#define SEGMENT_MIN 8192
#define SEGMENT_MAX 65536

/* Source and destination of pipeline segments, or MPI_PROC_NULL. */
struct pipeline {
	int parent, next_node, next_here;
	size_t bytes, segment_bytes;
};

static struct pipeline make_pipeline(const struct coll_comm *c, int root, size_t bytes)
{
	struct coll_group heads = group_of_heads(c, NULL, root);
	int nodes = c->layout.nodes;
	int root_node = layout_node(&c->layout, root);
	int here = layout_node_size(&c->layout, c->my_node);
	int head = coll_head_index(c, root);
	int after_head = (c->my_index + here - head) % here;
	struct pipeline p = {MPI_PROC_NULL, MPI_PROC_NULL, MPI_PROC_NULL, bytes, SEGMENT_MIN};

	if (after_head)
		p.parent = layout_rank(&c->layout, c->my_node, (c->my_index + here - 1) % here);
	else if (c->my_node != root_node)
		p.parent = heads.rank(&heads, (c->my_node + nodes - 1) % nodes);
	if (after_head + 1 < here)
		p.next_here = layout_rank(&c->layout, c->my_node, (c->my_index + 1) % here);
	if (!after_head && (c->my_node + 1) % nodes != root_node)
		p.next_node = heads.rank(&heads, (c->my_node + 1) % nodes);
	if (p.segment_bytes < bytes / SEGMENTS)
		p.segment_bytes = bytes / SEGMENTS;
	if (p.segment_bytes > SEGMENT_MAX)
		p.segment_bytes = SEGMENT_MAX;
	return p;
}

static int segment_length(const struct pipeline *p, size_t at)
{
	size_t left = p->bytes - at;

	return (int)(left < p->segment_bytes ? left : p->segment_bytes);
}

int bcast_pipeline(struct coll_comm *c, const struct coll_call *call)
{
	size_t bytes = coll_bytes(c, call);
	char *data;

	COLL_TRY(begin_bytes(c, call, bytes, &data));
	struct pipeline p = make_pipeline(c, call->root, bytes);
	/* Receives the next segment while the current one is sent. */
	MPI_Request coming = MPI_REQUEST_NULL;
	MPI_Request going[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	COLL_TRY(
		PMPI_Irecv(data, segment_length(&p, 0), MPI_BYTE, p.parent, COLL_TAG_DOWN, c->comm, &coming));
	for (size_t at = 0; at < p.bytes; at += p.segment_bytes) {
		size_t next = at + p.segment_bytes;
		COLL_TRY(PMPI_Wait(&coming, MPI_STATUS_IGNORE));
		if (next < p.bytes)
			COLL_TRY(PMPI_Irecv(data + next, segment_length(&p, next), MPI_BYTE, p.parent,
			                    COLL_TAG_DOWN, c->comm, &coming));
		COLL_TRY(PMPI_Waitall(2, going, MPI_STATUSES_IGNORE));
		COLL_TRY(PMPI_Isend(data + at, segment_length(&p, at), MPI_BYTE, p.next_node, COLL_TAG_DOWN,
		                    c->comm, &going[0]));
		COLL_TRY(PMPI_Isend(data + at, segment_length(&p, at), MPI_BYTE, p.next_here, COLL_TAG_DOWN,
		                    c->comm, &going[1]));
	}
	COLL_TRY(PMPI_Waitall(2, going, MPI_STATUSES_IGNORE));
	return end_bytes(c, call, data);
}

COLL_APPLIES(bcast_relays_applies, bytes > SEGMENT_MIN && bytes <= COLL_SCRATCH_MAX && c->layout.nodes > 2)

/* Nodes are numbered beginning with the root's node, 0. */
struct relays {
	const struct coll_comm *c;
	struct coll_group heads;
	struct pipeline p; /* segments, and their path inside this node */
	bool is_head;
	int me;
};

static int relay_of(const struct relays *r, int segment)
{
	return 1 + segment % (r->heads.count - 1);
}

static int relay_rank(const struct relays *r, int node)
{
	return r->heads.rank(&r->heads, (layout_node(&r->c->layout, r->heads.root) + node) % r->heads.count);
}

static int segment_source(const struct relays *r, int segment)
{
	if (!r->is_head)
		return r->p.parent;
	if (!r->me)
		return MPI_PROC_NULL;
	return relay_rank(r, relay_of(r, segment) == r->me ? 0 : relay_of(r, segment));
}

/* Sends to the relay, or from the relay to the nodes that still need the segment. */
static int send_to_nodes(const struct relays *r, struct coll_window *w, const char *segment, int length,
                         int relay)
{
	if (!r->me)
		return coll_window_send(w, segment, length, MPI_BYTE, relay_rank(r, relay));
	for (int node = 1; node < r->heads.count; node++)
		if (node != r->me)
			COLL_TRY(coll_window_send(w, segment, length, MPI_BYTE, relay_rank(r, node)));
	return MPI_SUCCESS;
}

/* Posts all receives first. Segments that other nodes wait for are forwarded first. */
static int run_relays(const struct relays *r, char *data)
{
	size_t bytes = r->p.bytes, step = r->p.segment_bytes;
	MPI_Request *coming = r->c->requests;
	struct coll_window w;
	int i = 0;

	for (size_t at = 0; at < bytes; at += step, i++)
		COLL_TRY(PMPI_Irecv(data + at, segment_length(&r->p, at), MPI_BYTE, segment_source(r, i),
		                    COLL_TAG, r->c->comm, &coming[i]));
	coll_window_init(&w, r->c);
	i = 0;
	for (size_t at = 0; r->is_head && at < bytes; at += step, i++)
		if (!r->me || relay_of(r, i) == r->me) {
			COLL_TRY(PMPI_Wait(&coming[i], MPI_STATUS_IGNORE));
			COLL_TRY(send_to_nodes(r, &w, data + at, segment_length(&r->p, at), relay_of(r, i)));
		}
	i = 0;
	for (size_t at = 0; at < bytes; at += step, i++) {
		COLL_TRY(PMPI_Wait(&coming[i], MPI_STATUS_IGNORE));
		COLL_TRY(
			coll_window_send(&w, data + at, segment_length(&r->p, at), MPI_BYTE, r->p.next_here));
	}
	return coll_window_wait(&w);
}

int bcast_relays(struct coll_comm *c, const struct coll_call *call)
{
	size_t bytes = coll_bytes(c, call);
	int nodes = c->layout.nodes, root_node = layout_node(&c->layout, call->root);
	struct relays r = {.c = c,
	                   .heads = group_of_heads(c, NULL, call->root),
	                   .p = make_pipeline(c, call->root, bytes),
	                   .is_head = c->my_index == coll_head_index(c, call->root),
	                   .me = (c->my_node + nodes - root_node) % nodes};
	char *data;

	COLL_TRY(coll_requests(c, bytes / r.p.segment_bytes + 1));
	COLL_TRY(begin_bytes(c, call, bytes, &data));
	COLL_TRY(run_relays(&r, data));
	return end_bytes(c, call, data);
}
