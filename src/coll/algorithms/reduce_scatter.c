#include "coll/algorithms/table.h"
#include "coll/algorithms/team.h"
#include "coll/algorithms/window.h"

/* Blocks are found by a linear scan of the counts, so their number is limited. */
enum { SIZE_MAX_BY_COUNTS = 2048 };

static int count_of(const struct coll_call *call, int rank)
{
	return call->counts && call->operation == COLL_REDUCE_SCATTER ? call->counts[rank]
	                                                              : call->receive_count;
}

static int whole_count(const struct coll_comm *c, const struct coll_call *call)
{
	long long count = 0;

	for (int rank = 0; rank < c->size; rank++)
		count += count_of(call, rank);
	return count > (long long)COLL_SCRATCH_MAX ? -1 : (int)count;
}

static bool applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	size_t whole = call->operation == COLL_REDUCE_SCATTER ? bytes : bytes * (size_t)c->size;

	return c->layout.nodes > 1 && whole < COLL_SCRATCH_MAX / 4 && coll_op_commutes(call->op);
}

/* The number of elements in a node's blocks; `largest`: the maximum over all nodes. */
static int node_count(const struct coll_comm *c, const struct coll_call *call, int node)
{
	int count = 0;

	for (int i = 0; i < layout_node_size(&c->layout, node); i++)
		count += count_of(call, layout_rank(&c->layout, node, i));
	return count;
}

static int node_count_max(const struct coll_comm *c, const struct coll_call *call)
{
	int max = 0;

	for (int node = 0; node < c->layout.nodes; node++) {
		int count = node_count(c, call, node);
		max = count > max ? count : max;
	}
	return max;
}

/* Room for the whole vector and, per node, for the blocks of the largest node. */
static int prepare(struct coll_comm *c, const struct coll_call *call, struct coll_vector *v)
{
	long long count = whole_count(c, call), nodes = c->layout.nodes;
	char *starts[2];

	*v = (struct coll_vector){.type = call->receive_type, .op = call->op};
	if (count < 0 || node_count_max(c, call) * nodes > (long long)COLL_SCRATCH_MAX)
		return COLL_DECLINED;
	if (node_count_max(c, call) * nodes > count)
		count = node_count_max(c, call) * nodes;
	COLL_TRY(coll_vectors(c, v, (int)count, 2, starts));
	v->other = starts[0];
	v->mine = starts[1];
	return MPI_SUCCESS;
}

static const char *operand(const struct coll_call *call)
{
	return call->send == MPI_IN_PLACE ? call->receive : call->send;
}

/* The block of a process in the program's vector. */
static struct coll_range block_of(const struct coll_call *call, int rank)
{
	struct coll_range block = {0, count_of(call, rank)};

	if (call->operation == COLL_REDUCE_SCATTER_BLOCK)
		block.first = rank * block.count;
	else
		for (int i = 0; i < rank; i++)
			block.first += count_of(call, i);
	return block;
}

/* Members of a lane send each other their non-empty ranges, and each combines its own. */
static int exchange_directly(const struct coll_comm *c, const struct coll_call *call,
                             const struct coll_vector *v,
                             struct coll_range (*range_of)(const struct coll_comm *, const struct coll_call *,
                                                           int lane, int node))
{
	struct coll_team lane = coll_team_of_lane(c);
	struct coll_range own = range_of(c, call, lane.number, lane.me);
	struct coll_window w;

	coll_window_init(&w, c);
	for (int i = 1; i < lane.size; i++) {
		int from = (lane.me + lane.size - i) % lane.size, to = (lane.me + i) % lane.size;
		struct coll_range range = range_of(c, call, lane.number, to);
		if (own.count > 0)
			COLL_TRY(coll_window_receive(&w, v->other + v->extent * own.count * from, own.count,
			                             v->type, coll_team_rank(&lane, from)));
		if (range.count > 0)
			COLL_TRY(coll_window_send(&w, v->mine + v->extent * range.first, range.count, v->type,
			                          coll_team_rank(&lane, to)));
	}
	COLL_TRY(coll_window_wait(&w));
	for (int i = 0; i < lane.size; i++)
		if (i != lane.me && own.count > 0)
			COLL_TRY(PMPI_Reduce_local(v->other + v->extent * own.count * i,
			                           v->mine + v->extent * own.first, own.count, v->type,
			                           v->op));
	return MPI_SUCCESS;
}

/* leaders: in a vector ordered by node, each node reduces to its leader, leaders exchange the blocks of their nodes, and each
 * process gets its block from its leader. The position of a node's blocks: */
static struct coll_range node_range(const struct coll_comm *c, const struct coll_call *call, int lane,
                                    int node)
{
	struct coll_range range = {0, node_count(c, call, node)};

	(void)lane;
	for (int i = 0; i < node; i++)
		range.first += node_count(c, call, i);
	return range;
}

static int order_by_nodes(const struct coll_comm *c, const struct coll_call *call,
                          const struct coll_vector *v)
{
	int to = 0;

	for (int node = 0; node < c->layout.nodes; node++)
		for (int i = 0; i < layout_node_size(&c->layout, node); i++) {
			struct coll_range from = block_of(call, layout_rank(&c->layout, node, i));
			COLL_TRY(coll_copy(c, operand(call) + v->extent * from.first, from.count, v->type,
			                   v->mine + v->extent * to, from.count, v->type));
			to += from.count;
		}
	return MPI_SUCCESS;
}

/* Every byte crosses once: in a vector ordered by lane and then by node, the processes of a node first reduce the ranges of their
 * lanes, then each lane reduces among its members. The position of a block in that vector: */
static struct coll_range lane_block(const struct coll_comm *c, const struct coll_call *call, int lane,
                                    int node)
{
	struct coll_range block = {0, count_of(call, layout_rank(&c->layout, node, lane))};

	if (call->operation == COLL_REDUCE_SCATTER_BLOCK) {
		block.first = (lane * c->layout.nodes + node) * block.count;
		return block;
	}
	for (int i = 0; i <= lane; i++)
		for (int j = 0; j < (i < lane ? c->layout.nodes : node); j++)
			block.first += count_of(call, layout_rank(&c->layout, j, i));
	return block;
}

static struct coll_range lane_range(const struct coll_comm *c, const struct coll_call *call, int lane,
                                    int first, int end)
{
	struct coll_range range = lane_block(c, call, lane, first), last = lane_block(c, call, lane, end - 1);

	range.count = last.first + last.count - range.first;
	return range;
}

static int swap_ranges(const struct coll_comm *c, const struct coll_vector *v, struct coll_range given,
                       int to, struct coll_range kept, int from)
{
	COLL_TRY(PMPI_Sendrecv(v->mine + v->extent * given.first, given.count, v->type, to, COLL_TAG,
	                       v->other + v->extent * kept.first, kept.count, v->type, from, COLL_TAG,
	                       c->comm, MPI_STATUS_IGNORE));
	if (kept.count == 0)
		return MPI_SUCCESS;
	return PMPI_Reduce_local(v->other + v->extent * kept.first, v->mine + v->extent * kept.first,
	                         kept.count, v->type, v->op);
}

static int reduce_in_node(const struct coll_comm *c, const struct coll_call *call,
                          const struct coll_vector *v)
{
	struct coll_team node = coll_team_of_node(c);
	struct coll_range own = lane_range(c, call, c->my_index, 0, c->layout.nodes);

	for (int step = 1; step < node.size; step++) {
		int to = (node.me + step) % node.size, from = (node.me + node.size - step) % node.size;
		COLL_TRY(swap_ranges(c, v, lane_range(c, call, to, 0, c->layout.nodes),
		                     coll_team_rank(&node, to), own, coll_team_rank(&node, from)));
	}
	return MPI_SUCCESS;
}

/* Reduces by recursive halving, if the number of members is a power of two. */
static int reduce_in_lane(const struct coll_comm *c, const struct coll_call *call,
                          const struct coll_vector *v)
{
	struct coll_team lane = coll_team_of_lane(c);
	int first = 0, length = lane.size;

	for (length /= 2; length > 0; length /= 2) {
		bool upper = lane.me & length;
		int partner = coll_team_rank(&lane, lane.me ^ length), lower_end = first + length;
		struct coll_range low = lane_range(c, call, lane.number, first, lower_end);
		struct coll_range high = lane_range(c, call, lane.number, lower_end, lower_end + length);
		COLL_TRY(swap_ranges(c, v, upper ? low : high, partner, upper ? high : low, partner));
		first = upper ? lower_end : first;
	}
	return MPI_SUCCESS;
}

static int by_lanes(struct coll_comm *c, const struct coll_call *call, bool halving)
{
	struct coll_range own;
	struct coll_vector v;

	COLL_TRY(prepare(c, call, &v));
	for (int node = 0; node < c->layout.nodes; node++)
		for (int lane = 0; lane < c->layout.per_node; lane++) {
			struct coll_range from = block_of(call, layout_rank(&c->layout, node, lane));
			struct coll_range to = lane_block(c, call, lane, node);
			COLL_TRY(coll_copy(c, operand(call) + v.extent * from.first, from.count, v.type,
			                   v.mine + v.extent * to.first, to.count, v.type));
		}
	COLL_TRY(reduce_in_node(c, call, &v));
	COLL_TRY(halving ? reduce_in_lane(c, call, &v) : exchange_directly(c, call, &v, lane_block));
	own = lane_block(c, call, c->my_index, c->my_node);
	return coll_copy(c, v.mine + v.extent * own.first, own.count, v.type, call->receive, own.count,
	                 v.type);
}

COLL_APPLIES(reduce_scatter_leaders_applies, applies(c, call, bytes) && c->size <= SIZE_MAX_BY_COUNTS)

int reduce_scatter_leaders(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_team node = coll_team_of_node(c);
	struct coll_range all = {0, whole_count(c, call)}, part;
	struct coll_vector v;

	COLL_TRY(prepare(c, call, &v));
	COLL_TRY(order_by_nodes(c, call, &v));
	COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
	if (c->my_index > 0 && count_of(call, c->rank) == 0)
		return MPI_SUCCESS;
	if (c->my_index > 0)
		return PMPI_Recv(call->receive, count_of(call, c->rank), v.type, coll_team_rank(&node, 0),
		                 COLL_TAG, c->comm, MPI_STATUS_IGNORE);
	COLL_TRY(exchange_directly(c, call, &v, node_range));
	part = node_range(c, call, 0, c->my_node);
	part.count = count_of(call, c->rank);
	COLL_TRY(coll_copy(c, v.mine + v.extent * part.first, part.count, v.type, call->receive, part.count,
	                   v.type));
	for (int i = 1; i < node.size; i++) {
		part.first += part.count;
		part.count = count_of(call, coll_team_rank(&node, i));
		if (part.count > 0)
			COLL_TRY(coll_send_range(c, &v, part, coll_team_rank(&node, i)));
	}
	return MPI_SUCCESS;
}

COLL_APPLIES(reduce_scatter_lanes_applies,
             layout_is_regular(&c->layout) && applies(c, call, bytes) &&
                     (call->operation == COLL_REDUCE_SCATTER_BLOCK || c->size <= SIZE_MAX_BY_COUNTS))
COLL_RUNS(reduce_scatter_lanes, by_lanes(c, call, false))
COLL_APPLIES(reduce_scatter_lanes_halving_applies,
             (c->layout.nodes & (c->layout.nodes - 1)) == 0 && reduce_scatter_lanes_applies(c, call, bytes))
COLL_RUNS(reduce_scatter_lanes_halving, by_lanes(c, call, true))
