#include "analysis/model/nodes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const distance_names[DISTANCES] = {
	[DISTANCE_NODE] = "node", [DISTANCE_NETWORK] = "network"};

/* Machines are told apart by their identity, or else by their name; processes that tell nothing share one. */
static void find_node(struct nodes *nodes, struct interner *identities, uint32_t index,
                      const struct process *process)
{
	const char *host = process_property(process, "host");
	const char *identity = process_property(process, "node");

	host = host ? host : "";
	identity = identity ? identity : host;
	nodes->of[index] = (uint32_t)intern(identities, identity, strlen(identity))->number;
	if (nodes->of[index] == nodes->count)
		nodes->names[nodes->count++] = host;
}

/* One process of a world asks its library for all. */
static void find_limits(struct nodes *nodes, uint32_t world, const struct process *process)
{
	for (size_t i = 0; i < process->eager_count; i++)
		for (int j = 0; j < DISTANCES; j++)
			if (strcmp(process->eagers[i].distance, distance_names[j]) == 0 &&
			    process->eagers[i].bytes <= INT64_MAX)
				nodes->eager[world][j] = (int64_t)process->eagers[i].bytes;
}

struct nodes *nodes_new(const struct reader *reader)
{
	struct nodes *nodes = memory_new(1, sizeof *nodes);
	struct interner identities = {.arena = &nodes->arena}, worlds = {.arena = &nodes->arena};
	size_t room = reader->process_count + 1;

	nodes->of = arena_array(&nodes->arena, uint32_t, room);
	nodes->world_of = arena_array(&nodes->arena, uint32_t, room);
	nodes->names = arena_array(&nodes->arena, const char *, room);
	nodes->eager = arena_alloc(&nodes->arena, room, sizeof *nodes->eager);
	for (size_t i = 0; i < room; i++)
		for (int j = 0; j < DISTANCES; j++)
			nodes->eager[i][j] = -1;
	for (uint32_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		find_node(nodes, &identities, i, process);
		nodes->world_of[i] =
			(uint32_t)intern(&worlds, &process->world, sizeof process->world)->number;
		find_limits(nodes, nodes->world_of[i], process);
	}
	nodes->world_count = (uint32_t)worlds.count;
	return nodes;
}

void nodes_free(struct nodes *nodes)
{
	arena_release(&nodes->arena);
	free(nodes);
}
