#include "coll/choice/model.h"

#include <stdbool.h>
#include <string.h>

/* Sequential steps. Bytes between nodes are those of a whole node, whose processes share its link. */
struct coll_cost {
	double node_steps, node_bytes;
	double network_steps, network_bytes;
};

struct cost_case {
	double p, n, s; /* processes, nodes, processes per node */
	double bytes;
	bool both_ways; /* every process gets all data */
};

/* Rounds to reach `count` if each multiplies the current number. Without logarithms, which may differ between CPUs. */
static double rounds_of(double count, double factor)
{
	double rounds = 0, held = 1;

	while (held < count) {
		held *= factor;
		rounds++;
	}
	return rounds;
}

static double doublings(double count)
{
	return rounds_of(count, 2);
}

/* Allgather: each node receives the blocks of all others. */
static double blocks_in(const struct cost_case *c)
{
	return (c->p - c->p / c->n) * c->bytes;
}

/* Each block goes once around all processes in the order of nodes. */
static struct coll_cost allgather_ring(const struct cost_case *c)
{
	const double all = (c->p - 1) * c->bytes;

	return (struct coll_cost){c->n > 1 ? 0 : c->p - 1, all, c->n > 1 ? c->p - 1 : 0, c->n > 1 ? all : 0};
}

static struct coll_cost allgather_leaders(const struct cost_case *c)
{
	return (struct coll_cost){2 * doublings(c->s),
	                          (c->s - 1) * c->bytes + doublings(c->s) * c->p * c->bytes, doublings(c->n),
	                          blocks_in(c)};
}

/* Rounds between nodes, each followed by an exchange inside. */
static struct coll_cost in_rounds(const struct cost_case *c, double rounds)
{
	return (struct coll_cost){(rounds + 1) * doublings(c->s), 2 * c->p * c->bytes, rounds, blocks_in(c)};
}

static struct coll_cost allgather_locality(const struct cost_case *c)
{
	return in_rounds(c, rounds_of(c->n, c->s + 1));
}

static struct coll_cost allgather_binary(const struct cost_case *c)
{
	return in_rounds(c, doublings(c->n));
}

static struct coll_cost allgather_direct(const struct cost_case *c)
{
	struct coll_cost cost = in_rounds(c, c->n > 1 ? 1 : 0);

	cost.network_bytes = (c->n - 1) * c->s * c->bytes;
	return cost;
}

/* With shared memory an exchange is one step. */
static struct coll_cost allgather_shared(const struct cost_case *c)
{
	struct coll_cost cost = c->n > 32 ? allgather_locality(c) : allgather_direct(c);

	cost.node_steps = cost.network_steps + 1;
	return cost;
}

/* Steps inside a node overlap with those between nodes. */
static struct coll_cost allgather_lanes(const struct cost_case *c)
{
	return (struct coll_cost){c->s - 1, c->s * c->bytes, c->n - 1, blocks_in(c)};
}

/* Mapped: only the first, small steps cross nodes. */
static struct coll_cost allgather_reorder(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), 2 * c->p * c->bytes, doublings(c->n), blocks_in(c)};
}

static struct coll_cost allgather_exchange(const struct cost_case *c)
{
	struct coll_cost cost = allgather_reorder(c);

	cost.network_steps += c->n > 1;
	cost.network_bytes += c->s * c->bytes;
	return cost;
}

/* Rank order, block layout: all but the smallest steps cross nodes, for each process of a node. */
static struct coll_cost allgather_plain(const struct cost_case *c)
{
	if (c->n <= 1)
		return allgather_reorder(c);
	return (struct coll_cost){0, 2 * c->p * c->bytes, doublings(c->p), c->s * blocks_in(c)};
}

/* Whole vectors: up and down inside a node, and between one process of each node. Twice if every process
 * gets the result, else once. */
static struct coll_cost by_leaders(const struct cost_case *c, double network_steps, double vectors)
{
	const double trees = c->both_ways ? 2 : 1;

	return (struct coll_cost){trees * doublings(c->s), trees * doublings(c->s) * c->bytes, network_steps,
	                          vectors * c->bytes};
}

/* Each process of a node has a part of the vector. */
static struct coll_cost by_lanes(const struct cost_case *c, double network_steps, double vectors)
{
	const double ways = c->both_ways ? 2 : 1;

	return (struct coll_cost){ways * (c->s - 1), ways * c->bytes, network_steps, vectors * c->bytes};
}

static struct coll_cost leaders_doubling(const struct cost_case *c)
{
	return by_leaders(c, doublings(c->n), doublings(c->n));
}

static struct coll_cost leaders_direct(const struct cost_case *c)
{
	return by_leaders(c, 2, 2);
}

/* In parts between the nodes of a switch, and between switches. */
static struct coll_cost leaders_levels(const struct cost_case *c)
{
	return by_leaders(c, 4, 2);
}

/* One message between any two nodes. */
static struct coll_cost vector_direct(const struct cost_case *c)
{
	return by_leaders(c, 1, c->n - 1);
}

static struct coll_cost lanes_doubling(const struct cost_case *c)
{
	return by_lanes(c, doublings(c->n), doublings(c->n));
}

static struct coll_cost lanes_halving(const struct cost_case *c)
{
	return by_lanes(c, 2 * doublings(c->n), 2);
}

static struct coll_cost lanes_ring(const struct cost_case *c)
{
	return by_lanes(c, 2 * (c->n - 1), 2);
}

static struct coll_cost lanes_direct(const struct cost_case *c)
{
	return by_lanes(c, 2, 2);
}

/* A reduce_scatter lacks the second half. */
static struct coll_cost scatter_leaders(const struct cost_case *c)
{
	struct coll_cost cost = by_leaders(c, 1, 1);

	cost.node_steps += c->s - 1;
	return cost;
}

static struct coll_cost scatter_lanes(const struct cost_case *c)
{
	return by_lanes(c, 1, 1);
}

static struct coll_cost scatter_lanes_halving(const struct cost_case *c)
{
	return by_lanes(c, doublings(c->n), 1);
}

/* At most 64 segments: from node to node, and from process to process. */
static double segment_bytes(const struct cost_case *c)
{
	return c->bytes < 8192 ? c->bytes : c->bytes < 64 * 8192 ? 8192 : c->bytes / 64;
}

static struct coll_cost bcast_pipeline(const struct cost_case *c)
{
	const double segment = segment_bytes(c);

	return (struct coll_cost){c->s - 1, (c->s - 1) * segment, c->n - 1, c->bytes + (c->n - 1) * segment};
}

/* The last relay sends its segments to all others in turn. */
static struct coll_cost bcast_relays(const struct cost_case *c)
{
	const double segment = segment_bytes(c);

	return (struct coll_cost){c->s - 1, (c->s - 1) * segment, 2, c->bytes + (c->n - 2) * segment};
}

static struct coll_cost bcast_shared(const struct cost_case *c)
{
	return (struct coll_cost){1, 2 * c->bytes, doublings(c->n), doublings(c->n) * c->bytes};
}

static struct coll_cost barrier_shared(const struct cost_case *c)
{
	return (struct coll_cost){c->n > 1 ? 2 : 1, 0, doublings(c->n), 0};
}

static struct coll_cost alltoall_nodes(const struct cost_case *c)
{
	const double out = (c->n - 1) * c->s * c->s * c->bytes;

	return (struct coll_cost){2 * (c->s - 1), 2 * c->p * c->bytes, 1, out};
}

static struct coll_cost alltoall_pairwise(const struct cost_case *c)
{
	return (struct coll_cost){c->s - 1, c->s * c->bytes, c->p - c->s,
	                          (c->n - 1) * c->s * c->s * c->bytes};
}

/* Blocks of all processes from or to one process. */
static struct coll_cost blocks_leaders(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), c->s * c->bytes, doublings(c->n), blocks_in(c)};
}

static struct coll_cost blocks_direct(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), c->s * c->bytes, 1, blocks_in(c)};
}

/* Unknown algorithm: every process takes part in all steps of a tree. */
static struct coll_cost binomial(const struct cost_case *c)
{
	return (struct coll_cost){doublings(c->s), doublings(c->s) * c->bytes, doublings(c->n),
	                          doublings(c->n) * c->s * c->bytes};
}

/* By prefix of the name; the first match counts. */
static const struct cost_row {
	const char *operation, *algorithm;
	struct coll_cost (*cost)(const struct cost_case *c);
} rows[] = {
	{"allgather", "ring", allgather_ring},
	{"allgather", "leaders", allgather_leaders},
	{"allgather", "locality", allgather_locality},
	{"allgather", "binary", allgather_binary},
	{"allgather", "direct", allgather_direct},
	{"allgather", "shared", allgather_shared},
	{"allgather", "lanes", allgather_lanes},
	{"allgather", "doubling_exchange", allgather_exchange},
	{"allgather", "bruck_exchange", allgather_exchange},
	{"allgather", "doubling_reorder", allgather_reorder},
	{"allgather", "bruck_reorder", allgather_reorder},
	{"allgather", "doubling", allgather_plain},
	{"allgather", "bruck", allgather_plain},
	{"alltoall", "nodes", alltoall_nodes},
	{"alltoall", "pairwise", alltoall_pairwise},
	{"gather", "direct", blocks_direct},
	{"gather", "", blocks_leaders},
	{"scatter", "direct", blocks_direct},
	{"scatter", "", blocks_leaders},
	{"bcast", "pipeline", bcast_pipeline},
	{"bcast", "relays", bcast_relays},
	{"bcast", "shared", bcast_shared},
	{"barrier", "shared", barrier_shared},
	{"reduce_scatter", "leaders", scatter_leaders},
	{"reduce_scatter", "lanes_halving", scatter_lanes_halving},
	{"reduce_scatter", "lanes", scatter_lanes},
	{"", "leaders_direct", leaders_direct},
	{"", "leaders", leaders_doubling},
	{"", "levels", leaders_levels},
	{"", "lanes_direct", lanes_direct},
	{"", "lanes_halving", lanes_halving},
	{"", "lanes_ring", lanes_ring},
	{"", "lanes", lanes_doubling},
	{"", "direct", vector_direct},
	{"", "", binomial},
};

static bool begins(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

struct coll_prediction coll_model_predict(const struct coll_levels *levels, const struct coll_shape *shape,
                                          const char *operation, const char *algorithm, size_t bytes)
{
	const bool is_block = strcmp(operation, "reduce_scatter_block") == 0;
	const struct cost_case c = {.p = shape->processes,
	                            .n = shape->nodes,
	                            .s = shape->per_node,
	                            .bytes = (double)bytes * (is_block ? shape->processes : 1),
	                            .both_ways = begins(operation, "allreduce") ||
	                                         begins(operation, "barrier")};
	const struct cost_row *row = rows;
	struct coll_prediction prediction = {.seconds = 0};
	double largest = 0;

	while (!begins(operation, row->operation) || !begins(algorithm, row->algorithm))
		row++;

	const struct coll_cost cost = row->cost(&c);
	const double seconds[COLL_TERMS] = {
		[TERM_NODE_LATENCY] = cost.node_steps * levels->node.latency_s,
		[TERM_NODE_BANDWIDTH] = cost.node_bytes / levels->node.bandwidth,
		[TERM_NETWORK_LATENCY] = cost.network_steps * levels->network.latency_s,
		[TERM_NETWORK_BANDWIDTH] = cost.network_bytes / levels->network.bandwidth,
	};

	for (int term = 0; term < COLL_TERMS; term++) {
		prediction.seconds += seconds[term];
		if (seconds[term] > largest) {
			largest = seconds[term];
			prediction.term = (enum coll_term)term;
		}
	}
	return prediction;
}
