/* Allreduce in three steps: inside nodes, between nodes, inside nodes. Between nodes, either one process per node handles the
 * whole vector (leaders: few messages), or several handle a part each (lanes: every byte crosses once). */
#include "coll/algorithms/table.h"
#include "coll/algorithms/team.h"
#include "coll/algorithms/window.h"

#include <limits.h>

static bool applies(const struct coll_call *call, size_t bytes)
{
	return bytes < COLL_SCRATCH_MAX / 2 && coll_op_commutes(call->op);
}

/* `extra` vectors begin at `starts`. */
static int prepare(struct coll_comm *c, const struct coll_call *call, struct coll_vector *v, int extra,
                   char **starts)
{
	int nodes = c->layout.nodes;

	*v = (struct coll_vector){.type = call->receive_type, .op = call->op, .mine = call->receive};
	COLL_TRY(coll_vectors(c, v, call->receive_count + nodes, 1 + extra, starts));
	v->other = starts[extra];
	if (call->send == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_copy_range(c, v, call->send, v->mine, (struct coll_range){0, call->receive_count});
}

static int by_leaders(struct coll_comm *c, const struct coll_call *call, coll_team_operation *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	struct coll_vector v;
	char *start;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v, 0, &start));
	COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
	if (c->my_index == 0)
		COLL_TRY(between(c, &lane, &v, all));
	return coll_team_bcast(c, &node, &v, all, 0);
}

static int by_lanes(struct coll_comm *c, const struct coll_call *call, coll_team_operation *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	int lanes = coll_lanes(c);
	struct coll_vector v;
	char *start;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v, 0, &start));
	COLL_TRY(coll_team_share_out(c, &node, &v, all, lanes));
	if (c->my_index < lanes)
		COLL_TRY(between(c, &lane, &v, coll_part(all, c->my_index, lanes)));
	return coll_team_collect(c, &node, &v, all, lanes);
}

COLL_APPLIES(allreduce_leaders_applies, c->layout.nodes > 1 && applies(call, bytes))
COLL_RUNS(allreduce_leaders, by_leaders(c, call, coll_team_doubling))
COLL_APPLIES(allreduce_leaders_direct_applies, c->layout.nodes > 2 && applies(call, bytes))
COLL_RUNS(allreduce_leaders_direct, by_leaders(c, call, coll_team_direct))

/* One step between nodes: several processes of each node, the handlers, have the node's sum. Handler i of h exchanges it with the
 * nodes u with u % h == i and adds the results. All nodes add in the same order. */
enum { NODES_OF_HANDLER = 8, DIRECT_MAX_BYTES = 32768, SLOTS_MAX = 64 };

static int handlers_of(const struct coll_comm *c)
{
	int wanted = (c->layout.nodes + NODES_OF_HANDLER - 1) / NODES_OF_HANDLER, lanes = coll_lanes(c);

	return wanted < lanes ? wanted : lanes;
}

static int slots_of(const struct coll_comm *c)
{
	return (c->layout.nodes + handlers_of(c) - 1) / handlers_of(c);
}

/* Receives the sums of the nodes that this process handles into `slots`, consecutively. */
static int exchange_sums(const struct coll_comm *c, const struct coll_vector *v, int length, char **slots)
{
	int handlers = handlers_of(c);
	struct coll_window w;

	coll_window_init(&w, c);
	for (int node = c->my_index, slot = 0; node < c->layout.nodes; node += handlers, slot++) {
		int partner = layout_rank(&c->layout, node, c->my_node % handlers);
		if (node == c->my_node) {
			COLL_TRY(coll_copy_range(c, v, v->mine, slots[slot], (struct coll_range){0, length}));
			continue;
		}
		COLL_TRY(coll_window_receive(&w, slots[slot], length, v->type, partner));
		COLL_TRY(coll_window_send(&w, v->mine, length, v->type, partner));
	}
	return coll_window_wait(&w);
}

COLL_APPLIES(allreduce_direct_applies, c->layout.nodes > 2 && bytes <= DIRECT_MAX_BYTES &&
                                               slots_of(c) <= SLOTS_MAX && applies(call, bytes))

int allreduce_direct(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_team node = coll_team_of_node(c), some = node;
	struct coll_range all = {0, call->receive_count};
	struct coll_vector v;
	char *starts[SLOTS_MAX + 1];

	if (all.count == 0)
		return MPI_SUCCESS;
	some.size = handlers_of(c);
	COLL_TRY(prepare(c, call, &v, slots_of(c), starts));
	COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
	if (c->my_index < some.size) {
		COLL_TRY(coll_team_bcast(c, &some, &v, all, 0));
		int last = (c->layout.nodes - 1 - c->my_index) / handlers_of(c);
		COLL_TRY(exchange_sums(c, &v, all.count, starts));
		for (int slot = last - 1; slot >= 0; slot--)
			COLL_TRY(PMPI_Reduce_local(starts[slot], starts[last], all.count, v.type, v.op));
		COLL_TRY(coll_copy_range(c, &v, starts[last], v.mine, (struct coll_range){0, all.count}));
		COLL_TRY(coll_team_reduce(c, &some, &v, all, 0));
	}
	return coll_team_bcast(c, &node, &v, all, 0);
}

COLL_APPLIES(allreduce_lanes_applies, c->layout.nodes > 1 && coll_lanes(c) > 1 && applies(call, bytes))
COLL_RUNS(allreduce_lanes, by_lanes(c, call, coll_team_doubling))
COLL_APPLIES(allreduce_lanes_halving_applies, c->layout.nodes > 3 && allreduce_lanes_applies(c, call, bytes))
COLL_RUNS(allreduce_lanes_halving, by_lanes(c, call, coll_team_halving))
COLL_RUNS(allreduce_lanes_ring, by_lanes(c, call, coll_team_ring))
COLL_APPLIES(allreduce_lanes_direct_applies, c->layout.nodes > 2 && allreduce_lanes_applies(c, call, bytes))
COLL_RUNS(allreduce_lanes_direct, by_lanes(c, call, coll_team_direct))
