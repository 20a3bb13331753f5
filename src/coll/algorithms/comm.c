#include "coll/algorithms/collective.h"
#include "coll/algorithms/frame.h"
#include "coll/algorithms/shared.h"

#include <stdlib.h>
#include <string.h>

/* True if all members succeeded; the result is the same on all members. */
static int agree(MPI_Comm comm, bool mine)
{
	int failed = !mine;
	int any = 0;

	COLL_TRY(PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm));
	return any ? COLL_DECLINED : MPI_SUCCESS;
}

int coll_agree(const struct coll_comm *c, bool mine)
{
	return agree(c->comm, mine);
}

/* Makes the table of nodes from the lowest rank of each process's node. */
static int gather_table(struct coll_comm *c, int lowest)
{
	int *keys = malloc((size_t)c->size * sizeof *keys);
	int code = agree(c->comm, keys != NULL);

	if (code == MPI_SUCCESS)
		code = PMPI_Allgather(&lowest, 1, MPI_INT, keys, 1, MPI_INT, c->comm);
	if (code == MPI_SUCCESS)
		code = agree(c->comm, layout_make(&c->layout, c->size, keys));
	free(keys);
	return code;
}

/* The group of this process at a level. */
struct level_group {
	int size, index, lowest;
};

static int find_group(const struct coll_comm *c, MPI_Comm group, struct level_group *found)
{
	COLL_TRY(PMPI_Comm_size(group, &found->size));
	COLL_TRY(PMPI_Comm_rank(group, &found->index));
	found->lowest = c->rank;
	return PMPI_Bcast(&found->lowest, 1, MPI_INT, 0, group);
}

/* If all groups have equal sizes and block or cyclic order, no table is needed. Otherwise the layout still lacks its table. */
static int find_shape(const struct coll_comm *c, const struct level_group *group, struct layout *layout)
{
	int per_node = group->size, lowest = group->lowest, index = group->index;
	int nodes = c->size / per_node;
	bool block = lowest == c->rank - index && index == c->rank % per_node;
	bool cyclic = lowest == c->rank % nodes && index == c->rank / nodes;
	int mine[] = {per_node, -per_node, !block, !cyclic};
	int all[] = {0, 0, 0, 0};
	COLL_TRY(PMPI_Allreduce(mine, all, 4, MPI_INT, MPI_MAX, c->comm));
	if (all[0] != -all[1] || (all[2] && all[3]))
		*layout = (struct layout){.size = c->size, .kind = LAYOUT_TABLE};
	else if (all[2])
		layout_make_cyclic(layout, c->size, per_node);
	else
		layout_make_block(layout, c->size, per_node);
	return MPI_SUCCESS;
}

/* The cost of a unit between sockets, between nodes, and for each further tier of switches: the distances of docs/machine.md. */
static const double SOCKET_COST = 4, NODE_COST = 16, TIER_COST = 8;

/* Adds a level if it divides processes further than the outer levels do, and less than the inner ones. */
static int add_level(struct coll_comm *c, const struct level_group *group, int limit, double cost)
{
	struct rank_tree *tree = &c->tree;
	int outer = tree->levels ? tree->layouts[tree->levels - 1].nodes : 1;
	int first = group->index == 0, groups = 0;

	COLL_TRY(PMPI_Allreduce(&first, &groups, 1, MPI_INT, MPI_SUM, c->comm));
	if (groups <= outer || groups >= limit || tree->levels == TREE_LEVELS_MAX)
		return MPI_SUCCESS;
	COLL_TRY(find_shape(c, group, &tree->layouts[tree->levels]));
	tree->layouts[tree->levels].nodes = groups;
	tree->costs[tree->levels] = cost;
	c->lowest[tree->levels++] = group->lowest;
	return MPI_SUCCESS;
}

/* The processes of `among` with the same number. The first of them gives the switches above, so that groups nest. */
static int split_level(const struct coll_comm *c, MPI_Comm among, int number, int *above, int count,
                       struct level_group *group)
{
	MPI_Comm comm;

	COLL_TRY(PMPI_Comm_split(among, number, c->rank, &comm));
	PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	int code = find_group(c, comm, group);
	if (code == MPI_SUCCESS && count)
		code = PMPI_Bcast(above, count, MPI_INT, 0, comm);
	PMPI_Comm_free(&comm);
	return code;
}

/* Adds switches above the nodes and sockets below them, if all members know them. */
static int find_levels(struct coll_comm *c, const struct coll_location *here)
{
	struct level_group tiers[COLL_TIERS_MAX], socket;
	int node_lowest = c->lowest[0], switches[COLL_TIERS_MAX];
	int mine[] = {here->tiers, -here->tiers, here->socket < 0}, all[3] = {0, 0, 0};

	COLL_TRY(PMPI_Allreduce(mine, all, 3, MPI_INT, MPI_MAX, c->comm));
	int count = all[0] == -all[1] ? all[0] : 0;
	if (count == 0 && all[2])
		return MPI_SUCCESS;
	memcpy(switches, here->switches, sizeof switches);
	COLL_TRY(PMPI_Bcast(switches, COLL_TIERS_MAX, MPI_INT, 0, c->node));
	for (int tier = count - 1; tier >= 0; tier--)
		COLL_TRY(split_level(c, c->comm, switches[tier], switches, tier, &tiers[tier]));
	if (!all[2])
		COLL_TRY(split_level(c, c->node, here->socket, NULL, 0, &socket));
	c->tree = (struct rank_tree){0};
	for (int tier = 0; tier < count; tier++)
		COLL_TRY(add_level(c, &tiers[tier], c->layout.nodes, NODE_COST + TIER_COST * (count - tier)));
	c->tree.node_level = c->tree.levels;
	c->tree.layouts[c->tree.levels] = c->layout;
	c->tree.costs[c->tree.levels] = NODE_COST;
	c->lowest[c->tree.levels++] = node_lowest;
	return all[2] ? MPI_SUCCESS : add_level(c, &socket, c->size, SOCKET_COST);
}

static int describe(struct coll_comm *c, MPI_Comm of, const struct coll_location *here)
{
	struct level_group node;

	/* Not MPI_Comm_dup: it would call the program's attribute copy functions. */
	MPI_Group group;

	COLL_TRY(PMPI_Comm_group(of, &group));
	int code = PMPI_Comm_create(of, group, &c->comm);
	PMPI_Group_free(&group);
	COLL_TRY(code);
	COLL_TRY(PMPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN));
	COLL_TRY(PMPI_Comm_rank(c->comm, &c->rank));
	COLL_TRY(PMPI_Comm_size(c->comm, &c->size));
	if (here->node >= 0)
		COLL_TRY(PMPI_Comm_split(c->comm, here->node, c->rank, &c->node));
	else
		COLL_TRY(PMPI_Comm_split_type(c->comm, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL,
		                              &c->node));
	COLL_TRY(PMPI_Comm_set_errhandler(c->node, MPI_ERRORS_RETURN));
	COLL_TRY(find_group(c, c->node, &node));
	COLL_TRY(find_shape(c, &node, &c->layout));
	if (!layout_is_regular(&c->layout))
		COLL_TRY(gather_table(c, node.lowest));
	c->my_node = layout_node(&c->layout, c->rank);
	c->my_index = layout_index(&c->layout, c->rank);
	c->tree = rank_tree_of_nodes(&c->layout);
	c->lowest[0] = node.lowest;
	return find_levels(c, here);
}

int coll_comm_make_at(struct coll_comm *c, MPI_Comm of, const struct coll_location *here)
{
	*c = (struct coll_comm){.comm = MPI_COMM_NULL, .node = MPI_COMM_NULL, .window = MPI_WIN_NULL};
	int code = describe(c, of, here);
	if (code != MPI_SUCCESS)
		coll_comm_release(c);
	return code;
}

int coll_comm_make(struct coll_comm *c, MPI_Comm of)
{
	struct coll_location here = COLL_LOCATION_UNKNOWN;

	return coll_comm_make_at(c, of, &here);
}

int coll_comm_make_as(struct coll_comm *c, MPI_Comm of, int node_key)
{
	struct coll_location here = COLL_LOCATION_UNKNOWN;

	here.node = node_key;
	return coll_comm_make_at(c, of, &here);
}

void coll_comm_release(struct coll_comm *c)
{
	for (int i = 0; i < 2; i++)
		if (c->ordered[i])
			coll_order_release(&c->orders[i]);
	coll_heads_release(c);
	shared_release(c);
	layout_release(&c->layout);
	free(c->scratch);
	c->scratch = NULL;
	c->scratch_bytes = 0;
	free(c->requests);
	c->requests = NULL;
	c->request_count = 0;
	if (c->node != MPI_COMM_NULL)
		PMPI_Comm_free(&c->node);
	if (c->comm != MPI_COMM_NULL)
		PMPI_Comm_free(&c->comm);
}
