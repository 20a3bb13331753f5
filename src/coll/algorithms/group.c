#include "coll/algorithms/group.h"

#include "coll/algorithms/frame.h"
#include "coll/algorithms/window.h"

#include <string.h>

struct coll_blocks coll_blocks_of(const struct coll_comm *c, const struct coll_call *call)
{
	if (call->operation == COLL_ALLGATHERV)
		return (struct coll_blocks){.counts = call->counts,
		                            .element_bytes = coll_packed_bytes(1, call->receive_type)};
	return (struct coll_blocks){.bytes = coll_bytes(c, call)};
}

static size_t coll_block_bytes(const struct coll_blocks *blocks, int rank)
{
	return blocks->counts ? (size_t)blocks->counts[rank] * blocks->element_bytes : blocks->bytes;
}

size_t coll_node_bytes(const struct coll_comm *c, const struct coll_blocks *blocks, int node)
{
	int count = layout_node_size(&c->layout, node);
	size_t sum = 0;

	if (!blocks->counts)
		return blocks->bytes * (size_t)count;
	for (int i = 0; i < count; i++)
		sum += coll_block_bytes(blocks, layout_rank(&c->layout, node, i));
	return sum;
}

size_t coll_total_bytes(const struct coll_comm *c, const struct coll_blocks *blocks)
{
	size_t sum = 0;

	if (!blocks->counts)
		return blocks->bytes * (size_t)c->size;
	for (int i = 0; i < c->size; i++)
		sum += coll_block_bytes(blocks, i);
	return sum;
}

static int rank_in_node(const struct coll_group *g, int member)
{
	return layout_rank(&g->c->layout, g->c->my_node, member);
}

static size_t bytes_in_node(const struct coll_group *g, int member)
{
	return coll_block_bytes(g->blocks, rank_in_node(g, member));
}

struct coll_group group_of_node(const struct coll_comm *c, const struct coll_blocks *blocks)
{
	return (struct coll_group){.c = c,
	                           .blocks = blocks,
	                           .count = layout_node_size(&c->layout, c->my_node),
	                           .me = c->my_index,
	                           .rank = rank_in_node,
	                           .bytes = bytes_in_node};
}

static int rank_of_head(const struct coll_group *g, int member)
{
	if (g->root >= 0 && layout_node(&g->c->layout, g->root) == member)
		return g->root;
	return coll_leader(g->c, member);
}

static size_t bytes_of_head(const struct coll_group *g, int member)
{
	return coll_node_bytes(g->c, g->blocks, member);
}

struct coll_group group_of_heads(const struct coll_comm *c, const struct coll_blocks *blocks, int root)
{
	return (struct coll_group){.c = c,
	                           .blocks = blocks,
	                           .count = c->layout.nodes,
	                           .me = c->my_node,
	                           .root = root,
	                           .rank = rank_of_head,
	                           .bytes = bytes_of_head};
}

int coll_head_index(const struct coll_comm *c, int root)
{
	return root >= 0 && layout_node(&c->layout, root) == c->my_node ? layout_index(&c->layout, root) : 0;
}

size_t group_bytes_from(const struct coll_group *g, int member, int count)
{
	size_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += g->bytes(g, (member + i) % g->count);
	return sum;
}

int group_bruck(const struct coll_group *g, char *parts)
{
	for (int held = 1, sent; held < g->count; held += sent) {
		sent = held < g->count - held ? held : g->count - held;
		int to = (g->me + g->count - held) % g->count;
		int from = (g->me + held) % g->count;
		COLL_TRY(coll_exchange(g->c, parts, group_bytes_from(g, g->me, sent), g->rank(g, to),
		                       parts + group_bytes_from(g, g->me, held),
		                       group_bytes_from(g, from, sent), g->rank(g, from)));
	}
	return MPI_SUCCESS;
}

void group_rotate(const struct coll_group *g, int first, const char *rotated, char *parts)
{
	size_t before = group_bytes_from(g, 0, first);
	size_t after = group_bytes_from(g, first, g->count - first);

	memcpy(parts + before, rotated, after);
	memcpy(parts, rotated + after, before);
}

/* The size of the subtree of the member `relative` (to the root), whose lowest set bit is `step`. */
static int branch_parts(const struct coll_group *g, int relative, int step)
{
	return step < g->count - relative ? step : g->count - relative;
}

int group_gather(const struct coll_group *g, int root, char *parts)
{
	int relative = (g->me + g->count - root) % g->count;
	int step = 1;

	for (; step < g->count && !(relative & step); step *= 2) {
		int child = relative + step;
		int member = (child + root) % g->count;
		if (child < g->count)
			COLL_TRY(coll_receive(g->c, parts + group_bytes_from(g, g->me, step),
			                      group_bytes_from(g, member, branch_parts(g, child, step)),
			                      g->rank(g, member), COLL_TAG_UP));
	}
	if (!relative)
		return MPI_SUCCESS;
	int parent = (relative - step + root) % g->count;
	return coll_send(g->c, parts, group_bytes_from(g, g->me, branch_parts(g, relative, step)),
	                 g->rank(g, parent), COLL_TAG_UP);
}

/* The step to the parent in a binomial tree: the lowest set bit; for the root, a step beyond the last member. */
static int step_to_parent(const struct coll_group *g, int relative)
{
	int step = 1;

	while (step < g->count && !(relative & step))
		step *= 2;
	return step;
}

int group_scatter(const struct coll_group *g, int root, char *parts)
{
	int relative = (g->me + g->count - root) % g->count;
	int step = step_to_parent(g, relative);

	if (relative) {
		int parent = (relative - step + root) % g->count;
		COLL_TRY(coll_receive(g->c, parts,
		                      group_bytes_from(g, g->me, branch_parts(g, relative, step)),
		                      g->rank(g, parent), COLL_TAG_DOWN));
	}
	for (step /= 2; step > 0; step /= 2) {
		int child = relative + step;
		int member = (child + root) % g->count;
		if (child < g->count)
			COLL_TRY(coll_send(g->c, parts + group_bytes_from(g, g->me, step),
			                   group_bytes_from(g, member, branch_parts(g, child, step)),
			                   g->rank(g, member), COLL_TAG_DOWN));
	}
	return MPI_SUCCESS;
}

int group_bcast(const struct coll_group *g, int root, char *data, size_t bytes)
{
	int relative = (g->me + g->count - root) % g->count;
	int step = step_to_parent(g, relative);

	if (relative) {
		int parent = (relative - step + root) % g->count;
		COLL_TRY(coll_receive(g->c, data, bytes, g->rank(g, parent), COLL_TAG_DOWN));
	}
	for (step /= 2; step > 0; step /= 2) {
		if (relative + step < g->count) {
			int child = (relative + step + root) % g->count;
			COLL_TRY(coll_send(g->c, data, bytes, g->rank(g, child), COLL_TAG_DOWN));
		}
	}
	return MPI_SUCCESS;
}

int target_store_nodes(const struct coll_comm *c, const struct coll_target *t,
                       const struct coll_blocks *blocks, const char *held)
{
	const struct layout *l = &c->layout;

	if (l->kind == LAYOUT_BLOCK && t->plain && !blocks->counts) {
		size_t before = blocks->bytes * (size_t)(c->rank - c->my_index);
		size_t after = blocks->bytes * (size_t)c->size - before;
		memcpy(target_address(t, c->rank - c->my_index), held, after);
		memcpy(t->call->receive, held + after, before);
		return MPI_SUCCESS;
	}
	for (int i = 0; i < l->nodes; i++) {
		int node = (c->my_node + i) % l->nodes;
		int count = layout_node_size(l, node);
		for (int k = 0; k < count; k++) {
			int rank = layout_rank(l, node, k);
			size_t bytes = coll_block_bytes(blocks, rank);
			COLL_TRY(target_store(c, t, rank, held, bytes));
			held += bytes;
		}
	}
	return MPI_SUCCESS;
}

/* Posts all receives first, so that messages arrive concurrently. */
int group_gather_flat(const struct coll_group *g, int root, char *parts)
{
	struct coll_window w;

	if (g->me != root)
		return coll_send(g->c, parts, g->bytes(g, g->me), g->rank(g, root), COLL_TAG);
	coll_window_init(&w, g->c);
	for (int i = 1; i < g->count; i++) {
		parts += g->bytes(g, (root + i - 1) % g->count);
		int member = (root + i) % g->count;
		COLL_TRY(coll_window_receive(&w, parts, (int)g->bytes(g, member), MPI_BYTE,
		                             g->rank(g, member)));
	}
	return coll_window_wait(&w);
}

/* Concurrent messages of a root. */
#define BATCH 32

/* Sends each other member its part or, with `all`, the same bytes. */
static int send_flat(const struct coll_group *g, const char *data, size_t all)
{
	MPI_Request requests[BATCH];
	int begun = 0;

	for (int i = 1; i < g->count; i++) {
		int member = (g->me + i) % g->count;
		data += all ? 0 : g->bytes(g, (g->me + i - 1) % g->count);
		if (begun == BATCH) {
			COLL_TRY(PMPI_Waitall(begun, requests, MPI_STATUSES_IGNORE));
			begun = 0;
		}
		COLL_TRY(PMPI_Isend(data, (int)(all ? all : g->bytes(g, member)), MPI_BYTE,
		                    g->rank(g, member), COLL_TAG_DOWN, g->c->comm, &requests[begun++]));
	}
	return PMPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
}

int group_scatter_flat(const struct coll_group *g, int root, char *parts)
{
	if (g->me == root)
		return send_flat(g, parts, 0);
	return coll_receive(g->c, parts, g->bytes(g, g->me), g->rank(g, root), COLL_TAG_DOWN);
}

int group_bcast_flat(const struct coll_group *g, int root, char *data, size_t bytes)
{
	if (g->me == root)
		return send_flat(g, data, bytes);
	return coll_receive(g->c, data, bytes, g->rank(g, root), COLL_TAG_DOWN);
}
