/* Synthetic machines: "switch:2 node:4 socket:2 core:8". */
#include "base/text.h"
#include "topo/machine/plan.h"

#include <stdio.h>
#include <string.h>

/* From the root down; switch may be repeated. */
enum { SPEC_SWITCH, SPEC_NODE, SPEC_SOCKET, SPEC_CACHE, SPEC_CORE, SPEC_KINDS };

static const char *const kinds[SPEC_KINDS] = {"switch", "node", "socket", "cache", "core"};

struct machine_spec {
	const char *text; /* the whole specification, for messages */
	uint32_t switches[SWITCH_TIERS_MAX];
	uint32_t tiers;
	uint32_t counts[SPEC_KINDS];
	int last;
};

static enum status spec_fail(const struct machine_spec *spec, const char *what)
{
	return fail("machine '%.80s': %s, as in 'switch:2 node:4 socket:2 core:8'", spec->text, what);
}

static int kind_of(const char *part, size_t length)
{
	for (int i = 0; i < SPEC_KINDS; i++)
		if (strlen(kinds[i]) == length && strncmp(kinds[i], part, length) == 0)
			return i;
	return SPEC_KINDS;
}

static enum status add_part_count(struct machine_spec *spec, const char *part, size_t length)
{
	const char *colon = memchr(part, ':', length);
	int kind = colon ? kind_of(part, (size_t)(colon - part)) : SPEC_KINDS;
	uint64_t count = 0;

	if (kind == SPEC_KINDS)
		return spec_fail(spec, "its parts are switch:N, node:N, socket:N, cache:N and core:N");
	for (const char *at = colon + 1; at < part + length; at++) {
		if (*at < '0' || *at > '9' ||
		    (count = count * 10 + (uint64_t)(*at - '0')) > MACHINE_NODES_MAX)
			return spec_fail(spec, "a number must be from 1 to 262144");
	}
	if (!count)
		return spec_fail(spec, "a number must be from 1 to 262144");
	if (kind < spec->last || (kind == spec->last && kind != SPEC_SWITCH))
		return spec_fail(spec, "larger parts must precede smaller ones, each once");
	spec->last = kind;
	if (kind == SPEC_SWITCH && spec->tiers == SWITCH_TIERS_MAX - 2)
		return spec_fail(spec, "too many tiers of switches");
	if (kind == SPEC_SWITCH)
		spec->switches[spec->tiers++] = (uint32_t)count;
	else
		spec->counts[kind] = (uint32_t)count;
	return OK;
}

static enum status parse_spec(const char *text, struct machine_spec *spec)
{
	*spec = (struct machine_spec){.text = text, .counts = {1, 1, 1, 1, 1}, .last = -1};
	for (const char *at = text + strspn(text, " \t,"); *at; at += strspn(at, " \t,")) {
		size_t length = strcspn(at, " \t,");
		TRY(add_part_count(spec, at, length));
		at += length;
	}
	if (spec->last < 0)
		return spec_fail(spec, "it is empty");
	return OK;
}

/* Adds the descendants of `parent`. Recursion depth: SWITCH_TIERS_MAX. NOLINTNEXTLINE(misc-no-recursion) */
static enum status add_children(struct machine_plan *plan, const struct machine_spec *spec, uint32_t tier,
                                uint32_t parent, uint32_t shape)
{
	bool are_nodes = tier == spec->tiers;
	uint32_t count = are_nodes ? spec->counts[SPEC_NODE] : spec->switches[tier];

	for (uint32_t i = 0; i < count; i++) {
		char name[64];
		uint32_t item;
		if (are_nodes)
			snprintf(name, sizeof name, "n%u", plan->node_count);
		else
			snprintf(name, sizeof name, "s%zu", plan->items.count - plan->node_count);
		item = are_nodes ? plan_node(plan, name, 0) : plan_switch(plan, name, 0);
		if (item == NO_ITEM)
			return spec_fail(spec, "too many switches");
		plan->items.items[item].shape = shape;
		plan->items.items[item].is_defined = true;
		if (parent != NO_ITEM)
			TRY(plan_put_below(plan, parent, item, 0));
		if (!are_nodes)
			TRY(add_children(plan, spec, tier + 1, item, shape));
	}
	return OK;
}

enum status machine_from_spec(const char *text, struct machine **machine)
{
	struct machine_spec spec;
	struct machine_plan plan;
	enum status status;
	uint32_t shape;

	TRY(parse_spec(text, &spec));
	uint64_t nodes = spec.counts[SPEC_NODE];
	uint64_t cores = (uint64_t)spec.counts[SPEC_SOCKET] * spec.counts[SPEC_CACHE];
	for (uint32_t i = 0; i < spec.tiers && nodes <= MACHINE_NODES_MAX; i++)
		nodes *= spec.switches[i];
	/* No overflow: both factors are below 2^37. */
	if (cores > NODE_CORES_MAX || cores * spec.counts[SPEC_CORE] > NODE_CORES_MAX)
		return spec_fail(&spec, "a node can have at most 4096 cores");
	if (nodes > MACHINE_NODES_MAX)
		return spec_fail(&spec, "at most 262144 nodes are possible");
	plan_init(&plan, "machine");
	shape = plan_shape(&plan, spec.counts[SPEC_SOCKET], spec.counts[SPEC_CACHE], spec.counts[SPEC_CORE]);
	status = add_children(&plan, &spec, 0, NO_ITEM, shape);
	if (status == OK)
		status = machine_build(&plan, machine);
	if (status == OK) {
		(*machine)->source = arena_format(&(*machine)->arena, "machine '%s'", text);
		(*machine)->is_synthetic = true;
	}
	plan_release(&plan);
	return status;
}
