#include "topo/machine/machine.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	text_map_release(&machine->names);
	text_map_release(&machine->short_names);
	arena_release(&machine->arena);
	free(machine);
}

const struct machine_part *machine_node(const struct machine *machine, uint32_t node)
{
	return &machine->parts[machine->nodes[node]];
}

const struct node_shape *machine_shape(const struct machine *machine, uint32_t node)
{
	return &machine->shapes[machine_node(machine, node)->shape];
}

uint32_t machine_find_node(const struct machine *machine, const char *name)
{
	const char *point = strchr(name, '.');
	const void *found = text_map_find(&machine->names, name);
	struct text before = {0};

	if (!found && point) {
		text_add_bytes(&before, name, (size_t)(point - name));
		found = text_map_find(&machine->names, text_get(&before));
		text_release(&before);
	} else if (!found) {
		found = text_map_find(&machine->short_names, name);
	}
	/* The short name is ambiguous. */
	const struct machine_part *part = found == machine ? NULL : found;

	return part ? part->first_node : NO_NODE;
}

int machine_node_level(const struct machine *machine, uint32_t a, uint32_t b)
{
	uint32_t at = machine->nodes[a], other = machine->nodes[b];

	/* Climb to the ancestor that contains the second part. */
	while (other < at || other >= machine->parts[at].end)
		at = machine->parts[at].parent;
	return machine->parts[at].tier ? LEVEL_SWITCH + (int)machine->parts[at].tier - 1 : LEVEL_NODE;
}

int machine_level(const struct machine *machine, struct core a, struct core b)
{
	const struct node_shape *shape;

	if (a.node != b.node)
		return machine_node_level(machine, a.node, b.node);
	shape = machine_shape(machine, a.node);
	if (a.core == b.core)
		return LEVEL_CORE;
	if (shape->socket_of[a.core] != shape->socket_of[b.core])
		return LEVEL_NODE;
	return shape->cache_of[a.core] == shape->cache_of[b.core] && shape->cache_name ? LEVEL_CACHE
	                                                                               : LEVEL_SOCKET;
}

double level_weight(int level)
{
	static const double inside[LEVEL_SWITCH] = {
		[LEVEL_CORE] = 0, [LEVEL_CACHE] = 1, [LEVEL_SOCKET] = 2, [LEVEL_NODE] = 4};

	return level < LEVEL_SWITCH ? inside[level] : 16 + 8.0 * (level - LEVEL_SWITCH);
}

const char *level_name(int level)
{
	static const char *const names[MACHINE_LEVELS_MAX] = {
		"same core",           "same cache",           "same socket",          "same node",
		"same switch",         "2nd tier of switches", "3rd tier of switches", "4th tier of switches",
		"5th tier of switches"};

	return names[level] ? names[level] : "higher tier of switches";
}
