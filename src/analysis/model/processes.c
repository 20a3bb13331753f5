#include "analysis/model/processes.h"

#include "base/memory.h"
#include "base/number_ranges.h"
#include "calls/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks and threads */

struct paradigms {
	bool upc, shmem, mpi;
};

static void look_at_comms(const struct process *process, struct paradigms *found)
{
	for (size_t i = 0; i < process->comm_count; i++) {
		uint64_t kind = process->comms[i].kind;
		found->upc |= kind == COMM_UPC;
		found->shmem |= kind == COMM_SHMEM;
		found->mpi |= kind != COMM_UPC && kind != COMM_SHMEM;
	}
}

enum paradigm paradigm_of(const struct reader *reader)
{
	struct paradigms found = {false};

	for (size_t i = 0; i < reader->process_count; i++)
		look_at_comms(&reader->processes[i], &found);
	if (found.upc)
		return found.mpi ? PARADIGM_BOTH : PARADIGM_UPC;
	if (found.shmem)
		return found.mpi ? PARADIGM_MPI_SHMEM : PARADIGM_SHMEM;
	return PARADIGM_MPI;
}

bool marks_start(const struct call *call)
{
	return strcmp(call->outline->name, all_calls[CALL_upc_start].name) == 0 ||
	       strcmp(call->outline->name, all_calls[CALL_shmem_init].name) == 0;
}

bool is_upc_thread(const struct process *process)
{
	struct paradigms found = {false};

	look_at_comms(process, &found);
	return found.upc && !found.mpi;
}

bool is_shmem_pe(const struct process *process)
{
	struct paradigms found = {false};

	look_at_comms(process, &found);
	return found.shmem && !found.mpi;
}

static const char *const distance_names[DISTANCES] = {
	[DISTANCE_NODE] = "node", [DISTANCE_NETWORK] = "network"};

const char *const proximity_names[PROXIMITIES] = {
	[PROXIMITY_CORE] = "core", [PROXIMITY_NUMA] = "numa",       [PROXIMITY_SOCKET] = "socket",
	[PROXIMITY_NODE] = "node", [PROXIMITY_NETWORK] = "network",
};
_Static_assert((int)PROXIMITY_CORE == GROUP_CORE && (int)PROXIMITY_NUMA == GROUP_NUMA &&
                       (int)PROXIMITY_SOCKET == GROUP_SOCKET,
               "proximities begin with the groups of processors");

static void find_groups(const struct process *process, int64_t lowest[PROCESSOR_GROUPS])
{
	for (int i = 0; i < PROCESSOR_GROUPS; i++) {
		const char *text = process_property(process, processor_group_names[i]);
		struct number_range number;

		lowest[i] = text && next_range(&text, &number) && !*text ? (int64_t)number.first : -1;
	}
}

struct nodes *nodes_new(const struct reader *reader)
{
	struct nodes *nodes = memory_new(1, sizeof *nodes);
	struct interner identities = {.arena = &nodes->arena}, worlds = {.arena = &nodes->arena};
	size_t room = reader->process_count + 1;

	nodes->of = arena_array(&nodes->arena, uint32_t, room);
	nodes->world_of = arena_array(&nodes->arena, uint32_t, room);
	nodes->names = arena_array(&nodes->arena, const char *, room);
	nodes->groups = arena_alloc(&nodes->arena, room, sizeof *nodes->groups);
	nodes->eager = arena_alloc(&nodes->arena, room, sizeof *nodes->eager);
	for (size_t i = 0; i < room; i++)
		for (int j = 0; j < DISTANCES; j++)
			nodes->eager[i][j] = -1;
	for (uint32_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		const char *host = process_property(process, "host");
		const char *identity = process_property(process, "node");
		/* Machines are identified by their identity, otherwise by their name; processes
		 * without either share one. */
		find_groups(process, nodes->groups[i]);
		host = host ? host : "";
		identity = identity ? identity : host;
		nodes->of[i] = (uint32_t)intern(&identities, identity, strlen(identity))->number;
		if (nodes->of[i] == nodes->count)
			nodes->names[nodes->count++] = host;
		nodes->world_of[i] =
			(uint32_t)intern(&worlds, &process->world, sizeof process->world)->number;
		/* One process of a world queries its library for all. */
		for (size_t k = 0; k < process->eager_count; k++)
			for (int j = 0; j < DISTANCES; j++)
				if (strcmp(process->eagers[k].distance, distance_names[j]) == 0 &&
				    process->eagers[k].bytes <= INT64_MAX)
					nodes->eager[nodes->world_of[i]][j] =
						(int64_t)process->eagers[k].bytes;
	}
	nodes->world_count = (uint32_t)worlds.count;
	return nodes;
}

void nodes_set_eager(struct nodes *nodes, int64_t bytes)
{
	for (uint32_t world = 0; world < nodes->world_count; world++)
		for (int i = 0; i < DISTANCES; i++)
			nodes->eager[world][i] = bytes;
}

void nodes_free(struct nodes *nodes)
{
	arena_release(&nodes->arena);
	free(nodes);
}

/* The most processors that Linux supports. */
enum { CORES_MAX = 8192 };

/* A list of ranges, "0-3,8". Returns how many of them are new. */
static uint32_t add_cores(const char *list, bool *has)
{
	struct number_range range;
	uint32_t added = 0;

	while (list && next_range(&list, &range))
		for (uint32_t core = range.first; core <= range.last && core < CORES_MAX; core++) {
			added += !has[core];
			has[core] = true;
		}
	return added;
}

static struct crowding crowding_of(const struct reader *reader, const struct nodes *nodes, uint32_t node,
                                   bool *has)
{
	struct crowding crowding = {0};

	memset(has, 0, CORES_MAX * sizeof *has);
	for (size_t i = 0; i < reader->process_count; i++)
		if (nodes->of[i] == node) {
			crowding.processes++;
			crowding.cores += add_cores(process_property(&reader->processes[i], "cpus"), has);
		}
	return crowding;
}

struct crowding most_crowded(const struct reader *reader, const struct nodes *nodes)
{
	bool *has = memory_new(CORES_MAX, sizeof *has);
	struct crowding most = {0};

	for (uint32_t i = 0; i < nodes->count; i++) {
		struct crowding here = crowding_of(reader, nodes, i, has);
		/* a / b > c / d */
		if (here.cores && (!most.cores || (uint64_t)here.processes * most.cores >
		                                          (uint64_t)most.processes * here.cores))
			most = here;
	}
	free(has);
	return most;
}

/* How many processes a CPU of a node has, by its number: each is divided among its CPUs. */
static double *load_of(struct map *numbers, double **loads, uint32_t *room, uint32_t node, uint32_t cpu)
{
	uint32_t *number = map_put(numbers, map_key(node, cpu));

	if (*number == MAP_NONE)
		*number = (uint32_t)numbers->count - 1;
	array_fit_zeroed(*loads, *room, *number + 1u);
	return &(*loads)[*number];
}

struct cpu_share *cpu_shares(const struct reader *reader, const struct nodes *nodes)
{
	struct cpu_share *shares = memory_new(reader->process_count + 1, sizeof *shares);
	struct map numbers = {0};
	double *loads = NULL;
	uint32_t room = 0;

	for (size_t i = 0; i < reader->process_count; i++) {
		const char *list = process_property(&reader->processes[i], "cpus");
		struct number_range range;
		for (const char *at = list; at && next_range(&at, &range);)
			shares[i].cpus += range.last < CORES_MAX ? range.last - range.first + 1 : 0;
		for (const char *at = list; at && next_range(&at, &range);)
			for (uint32_t cpu = range.first; cpu <= range.last && range.last < CORES_MAX; cpu++)
				*load_of(&numbers, &loads, &room, nodes->of[i], cpu) += 1.0 / shares[i].cpus;
	}
	for (size_t i = 0; i < reader->process_count; i++) {
		const char *at = process_property(&reader->processes[i], "cpus");
		struct number_range range;
		while (at && next_range(&at, &range))
			for (uint32_t cpu = range.first; cpu <= range.last && range.last < CORES_MAX; cpu++)
				shares[i].sharers += *load_of(&numbers, &loads, &room, nodes->of[i], cpu);
	}
	free(loads);
	map_release(&numbers);
	return shares;
}

/* Steal time */

/* Less causes no noticeable delay. */
#define STEAL_NOTED 0.02
/* Ticks of the kernel, which counts whole ticks: fewer are not significant. */
enum { STEAL_TICKS = 5 };

/* Of the node, as seen by this process. */
static double share_taken(const struct process *process)
{
	const char *text = process_property(process, "steal");
	uint64_t steal, total;

	if (!text || sscanf(text, "%" SCNu64 "/%" SCNu64, &steal, &total) != 2 || steal < STEAL_TICKS ||
	    steal > total)
		return 0;
	return (double)steal / (double)total;
}

struct steal steal_of(const struct reader *reader, const struct nodes *nodes)
{
	double *shares = memory_new(nodes->count + 1, sizeof *shares);
	struct steal steal = {.name = ""};

	for (size_t i = 0; i < reader->process_count; i++) {
		double share = share_taken(&reader->processes[i]), *most = &shares[nodes->of[i]];
		*most = share > *most ? share : *most;
	}
	for (uint32_t i = 0; i < nodes->count; i++) {
		if (shares[i] < STEAL_NOTED)
			continue;
		steal.nodes++;
		if (shares[i] > steal.share) {
			steal.node = i;
			steal.name = nodes->names[i];
			steal.share = shares[i];
		}
	}
	free(shares);
	return steal;
}
