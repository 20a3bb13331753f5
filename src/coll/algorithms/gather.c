/* Gather and scatter by trees, inside nodes and between their heads (the root, or the lowest process of another node), so that a
 * node sends or receives one message. "direct": no tree between heads. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/table.h"

#include <string.h>

/* The largest total size: collecting more would cost more than it saves. */
#define GATHERED_MAX ((size_t)8 << 20)

static bool applies(const struct coll_comm *c, size_t bytes)
{
	return bytes > 0 && bytes <= GATHERED_MAX / (size_t)c->size && c->layout.nodes > 1;
}

COLL_APPLIES(gather_leaders_applies, applies(c, bytes))
COLL_APPLIES(gather_direct_applies, applies(c, bytes) && c->layout.nodes > 2 && c->layout.nodes <= 256)

/* Groups and buffers of one call. The groups refer to the blocks. */
struct rooted_tree {
	struct coll_blocks blocks;
	struct coll_group node, heads;
	int head, root_node;
	char *here, *all; /* data of the node, and of all nodes */
};

static int rooted_tree_make(struct coll_comm *c, const struct coll_call *call, struct rooted_tree *tree)
{
	tree->blocks = coll_blocks_of(c, call);
	tree->node = group_of_node(c, &tree->blocks);
	tree->heads = group_of_heads(c, &tree->blocks, call->root);
	tree->head = coll_head_index(c, call->root);
	tree->root_node = layout_node(&c->layout, call->root);

	size_t total = coll_total_bytes(c, &tree->blocks);

	COLL_TRY(coll_scratch(c, 2 * total));
	tree->here = c->scratch;
	tree->all = tree->here + total;
	return MPI_SUCCESS;
}

/* Packs the own block; only the root has a receive buffer. */
static int pack_own(const struct coll_comm *c, const struct coll_call *call, void *bytes)
{
	if (c->rank != call->root)
		return coll_pack(c, call->send, call->send_count, call->send_type, bytes);
	struct coll_target t = coll_target_of(call);
	return target_pack_own(c, &t, bytes);
}

static int run_gather(struct coll_comm *c, const struct coll_call *call, bool flat)
{
	struct rooted_tree tree;

	COLL_TRY(rooted_tree_make(c, call, &tree));
	COLL_TRY(pack_own(c, call, tree.here));
	COLL_TRY(group_gather(&tree.node, tree.head, tree.here));
	if (c->my_index != tree.head)
		return MPI_SUCCESS;
	group_rotate(&tree.node, tree.head, tree.here, tree.all);
	COLL_TRY(flat ? group_gather_flat(&tree.heads, tree.root_node, tree.all)
	              : group_gather(&tree.heads, tree.root_node, tree.all));
	if (c->rank != call->root)
		return MPI_SUCCESS;
	struct coll_target t = coll_target_of(call);
	return target_store_nodes(c, &t, &tree.blocks, tree.all);
}

COLL_RUNS(gather_leaders, run_gather(c, call, false))
COLL_RUNS(gather_direct, run_gather(c, call, true))

/* Loads the blocks of the root's send buffer, by node, starting with its own node. */
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
	struct rooted_tree tree;

	COLL_TRY(rooted_tree_make(c, call, &tree));
	if (c->rank == call->root)
		COLL_TRY(load_nodes(c, call, tree.blocks.bytes, tree.all));
	if (c->my_index == tree.head) {
		COLL_TRY(flat ? group_scatter_flat(&tree.heads, tree.root_node, tree.all)
		              : group_scatter(&tree.heads, tree.root_node, tree.all));
		size_t before = group_bytes_from(&tree.node, 0, tree.head);
		size_t after = group_bytes_from(&tree.node, tree.head, tree.node.count - tree.head);
		memcpy(tree.here, tree.all + before, after);
		memcpy(tree.here + after, tree.all, before);
	}
	COLL_TRY(group_scatter(&tree.node, tree.head, tree.here));
	if (call->receive == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_unpack(c, tree.here, call->receive, call->receive_count, call->receive_type);
}

COLL_RUNS(scatter_leaders, run_scatter(c, call, false))
COLL_RUNS(scatter_direct, run_scatter(c, call, true))
