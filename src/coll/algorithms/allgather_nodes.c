/*
 * Allgather and allgatherv for short blocks, in which each block crosses to each node once.
 *
 * leaders: the lowest process of a node collects its blocks, leaders exchange, and each distributes what it got.
 *
 * locality: first everyone gets the blocks of its node. Then nodes do Bruck's algorithm with a higher radix: in a round, a node that holds the
 * blocks of h nodes gets those of several times h more, from as many nodes. These transfers ("lanes") are shared out among the
 * processes of a node, which then exchange what they got. With one process on each node and two lanes it is the ordinary algorithm.
 *
 * Blocks are held in scratch memory as bytes: those of this node, of the next one, and so on around the last.
 */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/table.h"

/* The largest result for which scratch memory is used: beyond it other algorithms are faster. */
#define SHORT_MAX ((size_t)8 << 20)

static bool is_short(const struct coll_comm *c, size_t bytes)
{
	return bytes > 0 && bytes <= SHORT_MAX / (size_t)c->size && c->layout.nodes > 1;
}

bool allgather_leaders_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return is_short(c, bytes) && c->layout.nodes < c->size;
}

bool allgather_locality_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return is_short(c, bytes);
}

bool allgather_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return is_short(c, bytes);
}

int allgather_leaders(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_target t = coll_target_of(call);
	struct coll_blocks blocks = coll_blocks_of(c, call);
	struct coll_group node = group_of_node(c, &blocks);
	struct coll_group heads = group_of_heads(c, &blocks, -1);
	size_t total = coll_total_bytes(c, &blocks);

	COLL_TRY(coll_scratch(c, total));
	COLL_TRY(target_pack_own(c, &t, c->scratch));
	COLL_TRY(group_gather(&node, 0, c->scratch));
	if (node.me == 0)
		COLL_TRY(group_bruck(&heads, c->scratch));
	COLL_TRY(group_bcast(&node, 0, c->scratch, total));
	return target_store_nodes(c, &t, &blocks, c->scratch);
}

/*
 * A round of the algorithm between nodes: lane k (from 0) brings the blocks of up to `held` nodes, from `held` * (k + 1) nodes further on.
 */
struct locality_round {
	const struct coll_comm *c;
	const struct coll_blocks *blocks;
	int held;  /* nodes whose blocks all processes of this node have */
	int lanes; /* in this round, on every node */
};

static int lane_nodes(const struct locality_round *r, int lane)
{
	int left = r->c->layout.nodes - r->held * (lane + 1);

	return left < r->held ? left : r->held;
}

/* Of `count` nodes in turn. */
static size_t bytes_of_nodes(const struct locality_round *r, int node, int count)
{
	size_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += coll_node_bytes(r->c, r->blocks, (node + i) % r->c->layout.nodes);
	return sum;
}

/* Lanes are shared out in runs. `index` may be one past the last process: then where its lanes would begin. */
static int first_lane(const struct locality_round *r, int node, int index)
{
	int count = layout_node_size(&r->c->layout, node);

	return (int)((long long)r->lanes * index / count);
}

/* Which process of a node does a lane. */
static int lane_rank(const struct locality_round *r, int node, int lane)
{
	int count = layout_node_size(&r->c->layout, node);
	int index = (int)(((long long)lane * count + count - 1) / r->lanes);

	while (index > 0 && first_lane(r, node, index) > lane)
		index--;
	while (index + 1 < count && first_lane(r, node, index + 1) <= lane)
		index++;
	return layout_rank(&r->c->layout, node, index);
}

/* What a process of this node gets in this round: the bytes of its lanes. */
static size_t bytes_of_lanes(const struct coll_group *g, int member)
{
	const struct locality_round *r = g->context;
	int node = r->c->my_node;
	size_t sum = 0;

	for (int lane = first_lane(r, node, member); lane < first_lane(r, node, member + 1); lane++)
		sum += bytes_of_nodes(r, (node + r->held * (lane + 1)) % r->c->layout.nodes,
		                      lane_nodes(r, lane));
	return sum;
}

/* Lanes that a process has under way at a time. */
#define BATCH 16

/* One lane of this process, begun. Returns the bytes that come. */
static int begin_lane(const struct locality_round *r, int lane, const char *held, char *got,
                      MPI_Request *requests, size_t *received)
{
	const struct coll_comm *c = r->c;
	int nodes = c->layout.nodes;
	int to = (c->my_node + nodes - r->held * (lane + 1)) % nodes;
	int from = (c->my_node + r->held * (lane + 1)) % nodes;
	size_t sent = bytes_of_nodes(r, c->my_node, lane_nodes(r, lane));

	*received = bytes_of_nodes(r, from, lane_nodes(r, lane));
	COLL_TRY(PMPI_Irecv(got, (int)*received, MPI_BYTE, lane_rank(r, from, lane), COLL_TAG, c->comm,
	                    &requests[0]));
	return PMPI_Isend(held, (int)sent, MPI_BYTE, lane_rank(r, to, lane), COLL_TAG, c->comm, &requests[1]);
}

/* The lanes of this process: what it gets goes to `got`, one after the other. All processes go through lanes in ascending order, so that
   none waits for one that waits for it. */
static int run_lanes(const struct locality_round *r, const char *held, char *got)
{
	int lane = first_lane(r, r->c->my_node, r->c->my_index);
	int end = first_lane(r, r->c->my_node, r->c->my_index + 1);

	while (lane < end) {
		MPI_Request requests[2 * BATCH];
		int begun = 0;
		for (; lane < end && begun < BATCH; lane++, begun++) {
			size_t received;
			COLL_TRY(begin_lane(r, lane, held, got, requests + 2 * begun, &received));
			got += received;
		}
		COLL_TRY(PMPI_Waitall(2 * begun, requests, MPI_STATUSES_IGNORE));
	}
	return MPI_SUCCESS;
}

/* All processes of the node get the blocks of all nodes, with at most `most` lanes in a round. `held` has those of this node. */
static int locality_rounds(struct coll_comm *c, const struct coll_blocks *blocks, int most, char *held,
                           char *got)
{
	struct coll_group node = group_of_node(c, blocks);
	struct locality_round r = {.c = c, .blocks = blocks, .held = 1};

	node.bytes = bytes_of_lanes;
	node.context = &r;
	while (r.held < c->layout.nodes) {
		r.lanes = (c->layout.nodes - 1) / r.held;
		if (r.lanes > most)
			r.lanes = most;
		COLL_TRY(run_lanes(&r, held, got));
		COLL_TRY(group_bruck(&node, got));
		group_rotate(&node, node.me, got, held + bytes_of_nodes(&r, c->my_node, r.held));
		r.held += r.held * (r.lanes - 1) + lane_nodes(&r, r.lanes - 1);
	}
	return MPI_SUCCESS;
}

static int run_locality(struct coll_comm *c, const struct coll_call *call, int most)
{
	struct coll_target t = coll_target_of(call);
	struct coll_blocks blocks = coll_blocks_of(c, call);
	struct coll_group node = group_of_node(c, &blocks);
	size_t total = coll_total_bytes(c, &blocks);

	COLL_TRY(coll_scratch(c, 2 * total));
	char *held = c->scratch;
	char *got = held + total;
	COLL_TRY(target_pack_own(c, &t, got));
	COLL_TRY(group_bruck(&node, got));
	group_rotate(&node, node.me, got, held);
	COLL_TRY(locality_rounds(c, &blocks, most, held, got));
	return target_store_nodes(c, &t, &blocks, held);
}

/* As many lanes as the smallest node has processes. */
int allgather_locality(struct coll_comm *c, const struct coll_call *call)
{
	int least = c->size;

	for (int i = 0; i < c->layout.nodes; i++)
		if (layout_node_size(&c->layout, i) < least)
			least = layout_node_size(&c->layout, i);
	return run_locality(c, call, least);
}

/* One round: every node sends its blocks to every other. */
int allgather_direct(struct coll_comm *c, const struct coll_call *call)
{
	return run_locality(c, call, c->layout.nodes);
}
