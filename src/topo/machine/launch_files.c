#include "topo/machine/launch_files.h"

#include "base/memory.h"

#include <stdlib.h>

static const char *host_of(const struct machine *machine, const struct placement *placement, uint32_t rank)
{
	return machine_node(machine, placement->cores[rank].node)->name;
}

void text_add_rankfile(struct text *out, const struct machine *machine, const struct placement *placement)
{
	for (uint32_t i = 0; i < placement->count; i++)
		text_add(out, "rank %u=%s slot=%u\n", i, host_of(machine, placement, i),
		         placement->cores[i].core);
}

void text_add_slurm_hosts(struct text *out, const struct machine *machine, const struct placement *placement)
{
	for (uint32_t i = 0; i < placement->count; i++)
		text_add(out, "%s\n", host_of(machine, placement, i));
}

void text_add_mpich_hosts(struct text *out, const struct machine *machine, const struct placement *placement)
{
	for (uint32_t i = 0, next; i < placement->count; i = next) {
		uint32_t node = placement->cores[i].node;
		for (next = i + 1; next < placement->count && placement->cores[next].node == node;)
			next++;
		text_add(out, "%s:%u\n", host_of(machine, placement, i), next - i);
	}
}

uint32_t *split_keys(const struct placement *before, const struct placement *after)
{
	uint32_t *keys = memory_new(before->count + (size_t)1, sizeof *keys);
	uint32_t *old_order = placement_order(before), *new_order = placement_order(after);

	/* For each core: the rank before, and the rank after. */
	for (uint32_t i = 0; i < before->count; i++)
		keys[old_order[i]] = new_order[i];
	free(old_order);
	free(new_order);
	return keys;
}

void text_add_split_keys(struct text *out, const struct placement *before, const struct placement *after)
{
	uint32_t *keys = split_keys(before, after);

	for (uint32_t i = 0; i < before->count; i++)
		text_add(out, "%u\n", keys[i]);
	free(keys);
}
