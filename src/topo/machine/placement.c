#include "topo/machine/placement.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void placement_release(struct placement *placement)
{
	free(placement->cores);
	*placement = (struct placement){0};
}

static uint32_t room_of(const struct machine *machine, uint32_t node, uint64_t per_node)
{
	uint32_t cores = machine_node_cores(machine, node);

	return per_node ? (uint32_t)per_node : cores;
}

/* The cores of a crowded node are used again from the first one on. */
static uint32_t wrap(uint32_t number, uint32_t cores)
{
	return cores ? number % cores : 0;
}

static void put(struct placement *placement, const struct machine *machine, uint32_t node, uint32_t number)
{
	uint32_t cores = machine_node_cores(machine, node);

	placement->is_crowded |= number >= cores;
	placement->cores[placement->count++] = (struct core){node, wrap(number, cores)};
}

static void fill_blocks(struct placement *placement, const struct machine *machine, uint64_t count,
                        uint64_t per_node)
{
	for (uint32_t node = 0; node < machine->node_count; node++)
		for (uint32_t i = 0; i < room_of(machine, node, per_node) && placement->count < count; i++)
			put(placement, machine, node, i);
}

static void fill_cycles(struct placement *placement, const struct machine *machine, uint64_t count,
                        uint64_t per_node)
{
	for (uint32_t i = 0; placement->count < count; i++)
		for (uint32_t node = 0; node < machine->node_count && placement->count < count; node++)
			if (i < room_of(machine, node, per_node))
				put(placement, machine, node, i);
}

enum status placement_fill(struct placement *placement, const struct machine *machine, uint64_t count,
                           enum place_order order, uint64_t per_node)
{
	uint64_t room = 0;

	if (per_node > RANKS_MAX)
		return fail("%llu ranks on a node are too many", (unsigned long long)per_node);
	for (uint32_t i = 0; i < machine->node_count; i++)
		room += room_of(machine, i, per_node);
	count = count ? count : room;
	if (count > RANKS_MAX)
		return fail("%llu ranks are too many", (unsigned long long)count);
	if (count > room)
		return fail(
			"%s has room for %llu ranks, not for %llu: allow more per node with --ranks-per-node",
			machine->source, (unsigned long long)room, (unsigned long long)count);
	*placement = (struct placement){.cores = memory_new(count, sizeof *placement->cores)};
	(order == PLACE_BLOCK ? fill_blocks : fill_cycles)(placement, machine, count, per_node);
	return OK;
}

/* Jobs */

uint32_t *placement_order(const struct placement *placement)
{
	uint32_t *order = memory_new(placement->count + (size_t)1, sizeof *order);
	uint64_t *keys = memory_new(placement->count + (size_t)1, sizeof *keys);
	uint32_t nodes = 0, cores = 0;
	size_t *starts;

	for (uint32_t i = 0; i < placement->count; i++) {
		nodes = placement->cores[i].node >= nodes ? placement->cores[i].node + 1 : nodes;
		cores = placement->cores[i].core >= cores ? placement->cores[i].core + 1 : cores;
	}
	/* Counting sort, by core and then by node. */
	starts = memory_new((size_t)(nodes > cores ? nodes : cores) + 1, sizeof *starts);
	for (uint32_t i = 0; i < placement->count; i++)
		starts[placement->cores[i].core + 1]++;
	for (uint32_t i = 0; i < cores; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; i < placement->count; i++)
		keys[starts[placement->cores[i].core]++] = i;
	memset(starts, 0, ((size_t)nodes + 1) * sizeof *starts);
	for (uint32_t i = 0; i < placement->count; i++)
		starts[placement->cores[i].node + 1]++;
	for (uint32_t i = 0; i < nodes; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; i < placement->count; i++)
		order[starts[placement->cores[keys[i]].node]++] = (uint32_t)keys[i];
	free(starts);
	free(keys);
	return order;
}

/* The first CPU of a list; UINT32_MAX: empty. */
static uint32_t first_cpu(const char *cpus)
{
	char *end;
	unsigned long number = cpus ? strtoul(cpus, &end, 10) : 0;

	return cpus && end != cpus && number < NODE_CORES_MAX ? (uint32_t)number : UINT32_MAX;
}

/* Places the ranks of one node: `count` items of `order`. */
static void bind_node(struct placement *placement, const struct machine *machine,
                      const struct rank_place *ranks, const uint32_t *order, uint32_t count)
{
	uint32_t node = placement->cores[order[0]].node;
	uint32_t cores = machine_node_cores(machine, node);
	bool *is_taken = memory_new(cores, sizeof *is_taken);
	bool is_bound = count <= cores;

	for (uint32_t i = 0; i < count && is_bound; i++) {
		uint32_t cpu = first_cpu(ranks[order[i]].cpus);
		is_bound = cpu < cores && !is_taken[cpu];
		if (is_bound)
			is_taken[cpu] = true;
	}
	for (uint32_t i = 0; i < count; i++)
		placement->cores[order[i]].core = is_bound ? first_cpu(ranks[order[i]].cpus) : wrap(i, cores);
	placement->is_crowded |= count > cores;
	free(is_taken);
}

static void bind_ranks(struct placement *placement, const struct machine *machine,
                       const struct rank_place *ranks)
{
	uint32_t *order = placement_order(placement);

	for (uint32_t i = 0, next; i < placement->count; i = next) {
		uint32_t node = placement->cores[order[i]].node;
		for (next = i + 1; next < placement->count && placement->cores[order[next]].node == node;)
			next++;
		bind_node(placement, machine, ranks, order + i, next - i);
	}
	free(order);
}

enum status placement_of_job(struct placement *placement, const struct machine *machine,
                             const struct rank_place *ranks, uint32_t count)
{
	struct placement made = {.cores = memory_new(count + (size_t)1, sizeof *made.cores), .count = count};

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = ranks[i].host ? machine_find_node(machine, ranks[i].host) : NO_NODE;
		if (node == NO_NODE) {
			placement_release(&made);
			return ranks[i].host ? fail("rank %u ran on '%s', which %s does not have", i,
			                            ranks[i].host, machine->source)
			                     : fail("the trace does not say where rank %u ran", i);
		}
		made.cores[i].node = node;
	}
	bind_ranks(&made, machine, ranks);
	*placement = made;
	return OK;
}
