#include "topo/machine/plan.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 1024 };

void plan_init(struct machine_plan *plan, const char *file)
{
	*plan = (struct machine_plan){
		.machine = memory_new(1, sizeof *plan->machine), .file = file, .usual_shape = NO_SHAPE};
}

void plan_release(struct machine_plan *plan)
{
	machine_free(plan->machine);
	plan->machine = NULL;
	array_release(&plan->items);
	array_release(&plan->links);
	text_map_release(&plan->switches);
	text_map_release(&plan->nodes);
}

enum status plan_fail(const struct machine_plan *plan, uint32_t line, const char *format, ...)
{
	char what[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (line)
		return fail("%s:%u: %s", plan->file, line, what);
	return fail("%s: %s", plan->file, what);
}

static uint32_t plan_item(struct machine_plan *plan, struct text_map *names, const char *name, uint32_t line)
{
	void **number;

	if (plan->items.count >= 2 * (size_t)MACHINE_NODES_MAX)
		return NO_ITEM;
	name = arena_text(&plan->machine->arena, name);
	number = text_map_put(names, name);
	if (!*number) {
		array_add(&plan->items, (struct plan_item){
						.name = name,
						.line = line,
						.parent = NO_ITEM,
						.first_child = NO_ITEM,
						.last_child = NO_ITEM,
						.next = NO_ITEM,
						.shape = NO_SHAPE,
					});
		*number = (void *)(uintptr_t)plan->items.count;
	}
	return (uint32_t)(uintptr_t)*number - 1;
}

uint32_t plan_switch(struct machine_plan *plan, const char *name, uint32_t line)
{
	return plan_item(plan, &plan->switches, name, line);
}

uint32_t plan_node(struct machine_plan *plan, const char *name, uint32_t line)
{
	uint32_t item = plan_item(plan, &plan->nodes, name, line);

	if (item == NO_ITEM || plan->items.items[item].is_node)
		return item;
	if (plan->node_count == MACHINE_NODES_MAX)
		return NO_ITEM;
	plan->node_count++;
	plan->items.items[item].is_node = true;
	return item;
}

enum status plan_put_below(struct machine_plan *plan, uint32_t parent, uint32_t child, uint32_t line)
{
	struct plan_item *above = &plan->items.items[parent], *below = &plan->items.items[child];

	if (below->parent == parent)
		return OK;
	if (below->parent != NO_ITEM)
		return plan_fail(plan, line, "%s '%s' is below switch '%s' already",
		                 below->is_node ? "node" : "switch", below->name,
		                 plan->items.items[below->parent].name);
	below->parent = parent;
	if (above->last_child == NO_ITEM)
		above->first_child = child;
	else
		plan->items.items[above->last_child].next = child;
	above->last_child = child;
	return OK;
}

/* Shapes */

static bool same_shape(const struct node_shape *a, const struct node_shape *b)
{
	return a->cores == b->cores && a->sockets == b->sockets && a->caches == b->caches &&
	       a->is_assumed == b->is_assumed &&
	       memcmp(a->socket_of, b->socket_of, a->cores * sizeof *a->socket_of) == 0 &&
	       memcmp(a->cache_of, b->cache_of, a->cores * sizeof *a->cache_of) == 0;
}

uint32_t plan_uneven_shape(struct machine_plan *plan, const struct node_shape *shape)
{
	struct machine *machine = plan->machine;

	for (uint32_t i = 0; i < machine->shape_count; i++)
		if (same_shape(&machine->shapes[i], shape))
			return i;
	arena_add(&machine->arena, machine->shapes, machine->shape_count, *shape);
	return machine->shape_count - 1;
}

uint32_t plan_shape(struct machine_plan *plan, uint32_t sockets, uint32_t caches, uint32_t cores)
{
	uint32_t count = sockets * caches * cores;
	uint32_t *socket_of = memory_new(2 * (size_t)count, sizeof *socket_of), *kept;
	struct node_shape shape = {.sockets = sockets,
	                           .caches = sockets * caches,
	                           .cores = count,
	                           .cache_name = caches > 1 ? "cache" : NULL};
	uint32_t number, known = plan->machine->shape_count;

	for (uint32_t i = 0; i < count; i++) {
		socket_of[i] = i / (caches * cores);
		socket_of[count + i] = i / cores;
	}
	shape.socket_of = socket_of;
	shape.cache_of = socket_of + count;
	number = plan_uneven_shape(plan, &shape);
	if (number == known) {
		kept = arena_array(&plan->machine->arena, uint32_t, 2 * (size_t)count);
		memcpy(kept, socket_of, 2 * (size_t)count * sizeof *kept);
		plan->machine->shapes[number].socket_of = kept;
		plan->machine->shapes[number].cache_of = kept + count;
	}
	free(socket_of);
	return number;
}

/* The tree */

/* A cycle of switches is found from each of its members. */
static enum status check_switch(const struct machine_plan *plan, uint32_t number)
{
	const struct plan_item *item = &plan->items.items[number];
	uint32_t steps = 0;

	if (!item->is_defined)
		return plan_fail(plan, item->line,
		                 "switch '%s' has no line of its own: add 'SwitchName=%s Nodes=...'",
		                 item->name, item->name);
	for (uint32_t at = item->parent; at != NO_ITEM; at = plan->items.items[at].parent) {
		if (at == number)
			return plan_fail(plan, item->line, "switch '%s' is below itself", item->name);
		if (++steps == SWITCH_TIERS_MAX - 1)
			return plan_fail(plan, item->line, "more than %d tiers of switches",
			                 SWITCH_TIERS_MAX - 1);
	}
	return OK;
}

/* Nodes of unknown size are assumed to equal this one. */
static uint32_t assumed_shape(struct machine_plan *plan)
{
	struct node_shape shape;

	host_shape(&plan->machine->arena, &shape);
	shape.is_assumed = true;
	return plan_uneven_shape(plan, &shape);
}

static uint32_t add_part(struct machine_plan *plan, enum part_kind kind, const char *name, uint32_t parent)
{
	struct machine *machine = plan->machine;
	uint32_t number = machine->part_count++;

	machine->parts[number] = (struct machine_part){
		.kind = kind,
		.parent = parent,
		.depth = number ? machine->parts[parent].depth + 1 : 0,
		.first_node = machine->node_count,
		.name = name,
	};
	return number;
}

static void end_part(struct machine *machine, uint32_t number)
{
	struct machine_part *part = &machine->parts[number];
	struct machine_part *parent = &machine->parts[part->parent];

	part->end = machine->part_count;
	part->node_count = machine->node_count - part->first_node;
	if (number && parent->tier <= part->tier)
		parent->tier = part->tier + 1;
}

/* Recursion depth: SWITCH_TIERS_MAX. NOLINTNEXTLINE(misc-no-recursion) */
static void add_tree(struct machine_plan *plan, uint32_t number, uint32_t parent)
{
	const struct plan_item *item = &plan->items.items[number];
	struct machine *machine = plan->machine;
	uint32_t part = add_part(plan, item->is_node ? PART_NODE : PART_SWITCH, item->name, parent);

	if (item->is_node) {
		machine->parts[part].shape = item->shape;
		machine->nodes[machine->node_count++] = part;
	}
	for (uint32_t child = item->first_child; child != NO_ITEM; child = plan->items.items[child].next)
		add_tree(plan, child, part);
	end_part(machine, part);
}

static uint32_t count_roots(const struct machine_plan *plan)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->items.count; i++)
		count += plan->items.items[i].parent == NO_ITEM;
	return count;
}

static void make_tree(struct machine_plan *plan)
{
	struct machine *machine = plan->machine;
	bool has_network = count_roots(plan) > 1;

	machine->parts = arena_array(&machine->arena, struct machine_part, plan->items.count + 1);
	machine->nodes = arena_array(&machine->arena, uint32_t, plan->node_count);
	if (has_network)
		add_part(plan, PART_NETWORK, "network", 0);
	for (uint32_t i = 0; i < plan->items.count; i++)
		if (plan->items.items[i].parent == NO_ITEM)
			add_tree(plan, i, 0);
	if (has_network)
		end_part(machine, 0);
	machine->tiers = machine->parts[0].tier;
}

void plan_give_costs(const struct machine_plan *plan, struct machine *machine)
{
	int top = machine_top_level(machine);

	memcpy(machine->costs, plan->costs, sizeof machine->costs);
	if (plan->network.is_known && machine->tiers)
		machine->costs[top] = plan->network;
	for (int i = 0; i < MACHINE_LEVELS_MAX; i++)
		machine->has_costs |= machine->costs[i].is_known;
	if (!machine->has_costs)
		return;
	/* An unknown level costs as much as the next known level above it, or else as the last known one. */
	for (int i = top; i-- > 0;)
		if (!machine->costs[i].is_known)
			machine->costs[i] = machine->costs[i + 1];
	for (int i = 1; i <= top; i++)
		if (!machine->costs[i].is_known)
			machine->costs[i] = machine->costs[i - 1];
}

enum status machine_build(struct machine_plan *plan, struct machine **machine)
{
	if (!plan->node_count)
		return plan_fail(plan, 0, "no nodes: add lines such as 'NodeName=n[0-7] CoresPerSocket=8'");
	for (uint32_t i = 0; i < plan->items.count; i++)
		if (!plan->items.items[i].is_node)
			TRY(check_switch(plan, i));
	uint32_t assumed = plan->usual_shape;
	for (uint32_t i = 0; i < plan->items.count; i++) {
		struct plan_item *item = &plan->items.items[i];
		if (!item->is_node)
			continue;
		if (item->shape == NO_SHAPE)
			item->shape = assumed = assumed == NO_SHAPE ? assumed_shape(plan) : assumed;
		plan->machine->core_count += plan->machine->shapes[item->shape].cores;
	}
	if (plan->machine->core_count > MACHINE_CORES_MAX)
		return plan_fail(plan, 0, "more than %llu cores", (unsigned long long)MACHINE_CORES_MAX);
	TRY(plan_cluster_links(plan));
	make_tree(plan);
	/* Ambiguous short names map to the machine itself, which is not a part. */
	for (uint32_t i = 0; i < plan->machine->node_count; i++) {
		struct machine_part *part = &plan->machine->parts[plan->machine->nodes[i]];
		const char *point = strchr(part->name, '.');
		void **found;
		*text_map_put(&plan->machine->names, part->name) = part;
		if (!point || point == part->name)
			continue;
		found = text_map_put(
			&plan->machine->short_names,
			arena_bytes_as_text(&plan->machine->arena, part->name, (size_t)(point - part->name)));
		*found = *found ? plan->machine : (void *)part;
	}
	plan_give_costs(plan, plan->machine);
	*machine = plan->machine;
	plan->machine = NULL;
	return OK;
}
