#include "coll/choice/model.h"

#include <stdbool.h>
#include <string.h>

/* Sequential steps. Bytes between nodes are those of a whole node, whose processes share its link. */
struct coll_cost {
	double node_steps, node_bytes;
	double network_steps, network_bytes;
};

/* An algorithm, by prefix of its operation and its name; the first match counts. */
struct cost_row {
	const char *operation, *algorithm;
	struct coll_cost cost;
};

struct cost_case {
	double p, n, s; /* processes, nodes, processes per node */
	double bytes;
	bool both_ways; /* every process gets all data */
};

/* The rounds to reach `count` if each multiplies the current number. Uses no logarithms, which may differ between CPUs. */
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

static bool begins(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool find_cost(const struct cost_row *rows, size_t count, const char *operation, const char *algorithm,
                      struct coll_cost *cost)
{
	for (size_t i = 0; i < count; i++)
		if (begins(operation, rows[i].operation) && begins(algorithm, rows[i].algorithm)) {
			*cost = rows[i].cost;
			return true;
		}
	return false;
}

/* Collectives with a block for each process. */
static bool find_block_cost(const struct cost_case *c, const char *operation, const char *algorithm,
                            struct coll_cost *cost)
{
	const double p = c->p, n = c->n, s = c->s, bytes = c->bytes, inside = doublings(s),
		     between = doublings(n);
	const double in = (p - p / n) * bytes; /* each node receives the blocks of all others */
	const double twice = 2 * p * bytes;
	const double locality = rounds_of(n, s + 1), direct = n > 1 ? 1 : 0, sent = (n - 1) * s * bytes;
	const double shared = n > 32 ? locality : direct;
	/* In rank order with a block layout, all but the smallest steps cross nodes, for each process of a node. */
	const struct coll_cost mapped = {inside, twice, between, in},
			       plain = n > 1 ? (struct coll_cost){0, twice, doublings(p), s * in} : mapped,
			       moved = {inside, twice, between + (n > 1), in + s * bytes};
	const struct cost_row rows[] = {
		{"allgather",
	         "ring",
	         {n > 1 ? 0 : p - 1, (p - 1) * bytes, n > 1 ? p - 1 : 0, n > 1 ? (p - 1) * bytes : 0}},
		{"allgather", "leaders", {2 * inside, (s - 1) * bytes + inside * p * bytes, between, in}},
		/* Rounds between nodes, each followed by an exchange inside. With shared memory an exchange is one step. */
		{"allgather", "locality", {(locality + 1) * inside, twice, locality, in}},
		{"allgather", "binary", {(between + 1) * inside, twice, between, in}},
		{"allgather", "direct", {(direct + 1) * inside, twice, direct, sent}},
		{"allgather", "shared", {shared + 1, twice, shared, n > 32 ? in : sent}},
		/* Steps inside a node overlap with those between nodes. */
		{"allgather", "lanes", {s - 1, s * bytes, n - 1, in}},
		/* Mapped: only the first, small steps cross nodes. */
		{"allgather", "doubling_exchange", moved},
		{"allgather", "bruck_exchange", moved},
		{"allgather", "doubling_reorder", mapped},
		{"allgather", "bruck_reorder", mapped},
		{"allgather", "doubling", plain},
		{"allgather", "bruck", plain},
		{"alltoall", "nodes", {2 * (s - 1), twice, 1, (n - 1) * s * s * bytes}},
		{"alltoall", "pairwise", {s - 1, s * bytes, p - s, (n - 1) * s * s * bytes}},
		{"gather", "direct", {inside, s * bytes, 1, in}},
		{"gather", "", {inside, s * bytes, between, in}},
		{"scatter", "direct", {inside, s * bytes, 1, in}},
		{"scatter", "", {inside, s * bytes, between, in}},
	};

	return find_cost(rows, sizeof rows / sizeof *rows, operation, algorithm, cost);
}

/* Collectives with one vector. Leaders: whole vectors up and down inside a node, and between one process of each node.
 * Lanes: each process of a node has a part of the vector. */
static void find_vector_cost(const struct cost_case *c, const char *operation, const char *algorithm,
                             struct coll_cost *cost)
{
	const double n = c->n, s = c->s, bytes = c->bytes, inside = doublings(s), between = doublings(n);
	const double ways = c->both_ways ? 2 : 1, up = ways * inside, parts = ways * (s - 1);
	/* At most 64 segments: from node to node, and from process to process. */
	const double segment = bytes < 8192 ? bytes : bytes < 64 * 8192 ? 8192 : bytes / 64;
	const struct cost_row rows[] = {
		{"bcast", "pipeline", {s - 1, (s - 1) * segment, n - 1, bytes + (n - 1) * segment}},
		/* The last relay sends its segments to all others in turn. */
		{"bcast", "relays", {s - 1, (s - 1) * segment, 2, bytes + (n - 2) * segment}},
		{"bcast", "shared", {1, 2 * bytes, between, between * bytes}},
		{"barrier", "shared", {n > 1 ? 2 : 1, 0, between, 0}},
		/* A reduce_scatter lacks the second half. */
		{"reduce_scatter", "leaders", {up + s - 1, up * bytes, 1, bytes}},
		{"reduce_scatter", "lanes_halving", {parts, ways * bytes, between, bytes}},
		{"reduce_scatter", "lanes", {parts, ways * bytes, 1, bytes}},
		{"", "leaders_direct", {up, up * bytes, 2, 2 * bytes}},
		{"", "leaders", {up, up * bytes, between, between * bytes}},
		/* In parts between the nodes of a switch, and between switches. */
		{"", "levels", {up, up * bytes, 4, 2 * bytes}},
		{"", "lanes_direct", {parts, ways * bytes, 2, 2 * bytes}},
		{"", "lanes_halving", {parts, ways * bytes, 2 * between, 2 * bytes}},
		{"", "lanes_ring", {parts, ways * bytes, 2 * (n - 1), 2 * bytes}},
		{"", "lanes", {parts, ways * bytes, between, between * bytes}},
		/* One message between any two nodes. */
		{"", "direct", {up, up * bytes, 1, (n - 1) * bytes}},
		/* Unknown algorithm: every process takes part in all steps of a tree. */
		{"", "", {inside, inside * bytes, between, between * s * bytes}},
	};

	find_cost(rows, sizeof rows / sizeof *rows, operation, algorithm, cost);
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
	struct coll_prediction prediction = {.seconds = 0};
	struct coll_cost cost = {0};
	double largest = 0;

	if (!find_block_cost(&c, operation, algorithm, &cost))
		find_vector_cost(&c, operation, algorithm, &cost);

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
