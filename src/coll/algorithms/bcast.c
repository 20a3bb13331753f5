/*
 * Bcast: trees for short data, first between the heads of nodes (the root, and the lowest process elsewhere; or one message from the
 * root to each), then inside of nodes; and a
 * pipeline of segments for long data: from head to head, and in each node from the head through its processes.
 */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/shared.h"
#include "coll/algorithms/table.h"

#include <limits.h>

bool bcast_leaders_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return bytes > 0 && bytes <= COLL_SCRATCH_MAX && c->layout.nodes > 1;
}

/* Many nodes, or much data, take the root longer than a tree. */
bool bcast_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return bytes > 0 && bytes <= 65536 && c->layout.nodes > 2 && c->layout.nodes <= 256;
}

bool bcast_pipeline_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)c;
	(void)call;
	return bytes > 0 && bytes <= COLL_SCRATCH_MAX;
}

/* The data as bytes: where it is, or packed into scratch memory. */
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

int bcast_leaders(struct coll_comm *c, const struct coll_call *call)
{
	return run_heads(c, call, false);
}

int bcast_direct(struct coll_comm *c, const struct coll_call *call)
{
	return run_heads(c, call, true);
}

bool bcast_shared_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return shared_may_be_used(c) && bytes > 0 && bytes <= COLL_SCRATCH_MAX && c->layout.nodes < c->size;
}

/* Inside of a node only its head has a part. */
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

/* Of the pipeline: where segments come from, and where they go; MPI_PROC_NULL: nowhere. */
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
	struct pipeline p = {MPI_PROC_NULL, MPI_PROC_NULL, MPI_PROC_NULL, bytes, bytes / 64};

	if (after_head)
		p.parent = layout_rank(&c->layout, c->my_node, (c->my_index + here - 1) % here);
	else if (c->my_node != root_node)
		p.parent = heads.rank(&heads, (c->my_node + nodes - 1) % nodes);
	if (after_head + 1 < here)
		p.next_here = layout_rank(&c->layout, c->my_node, (c->my_index + 1) % here);
	if (!after_head && (c->my_node + 1) % nodes != root_node)
		p.next_node = heads.rank(&heads, (c->my_node + 1) % nodes);
	if (p.segment_bytes < 8192)
		p.segment_bytes = 8192;
	if (p.segment_bytes > 65536)
		p.segment_bytes = 65536;
	return p;
}

static int segment_length(const struct pipeline *p, size_t at)
{
	size_t left = p->bytes - at;

	return (int)(left < p->segment_bytes ? left : p->segment_bytes);
}

/* While a segment goes on, the next one may come. */
static int run_pipeline(const struct coll_comm *c, const struct pipeline *p, char *data)
{
	MPI_Request coming = MPI_REQUEST_NULL;
	MPI_Request going[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

	COLL_TRY(
		PMPI_Irecv(data, segment_length(p, 0), MPI_BYTE, p->parent, COLL_TAG_DOWN, c->comm, &coming));
	for (size_t at = 0; at < p->bytes; at += p->segment_bytes) {
		size_t next = at + p->segment_bytes;
		COLL_TRY(PMPI_Wait(&coming, MPI_STATUS_IGNORE));
		if (next < p->bytes)
			COLL_TRY(PMPI_Irecv(data + next, segment_length(p, next), MPI_BYTE, p->parent,
			                    COLL_TAG_DOWN, c->comm, &coming));
		COLL_TRY(PMPI_Waitall(2, going, MPI_STATUSES_IGNORE));
		COLL_TRY(PMPI_Isend(data + at, segment_length(p, at), MPI_BYTE, p->next_node, COLL_TAG_DOWN,
		                    c->comm, &going[0]));
		COLL_TRY(PMPI_Isend(data + at, segment_length(p, at), MPI_BYTE, p->next_here, COLL_TAG_DOWN,
		                    c->comm, &going[1]));
	}
	return PMPI_Waitall(2, going, MPI_STATUSES_IGNORE);
}

int bcast_pipeline(struct coll_comm *c, const struct coll_call *call)
{
	size_t bytes = coll_bytes(c, call);
	char *data;

	COLL_TRY(begin_bytes(c, call, bytes, &data));
	struct pipeline p = make_pipeline(c, call->root, bytes);
	COLL_TRY(run_pipeline(c, &p, data));
	return end_bytes(c, call, data);
}
