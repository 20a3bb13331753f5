#include "bench/run/buffers.h"

#include "base/memory.h"

#include <hwloc.h>
#include <stdlib.h>

struct surroundings surroundings = {
	.caches = 1,
	.node_peer_count = 1,
	.node_processes = 1,
	.node_memory = UINT64_MAX,
	.process_memory = UINT64_MAX,
};

/* The last-level cache above an object. */
static hwloc_obj_t last_cache(hwloc_obj_t from)
{
	hwloc_obj_t found = NULL;

	for (hwloc_obj_t at = from; at; at = at->parent)
		if (hwloc_obj_type_is_dcache(at->type))
			found = at;
	return found;
}

/* The index of the cache on its node, or -1 for a process that is not bound to one. */
static int look_at_cache(hwloc_topology_t topology)
{
	hwloc_bitmap_t bound = hwloc_bitmap_alloc();
	hwloc_obj_t cache = NULL;
	int which = -1;

	if (hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(bound))
		cache = last_cache(
			hwloc_get_pu_obj_by_os_index(topology, (unsigned)hwloc_bitmap_first(bound)));
	if (cache) {
		surroundings.cache_bytes = cache->attr->cache.size;
		surroundings.caches = (int)hwloc_get_nbobjs_by_depth(topology, cache->depth);
		surroundings.is_bound = hwloc_bitmap_isincluded(bound, cache->cpuset);
		which = surroundings.is_bound ? (int)cache->logical_index : -1;
	}
	hwloc_bitmap_free(bound);
	return which;
}

static int find_cache(void)
{
	hwloc_topology_t topology;
	int which = -1;

	if (hwloc_topology_init(&topology) != 0)
		return -1;
	if (hwloc_topology_load(topology) == 0)
		which = look_at_cache(topology);
	hwloc_topology_destroy(topology);
	return which;
}

struct node_peer {
	int rank, cache;
};

static void find_node_peers(MPI_Comm node, const struct node_peer *me)
{
	struct node_peer *all;
	int size;

	MPI_Comm_size(node, &size);
	all = memory_new((size_t)size, sizeof *all);
	MPI_Allgather(me, 2, MPI_INT, all, 2, MPI_INT, node);
	free(surroundings.node_peers);
	surroundings.node_peers = memory_new((size_t)size, sizeof *surroundings.node_peers);
	surroundings.node_peer_count = 0;
	for (int i = 0; i < size; i++)
		if (me->cache < 0 || all[i].cache == me->cache)
			surroundings.node_peers[surroundings.node_peer_count++] = all[i].rank;
	surroundings.node_processes = size;
	free(all);
}

/* The worst of all processes counts, so that all decide alike. */
static void take_worst(MPI_Comm world)
{
	uint64_t least[] = {memory_of_node(), memory_of_process(),
	                    UINT64_MAX - (uint64_t)surroundings.node_processes, surroundings.cache_bytes};

	MPI_Allreduce(MPI_IN_PLACE, least, 4, MPI_UINT64_T, MPI_MIN, world);
	surroundings.node_memory = least[0];
	surroundings.process_memory = least[1];
	surroundings.node_processes = (int)(UINT64_MAX - least[2]);
	surroundings.cache_bytes = least[3];
}

void surroundings_find(MPI_Comm world)
{
	struct node_peer me = {.cache = find_cache()};
	MPI_Comm node;

	MPI_Comm_rank(world, &me.rank);
	MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, me.rank, MPI_INFO_NULL, &node);
	find_node_peers(node, &me);
	MPI_Comm_free(&node);
	take_worst(world);
}

int sharers_of(int node_peers)
{
	int sharers = surroundings.is_bound ? node_peers : node_peers / surroundings.caches;

	return sharers > 0 ? sharers : 1;
}

int surroundings_sharers(MPI_Comm comm)
{
	MPI_Group world, members;
	int *ranks, present = 0;

	if (!surroundings.node_peers)
		return 1;
	ranks = memory_new((size_t)surroundings.node_peer_count, sizeof *ranks);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Comm_group(comm, &members);
	MPI_Group_translate_ranks(world, surroundings.node_peer_count, surroundings.node_peers, members,
	                          ranks);
	for (int i = 0; i < surroundings.node_peer_count; i++)
		present += ranks[i] != MPI_UNDEFINED;
	MPI_Group_free(&world);
	MPI_Group_free(&members);
	free(ranks);
	return sharers_of(present);
}
