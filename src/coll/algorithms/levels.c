/* Allreduce through all levels of the machine: sockets, nodes and switches. At each level the heads of groups cooperate, so each
 * group sends and receives the vector about once over the links above it. A head is the lowest rank of its group. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"
#include "coll/algorithms/team.h"

#include <stdlib.h>

/* Step s is among the heads of level s in a group of the next outer level; the last step is inside an innermost group. */
static bool takes_part(const struct coll_comm *c, int step)
{
	return step == c->tree.levels || c->lowest[step] == c->rank;
}

/* Finds this process's partners in a step. MPI_SUCCESS without ranks: out of memory. */
static int find_heads(const struct coll_comm *c, int step, struct coll_heads *heads)
{
	MPI_Comm comm;

	COLL_TRY(PMPI_Comm_split(c->comm,
	                         takes_part(c, step) ? (step ? c->lowest[step - 1] : 0) : MPI_UNDEFINED,
	                         c->rank, &comm));
	if (comm == MPI_COMM_NULL)
		return MPI_SUCCESS;
	PMPI_Comm_size(comm, &heads->count);
	PMPI_Comm_rank(comm, &heads->me);
	int *ranks = malloc((size_t)heads->count * sizeof *ranks), failed = !ranks, any = 1;
	int code = PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
	if (code == MPI_SUCCESS && !any)
		code = PMPI_Allgather(&c->rank, 1, MPI_INT, ranks, 1, MPI_INT, comm);
	heads->ranks = ranks;
	PMPI_Comm_free(&comm);
	return code;
}

/* Builds the groups of all steps at the first use. */
static int know_heads(struct coll_comm *c)
{
	bool enough = true;

	if (c->has_heads)
		return MPI_SUCCESS;
	for (int step = 0; step <= c->tree.levels; step++) {
		free(c->heads[step].ranks);
		c->heads[step] = (struct coll_heads){0};
		COLL_TRY(find_heads(c, step, &c->heads[step]));
		enough &= !takes_part(c, step) || c->heads[step].ranks;
	}
	COLL_TRY(coll_agree(c, enough));
	c->has_heads = true;
	return MPI_SUCCESS;
}

void coll_heads_release(struct coll_comm *c)
{
	for (int step = 0; step <= TREE_LEVELS_MAX; step++)
		free(c->heads[step].ranks);
}

static struct coll_team team_of(const struct coll_comm *c, int step)
{
	const struct coll_heads *heads = &c->heads[step];

	return (struct coll_team){.ranks = heads->ranks, .size = heads->count, .me = heads->me};
}

COLL_APPLIES(allreduce_levels_applies,
             c->tree.levels > 1 && bytes < COLL_SCRATCH_MAX / 2 && coll_op_commutes(call->op))

int allreduce_levels(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_vector v = {.type = call->receive_type, .op = call->op, .mine = call->receive};
	struct coll_range all = {0, call->receive_count};
	struct coll_team outermost;
	int step = c->tree.levels;

	if (all.count == 0)
		return MPI_SUCCESS;
	COLL_TRY(know_heads(c));
	COLL_TRY(coll_vectors(c, &v, all.count + c->size, 1, &v.other));
	if (call->send != MPI_IN_PLACE)
		COLL_TRY(coll_copy_range(c, &v, call->send, v.mine, all));
	for (; step > 0 && takes_part(c, step); step--) {
		struct coll_team team = team_of(c, step);
		COLL_TRY(step <= c->tree.node_level ? coll_team_direct_to(c, &team, &v, all, 0)
		                                    : coll_team_reduce(c, &team, &v, all, 0));
	}
	if (step == 0 && takes_part(c, 0)) {
		outermost = team_of(c, 0);
		COLL_TRY(coll_team_direct(c, &outermost, &v, all));
	}
	for (step = 1; step <= c->tree.levels; step++) {
		struct coll_team team = team_of(c, step);
		if (takes_part(c, step))
			COLL_TRY(coll_team_bcast(c, &team, &v, all, 0));
	}
	return MPI_SUCCESS;
}
