#include "coll/choice/model.h"

#include <math.h>
#include <string.h>

/* What happens one after another. Bytes between nodes are those of a whole node, whose processes share its link. */
struct coll_cost {
	double node_steps, node_bytes;
	double network_steps, network_bytes;
};

struct cost_case {
	double p, n, s; /* processes, nodes, processes on a node */
	double bytes;
};

static double doublings(double count)
{
	return count > 1 ? ceil(log2(count)) : 0;
}

/* Each block goes once around, over all processes in the order of nodes. */
static struct coll_cost allgather_ring(const struct cost_case *c)
{
	const double all = (c->p - 1) * c->bytes;

	return (struct coll_cost){c->n > 1 ? 0 : c->p - 1, all, c->n > 1 ? c->p - 1 : 0, c->n > 1 ? all : 0};
}

static struct coll_cost allgather_leaders(const struct cost_case *c)
{
	return (struct coll_cost){(c->s - 1) + doublings(c->s),
	                          (c->s - 1) * c->bytes + doublings(c->s) * c->p * c->bytes, doublings(c->n),
	                          (c->n - 1) * c->s * c->bytes};
}

/* Few rounds between nodes, each followed by an exchange inside. */
static struct coll_cost allgather_locality(const struct cost_case *c)
{
	const double rounds = c->n > 1 ? ceil(log2(c->n) / log2(c->s + 1)) : 0;

	return (struct coll_cost){(rounds + 1) * doublings(c->s), 2 * c->p * c->bytes, rounds,
	                          (c->n - 1) * c->s * c->bytes};
}

static struct coll_cost allgather_direct(const struct cost_case *c)
{
	return (struct coll_cost){c->s - 1, c->p * c->bytes, c->n > 1 ? 1 : 0, (c->n - 1) * c->s * c->bytes};
}

static struct coll_cost allgather_lanes(const struct cost_case *c)
{
	return (struct coll_cost){c->s - 1, c->p * c->bytes, c->n - 1, (c->n - 1) * c->s * c->bytes};
}

/* Mapped so that the first, small steps cross. */
static struct coll_cost allgather_mapped(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s) + 1, 2 * c->p * c->bytes, doublings(c->n) + 1,
	                          c->n * c->s * c->bytes};
}

/* Whole vectors up and down inside a node, and between one process of each. */
static struct coll_cost vector_leaders(const struct cost_case *c)
{
	return (struct coll_cost){2 * doublings(c->s), 2 * doublings(c->s) * c->bytes, doublings(c->n),
	                          doublings(c->n) * c->bytes};
}

static struct coll_cost vector_halving(const struct cost_case *c)
{
	return (struct coll_cost){2 * doublings(c->s), 2 * doublings(c->s) * c->bytes, 2 * doublings(c->n),
	                          2 * c->bytes};
}

static struct coll_cost vector_lanes(const struct cost_case *c)
{
	return (struct coll_cost){2 * (c->s - 1), 2 * c->bytes, doublings(c->n), doublings(c->n) * c->bytes};
}

static struct coll_cost vector_lanes_halving(const struct cost_case *c)
{
	return (struct coll_cost){2 * (c->s - 1), 2 * c->bytes, 2 * doublings(c->n), 2 * c->bytes};
}

static struct coll_cost vector_ring(const struct cost_case *c)
{
	return (struct coll_cost){2 * (c->s - 1), 2 * c->bytes, 2 * (c->n - 1), 2 * c->bytes};
}

static struct coll_cost alltoall_nodes(const struct cost_case *c)
{
	const double out = (c->n - 1) * c->s * c->s * c->bytes;

	return (struct coll_cost){2 * (c->s - 1), 2 * c->p * c->bytes, ceil((c->n - 1) / c->s), out};
}

static struct coll_cost alltoall_pairwise(const struct cost_case *c)
{
	return (struct coll_cost){c->s - 1, c->s * c->bytes, c->p - c->s,
	                          (c->n - 1) * c->s * c->s * c->bytes};
}

/* Blocks of all processes from or to one. */
static struct coll_cost blocks_leaders(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), c->s * c->bytes, doublings(c->n),
	                          (c->n - 1) * c->s * c->bytes};
}

/* Of an algorithm that is not known: as if everybody took part in all steps of a tree. */
static struct coll_cost binomial(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), doublings(c->s) * c->bytes, doublings(c->n),
	                          doublings(c->n) * c->s * c->bytes};
}

/* By the beginnings of names; the first that fits counts. */
static const struct cost_row {
	const char *operation, *algorithm;
	struct coll_cost (*cost)(const struct cost_case *c);
} rows[] = {
	{"allgather", "ring", allgather_ring},
	{"allgather", "leaders", allgather_leaders},
	{"allgather", "locality", allgather_locality},
	{"allgather", "direct", allgather_direct},
	{"allgather", "lanes", allgather_lanes},
	{"allgather", "", allgather_mapped},
	{"alltoall", "nodes", alltoall_nodes},
	{"alltoall", "pairwise", alltoall_pairwise},
	{"gather", "", blocks_leaders},
	{"scatter", "", blocks_leaders},
	{"", "leaders_halving", vector_halving},
	{"", "leaders", vector_leaders},
	{"", "lanes_halving", vector_lanes_halving},
	{"", "lanes_", vector_ring},
	{"", "lanes", vector_lanes},
	{"", "", binomial},
};

static bool begins(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

double coll_model_seconds(const struct coll_levels *levels, const struct coll_shape *shape,
                          const char *operation, const char *algorithm, size_t bytes)
{
	const struct cost_case c = {shape->processes, shape->nodes, shape->per_node, (double)bytes};
	const struct cost_row *row = rows;
	struct coll_cost cost;

	while (!begins(operation, row->operation) || !begins(algorithm, row->algorithm))
		row++;
	cost = row->cost(&c);
	return cost.node_steps * levels->node.latency_s + cost.node_bytes / levels->node.bandwidth +
	       cost.network_steps * levels->network.latency_s +
	       cost.network_bytes / levels->network.bandwidth;
}
