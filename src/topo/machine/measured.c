/* Builds the tree of switches from measured latencies between nodes. Latencies fall into classes: through one switch, through
 * three, and so on. Single latencies are noisy, means of many are not. So the two groups of nodes with the smallest mean latency
 * between them are joined, step by step, and each join has that latency. A jump in these latencies may separate two classes. It
 * does if the links joined before and after the jump differ by more than their own noise. */
#include "topo/machine/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUTS_MAX limits the tiers, JUMPS the number of largest jumps that are tried, CLUSTERED_NODES_MAX the
 * time, which grows with the third power. */
enum { CUTS_MAX = 3, JUMPS = 8, CLUSTERED_NODES_MAX = 512 };

/* Classes differ by at least this factor and by this many standard deviations. A few links tell little
 * about noise, so this many virtual links with ±30 % noise are added. */
#define FACTOR_MIN 1.3
#define DEVIATIONS_MIN 3.0
#define USUAL_DEVIATION 0.175
#define USUAL_LINKS 3

/* Sums over the links between two groups; values are logarithms of latencies. */
struct link_sum {
	double sum;
	uint32_t count;
};

struct node_join {
	uint32_t a, b; /* one node of each group */
	double height; /* mean log latency between them, never below that of earlier joins */
};

struct link_clusters {
	struct machine_plan *plan;
	uint32_t nodes;
	double *heights; /* log latencies, nodes × nodes, in the row of the higher node; NAN: not measured */
	struct link_sum *between; /* nodes × nodes, symmetric; a group uses the row of its lowest node */
	uint32_t *leaders;        /* lowest node in the group of each node */
	struct node_join *joins;
	uint32_t join_count;
	uint32_t *level_of; /* nodes × nodes: the join that connected two nodes */
};

static struct link_sum *sum_between(const struct link_clusters *c, uint32_t a, uint32_t b)
{
	return &c->between[(size_t)a * c->nodes + b];
}

/* The two groups with the smallest mean latency between them. False: no links between groups are left. */
static bool find_nearest(const struct link_clusters *c, struct node_join *join)
{
	bool found = false;

	for (uint32_t a = 0; a < c->nodes; a++) {
		for (uint32_t b = 0; b < a && c->leaders[a] == a; b++) {
			const struct link_sum *sum = sum_between(c, a, b);
			if (c->leaders[b] != b || !sum->count ||
			    (found && sum->sum / sum->count >= join->height))
				continue;
			*join = (struct node_join){b, a, sum->sum / sum->count};
			found = true;
		}
	}
	return found;
}

/* Merges group b into group a. */
static void join_two(struct link_clusters *c, const struct node_join *join)
{
	for (uint32_t i = 0; i < c->nodes; i++) {
		for (uint32_t j = 0; j < c->nodes; j++)
			if (c->leaders[i] == join->a && c->leaders[j] == join->b)
				c->level_of[(size_t)i * c->nodes + j] =
					c->level_of[(size_t)j * c->nodes + i] = c->join_count;
		if (c->leaders[i] != i || i == join->a || i == join->b)
			continue;
		sum_between(c, join->a, i)->sum += sum_between(c, join->b, i)->sum;
		sum_between(c, join->a, i)->count += sum_between(c, join->b, i)->count;
		*sum_between(c, i, join->a) = *sum_between(c, join->a, i);
	}
	for (uint32_t i = 0; i < c->nodes; i++)
		if (c->leaders[i] == join->b)
			c->leaders[i] = join->a;
}

/* Classes */

/* Positions of cuts, ascending: a cut is before its join. */
struct link_cuts {
	uint32_t before[CUTS_MAX];
	uint32_t count;
};

struct link_class {
	double sum, squares;
	uint32_t count;
};

static void sum_classes(const struct link_clusters *c, const struct link_cuts *cuts,
                        struct link_class *classes)
{
	memset(classes, 0, (CUTS_MAX + 1) * sizeof *classes);
	for (uint32_t a = 0; a < c->nodes; a++) {
		for (uint32_t b = 0; b < a; b++) {
			size_t pair = (size_t)a * c->nodes + b;
			uint32_t class = 0;
			if (isnan(c->heights[pair]))
				continue;
			while (class < cuts->count && c->level_of[pair] >= cuts->before[class])
				class ++;
			classes[class].sum += c->heights[pair];
			classes[class].squares += c->heights[pair] * c->heights[pair];
			classes[class].count++;
		}
	}
}

static double squared_deviations(const struct link_class *class)
{
	return fmax(class->squares - class->sum * class->sum / class->count, 0);
}

static bool differ(const struct link_class *low, const struct link_class *high)
{
	double apart, deviation, links = (double)low->count + high->count;

	if (!low->count || !high->count)
		return false;
	apart = high->sum / high->count - low->sum / low->count;
	deviation = sqrt((squared_deviations(low) + squared_deviations(high) +
	                  USUAL_LINKS * USUAL_DEVIATION * USUAL_DEVIATION) /
	                 (links - 2 + USUAL_LINKS));
	return apart >= fmax(log(FACTOR_MIN), deviation * DEVIATIONS_MIN * (1 + 4 / links));
}

/* Whether each class differs from the next. `noise` gets the sum of squared deviations. */
static bool are_apart(const struct link_clusters *c, const struct link_cuts *cuts, double *noise)
{
	struct link_class classes[CUTS_MAX + 1];

	sum_classes(c, cuts, classes);
	*noise = 0;
	for (uint32_t i = 0; i < cuts->count; i++)
		if (!differ(&classes[i], &classes[i + 1]))
			return false;
	for (uint32_t i = 0; i <= cuts->count; i++)
		*noise += squared_deviations(&classes[i]);
	return true;
}

static double jump_before(const struct link_clusters *c, uint32_t join)
{
	return c->joins[join].height - c->joins[join - 1].height;
}

/* The joins with the largest jumps of latency before them, ascending. */
static uint32_t find_jumps(const struct link_clusters *c, uint32_t *jumps)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < c->join_count; i++) {
		uint32_t smallest = 0;
		if (count < JUMPS) {
			jumps[count++] = i;
			continue;
		}
		for (uint32_t j = 1; j < JUMPS; j++)
			if (jump_before(c, jumps[j]) < jump_before(c, jumps[smallest]))
				smallest = j;
		if (jump_before(c, jumps[smallest]) >= jump_before(c, i))
			continue;
		memmove(jumps + smallest, jumps + smallest + 1, (JUMPS - 1 - smallest) * sizeof *jumps);
		jumps[JUMPS - 1] = i;
	}
	return count;
}

/* Finds the largest number of distinct classes; among equal numbers the cuts with the least noise. */
static struct link_cuts find_cuts(const struct link_clusters *c)
{
	uint32_t jumps[JUMPS], count = find_jumps(c, jumps);
	struct link_cuts best = {.count = 0};
	double lowest_noise = INFINITY, noise;

	for (uint32_t set = 1; set < 1u << count; set++) {
		struct link_cuts cuts = {.count = 0};
		if (__builtin_popcount(set) > CUTS_MAX)
			continue;
		for (uint32_t i = 0; i < count; i++)
			if (set >> i & 1)
				cuts.before[cuts.count++] = jumps[i];
		if (!are_apart(c, &cuts, &noise) || cuts.count < best.count ||
		    (cuts.count == best.count && noise >= lowest_noise))
			continue;
		best = cuts;
		lowest_noise = noise;
	}
	return best;
}

/* Switches */

static uint32_t top_of(struct machine_plan *plan, uint32_t item)
{
	while (plan->items.items[item].parent != NO_ITEM)
		item = plan->items.items[item].parent;
	return item;
}

/* The lowest item of the set that joins have made of this item's ring. */
static uint32_t leader_of(uint32_t *leaders, uint32_t item)
{
	while (leaders[item] != item)
		item = leaders[item] = leaders[leaders[item]];
	return item;
}

/* Adds a switch for each set of items that the joins so far connect. */
static enum status add_switches(struct machine_plan *plan, const struct node_join *joins, size_t count,
                                uint32_t tier)
{
	uint32_t known = (uint32_t)plan->items.count;
	uint32_t *leaders = memory_new(2 * (size_t)known, sizeof *leaders), *groups = leaders + known;
	enum status status = OK;

	for (uint32_t i = 0; i < known; i++)
		leaders[i] = i;
	for (size_t i = 0; i < count; i++) {
		uint32_t a = leader_of(leaders, top_of(plan, joins[i].a));
		uint32_t b = leader_of(leaders, top_of(plan, joins[i].b));
		leaders[a > b ? a : b] = a > b ? b : a;
	}
	for (uint32_t i = 0; i < known && status == OK; i++) {
		uint32_t leader = leader_of(leaders, i);
		char name[64];
		if (leader == i || plan->items.items[i].parent != NO_ITEM)
			continue;
		if (!groups[leader]) {
			snprintf(name, sizeof name, "group%u.%zu", tier, plan->items.count - known);
			groups[leader] = plan_switch(plan, name, 0);
			if (groups[leader] == NO_ITEM) {
				status = plan_fail(plan, 0, "too many nodes");
				break;
			}
			plan->items.items[groups[leader]].is_defined = true;
			status = plan_put_below(plan, groups[leader], leader, 0);
		}
		if (status == OK)
			status = plan_put_below(plan, groups[leader], i, 0);
	}
	free(leaders);
	return status;
}

enum status plan_cluster_links(struct machine_plan *plan)
{
	size_t nodes = plan->node_count;
	struct link_clusters clusters = {.plan = plan, .nodes = plan->node_count};
	enum status status = OK;
	struct link_cuts cuts;
	struct node_join join;

	if (plan->items.count > nodes || plan->links.count < 2 || nodes > CLUSTERED_NODES_MAX)
		return OK;
	clusters.heights = memory_new(nodes * nodes, sizeof *clusters.heights);
	clusters.between = memory_new(nodes * nodes, sizeof *clusters.between);
	clusters.level_of = memory_new(nodes * nodes, sizeof *clusters.level_of);
	clusters.leaders = memory_new(nodes, sizeof *clusters.leaders);
	clusters.joins = memory_new(nodes, sizeof *clusters.joins);
	/* Two values for a pair (one per direction): the lower one has less noise. */
	for (size_t i = 0; i < (size_t)clusters.nodes * clusters.nodes; i++)
		clusters.heights[i] = NAN;
	for (size_t i = 0; i < clusters.plan->links.count; i++) {
		const struct plan_link *link = &clusters.plan->links.items[i];
		uint32_t high = link->a > link->b ? link->a : link->b,
			 low = link->a > link->b ? link->b : link->a;
		double *height = &clusters.heights[(size_t)high * clusters.nodes + low];
		*height = fmin(*height, log(link->latency_s)); /* fmin ignores NAN */
		*sum_between(&clusters, high, low) = *sum_between(&clusters, low,
		                                                  high) = (struct link_sum){*height, 1};
	}
	for (uint32_t i = 0; i < clusters.nodes; i++)
		clusters.leaders[i] = i;
	while (find_nearest(&clusters, &join)) {
		if (clusters.join_count && join.height < clusters.joins[clusters.join_count - 1].height)
			join.height = clusters.joins[clusters.join_count - 1].height;
		join_two(&clusters, &join);
		clusters.joins[clusters.join_count++] = join;
	}
	cuts = find_cuts(&clusters);
	/* The last class is the network itself. */
	for (uint32_t i = 0; i < cuts.count && status == OK; i++)
		status = add_switches(plan, clusters.joins, cuts.before[i], i + 1);
	free(clusters.heights);
	free(clusters.between);
	free(clusters.level_of);
	free(clusters.leaders);
	free(clusters.joins);
	return status;
}
