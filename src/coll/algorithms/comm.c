#include "coll/algorithms/collective.h"
#include "coll/algorithms/frame.h"
#include "coll/algorithms/shared.h"

#include <stdlib.h>

/* Whether all members can go on; every member gets the same answer. */
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

/* A communicator of the same processes. MPI_Comm_dup would call the program's functions that copy attributes. */
static int make_private(MPI_Comm of, MPI_Comm *made)
{
	MPI_Group group;

	COLL_TRY(PMPI_Comm_group(of, &group));
	int code = PMPI_Comm_create(of, group, made);
	PMPI_Group_free(&group);
	COLL_TRY(code);
	return PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
}

/* A table of nodes, from the lowest rank of each process's node. */
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

/* If all nodes have as many processes, in block or cyclic order, nobody needs a table. */
static int find_layout(struct coll_comm *c)
{
	int per_node, index;

	COLL_TRY(PMPI_Comm_size(c->node, &per_node));
	COLL_TRY(PMPI_Comm_rank(c->node, &index));
	int lowest = c->rank;
	COLL_TRY(PMPI_Bcast(&lowest, 1, MPI_INT, 0, c->node));

	int nodes = c->size / per_node;
	bool block = lowest == c->rank - index && index == c->rank % per_node;
	bool cyclic = lowest == c->rank % nodes && index == c->rank / nodes;
	int mine[] = {per_node, -per_node, !block, !cyclic};
	int all[] = {0, 0, 0, 0};
	COLL_TRY(PMPI_Allreduce(mine, all, 4, MPI_INT, MPI_MAX, c->comm));
	if (all[0] != -all[1] || (all[2] && all[3]))
		return gather_table(c, lowest);
	if (all[2])
		layout_make_cyclic(&c->layout, c->size, per_node);
	else
		layout_make_block(&c->layout, c->size, per_node);
	return MPI_SUCCESS;
}

/* `node_key` NULL: the processes that can share memory are a node. */
static int describe(struct coll_comm *c, MPI_Comm of, const int *node_key)
{
	COLL_TRY(make_private(of, &c->comm));
	COLL_TRY(PMPI_Comm_rank(c->comm, &c->rank));
	COLL_TRY(PMPI_Comm_size(c->comm, &c->size));
	if (node_key)
		COLL_TRY(PMPI_Comm_split(c->comm, *node_key, c->rank, &c->node));
	else
		COLL_TRY(PMPI_Comm_split_type(c->comm, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL,
		                              &c->node));
	COLL_TRY(PMPI_Comm_set_errhandler(c->node, MPI_ERRORS_RETURN));
	COLL_TRY(find_layout(c));
	c->my_node = layout_node(&c->layout, c->rank);
	c->my_index = layout_index(&c->layout, c->rank);
	return MPI_SUCCESS;
}

static int make(struct coll_comm *c, MPI_Comm of, const int *node_key)
{
	*c = (struct coll_comm){.comm = MPI_COMM_NULL, .node = MPI_COMM_NULL, .window = MPI_WIN_NULL};
	int code = describe(c, of, node_key);
	if (code != MPI_SUCCESS)
		coll_comm_release(c);
	return code;
}

int coll_comm_make(struct coll_comm *c, MPI_Comm of)
{
	return make(c, of, NULL);
}

int coll_comm_make_as(struct coll_comm *c, MPI_Comm of, int node_key)
{
	return make(c, of, &node_key);
}

int coll_mapping(struct coll_comm *c, enum mapping_graph graph, const struct mapping **mapping)
{
	*mapping = &c->mappings[graph];
	if (c->mapped[graph])
		return MPI_SUCCESS;
	c->mapped[graph] = mapping_make(&c->mappings[graph], &c->layout, graph);
	int code = agree(c->comm, c->mapped[graph]);
	if (code != MPI_SUCCESS && c->mapped[graph]) {
		mapping_release(&c->mappings[graph]);
		c->mapped[graph] = false;
	}
	return code;
}

void coll_comm_release(struct coll_comm *c)
{
	for (int i = 0; i < 2; i++)
		if (c->mapped[i])
			mapping_release(&c->mappings[i]);
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
