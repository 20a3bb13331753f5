/*
 * Gather and scatter by trees, inside of nodes and between their heads (the root, and the lowest process elsewhere), so that a node sends or
 * gets one message. "direct": between heads without a tree.
 */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/table.h"

#include <string.h>

/* The largest data of all processes: beyond it collecting costs more than it saves. */
#define GATHERED_MAX ((size_t)8 << 20)

static bool applies(const struct coll_comm *c, size_t bytes)
{
	return bytes > 0 && bytes <= GATHERED_MAX / (size_t)c->size && c->layout.nodes > 1;
}

bool gather_leaders_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return applies(c, bytes);
}

bool scatter_leaders_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return applies(c, bytes);
}

bool gather_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return applies(c, bytes) && c->layout.nodes > 2 && c->layout.nodes <= 256;
}

bool scatter_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return applies(c, bytes) && c->layout.nodes > 2 && c->layout.nodes <= 256;
}

/* Only the root has a receive buffer. */
static int pack_own(const struct coll_comm *c, const struct coll_call *call, void *bytes)
{
	if (c->rank != call->root)
		return coll_pack(c, call->send, call->send_count, call->send_type, bytes);
	struct coll_target t = coll_target_of(call);
	return target_pack_own(c, &t, bytes);
}

static int run_gather(struct coll_comm *c, const struct coll_call *call, bool flat)
{
	struct coll_blocks blocks = coll_blocks_of(c, call);
	struct coll_group node = group_of_node(c, &blocks);
	struct coll_group heads = group_of_heads(c, &blocks, call->root);
	size_t total = coll_total_bytes(c, &blocks);
	int head = coll_head_index(c, call->root);

	COLL_TRY(coll_scratch(c, 2 * total));
	char *here = c->scratch;
	char *all = here + total;
	COLL_TRY(pack_own(c, call, here));
	COLL_TRY(group_gather(&node, head, here));
	if (c->my_index != head)
		return MPI_SUCCESS;
	group_rotate(&node, head, here, all);
	int root_node = layout_node(&c->layout, call->root);
	COLL_TRY(flat ? group_gather_flat(&heads, root_node, all) : group_gather(&heads, root_node, all));
	if (c->rank != call->root)
		return MPI_SUCCESS;
	struct coll_target t = coll_target_of(call);
	return target_store_nodes(c, &t, &blocks, all);
}

int gather_leaders(struct coll_comm *c, const struct coll_call *call)
{
	return run_gather(c, call, false);
}

int gather_direct(struct coll_comm *c, const struct coll_call *call)
{
	return run_gather(c, call, true);
}

/* The blocks of the root's send buffer, by node from its own on. */
static int load_nodes(const struct coll_comm *c, const struct coll_call *call, size_t bytes, char *all)
{
	const struct layout *l = &c->layout;
	MPI_Aint stride = coll_stride(call->send_count, call->send_type);

	for (int i = 0; i < l->nodes; i++) {
		int node = (c->my_node + i) % l->nodes;
		for (int k = 0; k < layout_node_size(l, node); k++, all += bytes)
			COLL_TRY(coll_pack(c, (const char *)call->send + layout_rank(l, node, k) * stride,
			                   call->send_count, call->send_type, all));
	}
	return MPI_SUCCESS;
}

static int run_scatter(struct coll_comm *c, const struct coll_call *call, bool flat)
{
	struct coll_blocks blocks = coll_blocks_of(c, call);
	struct coll_group node = group_of_node(c, &blocks);
	struct coll_group heads = group_of_heads(c, &blocks, call->root);
	size_t total = coll_total_bytes(c, &blocks);
	int head = coll_head_index(c, call->root);

	COLL_TRY(coll_scratch(c, 2 * total));
	char *here = c->scratch;
	char *all = here + total;
	if (c->rank == call->root)
		COLL_TRY(load_nodes(c, call, blocks.bytes, all));
	if (c->my_index == head) {
		int root_node = layout_node(&c->layout, call->root);
		COLL_TRY(flat ? group_scatter_flat(&heads, root_node, all)
		              : group_scatter(&heads, root_node, all));
		size_t before = group_bytes_from(&node, 0, head);
		size_t after = group_bytes_from(&node, head, node.count - head);
		memcpy(here, all + before, after);
		memcpy(here + after, all, before);
	}
	COLL_TRY(group_scatter(&node, head, here));
	if (call->receive == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_unpack(c, here, call->receive, call->receive_count, call->receive_type);
}

int scatter_leaders(struct coll_comm *c, const struct coll_call *call)
{
	return run_scatter(c, call, false);
}

int scatter_direct(struct coll_comm *c, const struct coll_call *call)
{
	return run_scatter(c, call, true);
}
