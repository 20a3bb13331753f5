/* Measured distances between nodes, made a tree. Latencies of a network of switches come in classes: through one switch, through three, and
 * so on. Where sorted latencies jump, a class ends; nodes with links of this class or a lower one come below one switch. */
#include "topo/machine/plan.h"

#include <stdio.h>
#include <stdlib.h>

/* Smaller steps are noise. */
#define CLASS_STEP 1.4
enum { CLASSES_MOST = 4 };

static int by_latency(const void *left, const void *right)
{
	const struct plan_link *a = left, *b = right;

	return (a->latency_s > b->latency_s) - (a->latency_s < b->latency_s);
}

static uint32_t top_of(struct machine_plan *plan, uint32_t item)
{
	while (plan->items.items[item].parent != NO_ITEM)
		item = plan->items.items[item].parent;
	return item;
}

/* Of a ring of groups that links join. */
static uint32_t leader_of(uint32_t *leaders, uint32_t item)
{
	while (leaders[item] != item)
		item = leaders[item] = leaders[leaders[item]];
	return item;
}

/* A new switch for each set of items that links up to here join. */
static enum status join_groups(struct machine_plan *plan, size_t links, uint32_t tier)
{
	uint32_t known = (uint32_t)plan->items.count;
	uint32_t *leaders = memory_new(2 * (size_t)known, sizeof *leaders), *groups = leaders + known;
	enum status status = OK;

	for (uint32_t i = 0; i < known; i++)
		leaders[i] = i;
	for (size_t i = 0; i < links; i++) {
		uint32_t a = leader_of(leaders, top_of(plan, plan->links.items[i].a));
		uint32_t b = leader_of(leaders, top_of(plan, plan->links.items[i].b));
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
	uint32_t tier = 1;

	if (plan->items.count > plan->node_count || plan->links.count < 2)
		return OK;
	qsort(plan->links.items, plan->links.count, sizeof *plan->links.items, by_latency);
	/* What the last class joins is the network. */
	for (size_t i = 1; i < plan->links.count && tier < CLASSES_MOST; i++)
		if (plan->links.items[i].latency_s > plan->links.items[i - 1].latency_s * CLASS_STEP)
			TRY(join_groups(plan, i, tier++));
	return OK;
}
