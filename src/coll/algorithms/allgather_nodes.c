/* Allgather and allgatherv for short blocks: each block enters each node once.
 *
 * leaders: the lowest process of a node collects its blocks, leaders exchange them, and each distributes the result.
 *
 * locality: first each process gets the blocks of its node. Then nodes run Bruck's algorithm with a higher radix: in a round, a
 * node with the blocks of h nodes receives several times h more, from as many nodes. These transfers ("lanes") are cut into
 * slices, the processes of a node share the slices and then exchange them. The number of lanes per round is the size of the
 * smallest node (locality), one (binary), or one per other node (direct).
 *
 * Scratch memory holds blocks as bytes: those of this node, of the next one, and so on, cyclically. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/shared.h"
#include "coll/algorithms/table.h"

/* The largest result that uses scratch memory; other algorithms are faster for more. */
#define SHORT_MAX ((size_t)8 << 20)

static bool is_short(const struct coll_comm *c, size_t bytes)
{
	return bytes > 0 && bytes <= SHORT_MAX / (size_t)c->size && c->layout.nodes > 1;
}

COLL_APPLIES(allgather_leaders_applies, is_short(c, bytes) && c->layout.nodes < c->size)
COLL_APPLIES(allgather_rounds_applies, is_short(c, bytes))

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

/* A round between nodes: lane k (from 0) brings the blocks of up to `held` nodes, from the node `held` * (k + 1) ahead. All slices
 * that a node receives, of all lanes, are numbered consecutively and divided among its processes in runs. So are the slices that
 * it sends. */
struct locality_round {
	const struct coll_comm *c;
	const struct coll_blocks *blocks;
	int held;  /* nodes whose blocks all processes of this node have */
	int lanes; /* of this round, on every node */
};

enum direction { INCOMING, OUTGOING };

#define SLICE_BYTES 8192

static int lane_nodes(const struct locality_round *r, int lane)
{
	int left = r->c->layout.nodes - r->held * (lane + 1);

	return left < r->held ? left : r->held;
}

/* Bytes of `count` consecutive nodes. */
static size_t bytes_of_nodes(const struct locality_round *r, int node, int count)
{
	size_t sum = 0;

	if (!r->blocks->counts && layout_is_regular(&r->c->layout))
		return coll_node_bytes(r->c, r->blocks, 0) * (size_t)count;
	for (int i = 0; i < count; i++)
		sum += coll_node_bytes(r->c, r->blocks, (node + i) % r->c->layout.nodes);
	return sum;
}

static int node_at(const struct locality_round *r, int node, int distance)
{
	int nodes = r->c->layout.nodes;

	return (node + distance % nodes + nodes) % nodes;
}

/* Bytes that a node receives or sends on a lane. */
static size_t lane_bytes(const struct locality_round *r, int node, enum direction way, int lane)
{
	int from = way == INCOMING ? node_at(r, node, r->held * (lane + 1)) : node;

	return bytes_of_nodes(r, from, lane_nodes(r, lane));
}

static int lane_slices(const struct locality_round *r, int node, enum direction way, int lane)
{
	return (int)((lane_bytes(r, node, way, lane) + SLICE_BYTES - 1) / SLICE_BYTES);
}

/* Slices of a node on the lanes before a lane. */
static int slices_before(const struct locality_round *r, int node, enum direction way, int lane)
{
	int sum = 0;

	for (int i = 0; i < lane; i++)
		sum += lane_slices(r, node, way, i);
	return sum;
}

/* The first slice of a process. `index` may be one past the last process, which gives the end of all slices. */
static int first_slice(const struct locality_round *r, int node, enum direction way, int index)
{
	long long count = layout_node_size(&r->c->layout, node);

	return (int)(slices_before(r, node, way, r->lanes) * index / count);
}

/* Offset of a slice in the bytes that this node receives. */
static size_t slice_offset(const struct locality_round *r, int number)
{
	size_t at = 0;

	for (int lane = 0; lane < r->lanes; lane++) {
		int count = lane_slices(r, r->c->my_node, INCOMING, lane);
		if (number < count)
			return at + (size_t)number * SLICE_BYTES;
		number -= count;
		at += lane_bytes(r, r->c->my_node, INCOMING, lane);
	}
	return at;
}

/* Bytes that a process of this node receives in this round. */
static size_t bytes_of_slices(const struct coll_group *g, int member)
{
	const struct locality_round *r = g->context;
	int node = r->c->my_node;

	return slice_offset(r, first_slice(r, node, INCOMING, member + 1)) -
	       slice_offset(r, first_slice(r, node, INCOMING, member));
}

/* An iterator over the slices of this process. */
struct slice_walk {
	const struct locality_round *r;
	enum direction way;
	int number, end; /* in the numbering of this node */
	int lane, first; /* lane of `number`, and that lane's first slice */
	/* The current slice: */
	size_t at, bytes; /* offset and size in its lane */
	int peer;
};

static struct slice_walk begin_walk(const struct locality_round *r, enum direction way)
{
	const struct coll_comm *c = r->c;

	return (struct slice_walk){.r = r,
	                           .way = way,
	                           .number = first_slice(r, c->my_node, way, c->my_index) - 1,
	                           .end = first_slice(r, c->my_node, way, c->my_index + 1)};
}

static bool walk_next(struct slice_walk *w)
{
	const struct locality_round *r = w->r;
	int node = r->c->my_node;

	if (++w->number >= w->end)
		return false;
	while (w->number >= w->first + lane_slices(r, node, w->way, w->lane))
		w->first += lane_slices(r, node, w->way, w->lane++);
	size_t lane = lane_bytes(r, node, w->way, w->lane);
	w->at = (size_t)(w->number - w->first) * SLICE_BYTES;
	w->bytes = lane - w->at < SLICE_BYTES ? lane - w->at : SLICE_BYTES;

	int distance = r->held * (w->lane + 1);
	int there = node_at(r, node, w->way == INCOMING ? distance : -distance);
	enum direction back = w->way == INCOMING ? OUTGOING : INCOMING;
	/* The process that handles a slice is the last one whose first slice is not after it. */
	int number = slices_before(r, there, back, w->lane) + w->number - w->first;
	long long count = layout_node_size(&r->c->layout, there);
	long long index = ((number + 1) * count - 1) / slices_before(r, there, back, r->lanes);
	w->peer = layout_rank(&r->c->layout, there, (int)index);
	return true;
}

/* Concurrent sends per process. */
#define BATCH 16

/* Receives this process's slices into `got`. All receives are posted first, so no send depends on another process. */
static int run_slices(const struct locality_round *r, const char *held, char *got)
{
	MPI_Request *coming = r->c->requests;
	MPI_Request going[BATCH];
	int awaited = 0, sent = 0;

	for (struct slice_walk w = begin_walk(r, INCOMING); walk_next(&w); got += w.bytes)
		COLL_TRY(PMPI_Irecv(got, (int)w.bytes, MPI_BYTE, w.peer, COLL_TAG, r->c->comm,
		                    &coming[awaited++]));
	for (struct slice_walk w = begin_walk(r, OUTGOING); walk_next(&w);) {
		if (sent == BATCH) {
			COLL_TRY(PMPI_Waitall(sent, going, MPI_STATUSES_IGNORE));
			sent = 0;
		}
		COLL_TRY(PMPI_Isend(held + w.at, (int)w.bytes, MPI_BYTE, w.peer, COLL_TAG, r->c->comm,
		                    &going[sent++]));
	}
	COLL_TRY(PMPI_Waitall(awaited, coming, MPI_STATUSES_IGNORE));
	return PMPI_Waitall(sent, going, MPI_STATUSES_IGNORE);
}

static int smallest_node(const struct coll_comm *c)
{
	int least = c->size;

	for (int i = 0; i < c->layout.nodes; i++)
		if (layout_node_size(&c->layout, i) < least)
			least = layout_node_size(&c->layout, i);
	return least;
}

/* Scratch memory of these algorithms. */
struct locality_memory {
	char *held, *got;
	bool shared; /* processes of a node exchange through shared memory */
};

static int exchange_in_node(struct coll_comm *c, const struct locality_memory *m,
                            const struct coll_group *node)
{
	return m->shared ? shared_exchange(c, node, m->got) : group_bruck(node, m->got);
}

/* Gives all processes of the node the blocks of all nodes, with at most `limit` lanes per round. `held` has those of this node. */
static int locality_rounds(struct coll_comm *c, const struct coll_blocks *blocks, int limit,
                           struct locality_memory *m)
{
	struct coll_group node = group_of_node(c, blocks);
	struct locality_round r = {.c = c, .blocks = blocks, .held = 1};

	node.bytes = bytes_of_slices;
	node.context = &r;
	while (r.held < c->layout.nodes) {
		r.lanes = (c->layout.nodes - 1) / r.held;
		r.lanes = r.lanes < limit ? r.lanes : limit;
		COLL_TRY(run_slices(&r, m->held, m->got));
		COLL_TRY(exchange_in_node(c, m, &node));
		group_rotate(&node, node.me, m->got, m->held + bytes_of_nodes(&r, c->my_node, r.held));
		r.held += r.held * (r.lanes - 1) + lane_nodes(&r, r.lanes - 1);
	}
	return MPI_SUCCESS;
}

static int run_locality(struct coll_comm *c, const struct coll_call *call, int limit, bool shared)
{
	struct coll_target t = coll_target_of(call);
	struct coll_blocks blocks = coll_blocks_of(c, call);
	struct coll_group node = group_of_node(c, &blocks);
	size_t total = coll_total_bytes(c, &blocks);

	/* Each lane has at most one partial slice. */
	COLL_TRY(coll_requests(c, total / SLICE_BYTES + (size_t)c->layout.nodes));
	COLL_TRY(coll_scratch(c, 2 * total));
	struct locality_memory m = {.held = c->scratch, .got = (char *)c->scratch + total, .shared = shared};
	COLL_TRY(target_pack_own(c, &t, m.got));
	COLL_TRY(exchange_in_node(c, &m, &node));
	group_rotate(&node, node.me, m.got, m.held);
	COLL_TRY(locality_rounds(c, &blocks, limit, &m));
	return target_store_nodes(c, &t, &blocks, m.held);
}

COLL_RUNS(allgather_locality, run_locality(c, call, smallest_node(c), false))
COLL_RUNS(allgather_binary, run_locality(c, call, 1, false))
COLL_RUNS(allgather_direct, run_locality(c, call, c->layout.nodes, false))
COLL_APPLIES(allgather_shared_applies, shared_may_be_used(c) && bytes > 0 &&
                                               bytes <= SHORT_MAX / (size_t)c->size &&
                                               c->layout.nodes < c->size)

/* The same with shared memory inside nodes. */
int allgather_shared(struct coll_comm *c, const struct coll_call *call)
{
	COLL_TRY(shared_begin(c));
	return run_locality(c, call, c->layout.nodes > 32 ? smallest_node(c) : c->layout.nodes, true);
}
