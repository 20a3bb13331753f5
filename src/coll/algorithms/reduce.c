/* Reduce: first inside nodes, then between nodes, to the root's node. */
#include "coll/algorithms/table.h"
#include "coll/algorithms/team.h"
#include "coll/algorithms/window.h"

static bool applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 1 && bytes < COLL_SCRATCH_MAX / 4 && coll_op_commutes(call->op);
}

/* Makes room for two vectors, and for `extra` ones that begin at `starts`. */
static int prepare(struct coll_comm *c, const struct coll_call *call, struct coll_vector *v, int extra,
                   char **starts)
{
	bool is_root = c->rank == call->root;

	*v = (struct coll_vector){.type = call->receive_type, .op = call->op};
	COLL_TRY(coll_vectors(c, v, call->receive_count + c->layout.nodes, 2 + extra, starts));
	v->other = starts[extra];
	v->mine = is_root ? call->receive : starts[extra + 1];
	if (is_root && call->send == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_copy_range(c, v, call->send, v->mine, (struct coll_range){0, call->receive_count});
}

COLL_APPLIES(reduce_leaders_applies, applies(c, call, bytes))

/* The leaders are the root's lane, if every node has a process in it. */
static int by_leaders(struct coll_comm *c, const struct coll_call *call, coll_team_rooted *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root),
	    root_index = layout_index(&c->layout, call->root);
	int leader = root_index < coll_lanes(c) ? root_index : 0;
	struct coll_vector v;
	char *starts[2];

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v, 0, starts));
	COLL_TRY(coll_team_reduce(c, &node, &v, all, leader));
	if (c->my_index == leader)
		COLL_TRY(between(c, &lane, &v, all, root_node));
	if (leader == root_index || c->my_node != root_node)
		return MPI_SUCCESS;
	if (c->my_index == leader)
		return coll_send_range(c, &v, all, call->root);
	return c->rank == call->root ? coll_receive_range(c, &v, all, coll_team_rank(&node, leader))
	                             : MPI_SUCCESS;
}

COLL_RUNS(reduce_leaders, by_leaders(c, call, coll_team_reduce))
COLL_RUNS(reduce_leaders_direct, by_leaders(c, call, coll_team_direct_to))

/* One step between nodes: each other node sends its sum to one process of the root's node, so that these share the work. All messages
 * are concurrent. */
enum { SLOTS_MAX = 64, DIRECT_MAX_BYTES = 32768 };

static int root_node_size(const struct coll_comm *c, const struct coll_call *call)
{
	return layout_node_size(&c->layout, layout_node(&c->layout, call->root));
}

static int slots_of(const struct coll_comm *c, const struct coll_call *call)
{
	int handlers = root_node_size(c, call);

	return (c->layout.nodes + handlers - 1) / handlers;
}

static int combine_nodes(const struct coll_comm *c, const struct coll_call *call, const struct coll_vector *v,
                         char **slots)
{
	int handlers = root_node_size(c, call), count = 0;
	struct coll_window w;

	coll_window_init(&w, c);
	for (int from = c->my_index; from < c->layout.nodes; from += handlers)
		if (from != c->my_node)
			COLL_TRY(coll_window_receive(&w, slots[count++], call->receive_count, v->type,
			                             coll_leader(c, from)));
	COLL_TRY(coll_window_wait(&w));
	for (int i = 0; i < count; i++)
		COLL_TRY(PMPI_Reduce_local(slots[i], v->mine, call->receive_count, v->type, v->op));
	return MPI_SUCCESS;
}

COLL_APPLIES(reduce_direct_applies, c->layout.nodes > 2 && bytes <= DIRECT_MAX_BYTES &&
                                            slots_of(c, call) <= SLOTS_MAX && applies(c, call, bytes))

int reduce_direct(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_team node = coll_team_of_node(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root);
	struct coll_vector v;
	char *starts[SLOTS_MAX + 2];

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v, slots_of(c, call), starts));
	if (c->my_node == root_node) {
		COLL_TRY(combine_nodes(c, call, &v, starts));
		return coll_team_reduce(c, &node, &v, all, layout_index(&c->layout, call->root));
	}
	COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
	if (c->my_index > 0)
		return MPI_SUCCESS;
	return coll_send_range(c, &v, all,
	                       layout_rank(&c->layout, root_node, c->my_node % root_node_size(c, call)));
}

static int by_lanes(struct coll_comm *c, const struct coll_call *call, coll_team_rooted *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root), lanes = coll_lanes(c);
	struct coll_vector v;
	char *starts[2];

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v, 0, starts));
	COLL_TRY(coll_team_share_out(c, &node, &v, all, lanes));
	if (c->my_index < lanes)
		COLL_TRY(between(c, &lane, &v, coll_part(all, c->my_index, lanes), root_node));
	if (c->my_node != root_node)
		return MPI_SUCCESS;
	return coll_team_gather(c, &node, &v, all, lanes, layout_index(&c->layout, call->root));
}

COLL_RUNS(reduce_lanes_halving, by_lanes(c, call, coll_team_halving_to))
COLL_APPLIES(reduce_nodes_applies, c->layout.nodes > 2 && applies(c, call, bytes))
COLL_RUNS(reduce_lanes_direct, by_lanes(c, call, coll_team_direct_to))
