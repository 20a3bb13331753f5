/* Reduce: first inside the nodes, then between them towards the root's node. */
#include "coll/algorithms/table.h"
#include "coll/algorithms/team.h"

typedef int towards_root(const struct coll_comm *, const struct coll_team *, const struct coll_vector *,
                         struct coll_range, int root);

static bool applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 1 && bytes < COLL_SCRATCH_MAX / 4 && coll_op_commutes(call->op);
}

static int prepare(struct coll_comm *c, const struct coll_call *call, struct coll_vector *v)
{
	bool is_root = c->rank == call->root;
	char *starts[2];

	*v = (struct coll_vector){.type = call->receive_type, .op = call->op};
	COLL_TRY(coll_vectors(c, v, call->receive_count + c->layout.nodes, 2, starts));
	v->other = starts[0];
	v->mine = is_root ? call->receive : starts[1];
	if (is_root && call->send == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_copy_range(c, v, call->send, v->mine, (struct coll_range){0, call->receive_count});
}

bool reduce_leaders_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return applies(c, call, bytes);
}

/* The leaders are the root's lane, if every node has a process in it. */
static int by_leaders(struct coll_comm *c, const struct coll_call *call, towards_root *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root),
	    root_index = layout_index(&c->layout, call->root);
	int leader = root_index < coll_lanes(c) ? root_index : 0;
	struct coll_vector v;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v));
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

int reduce_leaders(struct coll_comm *c, const struct coll_call *call)
{
	return by_leaders(c, call, coll_team_reduce);
}

bool reduce_leaders_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 2 && applies(c, call, bytes);
}

int reduce_leaders_direct(struct coll_comm *c, const struct coll_call *call)
{
	return by_leaders(c, call, coll_team_direct_to);
}

/* One step between nodes: the processes of the root's node share out the other nodes, each of which sends its sum to one of them. */
static int directly(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_team node = coll_team_of_node(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root);
	int handlers = layout_node_size(&c->layout, root_node);
	struct coll_vector v;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v));
	if (c->my_node != root_node) {
		COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
		if (c->my_index > 0)
			return MPI_SUCCESS;
		return coll_send_range(c, &v, all, layout_rank(&c->layout, root_node, c->my_node % handlers));
	}
	for (int from = c->my_index; from < c->layout.nodes; from += handlers)
		if (from != root_node)
			COLL_TRY(coll_combine_from(c, &v, all, coll_leader(c, from)));
	return coll_team_reduce(c, &node, &v, all, layout_index(&c->layout, call->root));
}

bool reduce_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 2 && applies(c, call, bytes);
}

int reduce_direct(struct coll_comm *c, const struct coll_call *call)
{
	return directly(c, call);
}

static int by_lanes(struct coll_comm *c, const struct coll_call *call, towards_root *between)
{
	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
	struct coll_range all = {0, call->receive_count};
	int root_node = layout_node(&c->layout, call->root), lanes = coll_lanes(c);
	struct coll_vector v;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(prepare(c, call, &v));
	COLL_TRY(coll_team_share_out(c, &node, &v, all, lanes));
	if (c->my_index < lanes)
		COLL_TRY(between(c, &lane, &v, coll_part(all, c->my_index, lanes), root_node));
	if (c->my_node != root_node)
		return MPI_SUCCESS;
	return coll_team_gather(c, &node, &v, all, lanes, layout_index(&c->layout, call->root));
}

bool reduce_lanes_halving_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 2 && applies(c, call, bytes);
}

int reduce_lanes_halving(struct coll_comm *c, const struct coll_call *call)
{
	return by_lanes(c, call, coll_team_halving_to);
}

bool reduce_lanes_direct_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	return c->layout.nodes > 2 && applies(c, call, bytes);
}

int reduce_lanes_direct(struct coll_comm *c, const struct coll_call *call)
{
	return by_lanes(c, call, coll_team_direct_to);
}
