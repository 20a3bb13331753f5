/* The shape of this node, from hwloc. */
#include "topo/machine/plan.h"

#include <hwloc.h>

/* The largest cache that some, but not all, cores of a socket share. */
static hwloc_obj_t shared_cache(hwloc_obj_t core, hwloc_obj_t socket)
{
	hwloc_obj_t found = NULL;

	for (hwloc_obj_t at = core->parent; at && at != socket; at = at->parent)
		if (hwloc_obj_type_is_cache(at->type) && hwloc_bitmap_isincluded(core->cpuset, at->cpuset) &&
		    !hwloc_bitmap_isequal(core->cpuset, at->cpuset) &&
		    !(socket && hwloc_bitmap_isequal(socket->cpuset, at->cpuset)))
			found = at;
	return found;
}

static void scan_cores(struct arena *arena, hwloc_topology_t topology, struct node_shape *shape)
{
	int type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
	int count = hwloc_get_nbobjs_by_type(topology, (hwloc_obj_type_t)type);
	uint32_t *socket_of, *cache_of;
	hwloc_obj_t last_socket = NULL, last_cache = NULL;

	count = count < 0 ? 0 : count > NODE_CORES_MAX ? NODE_CORES_MAX : count;
	shape->socket_of = socket_of = arena_array(arena, uint32_t, (size_t)count + 1);
	shape->cache_of = cache_of = arena_array(arena, uint32_t, (size_t)count + 1);
	for (int i = 0; i < count; i++) {
		hwloc_obj_t core = hwloc_get_obj_by_type(topology, (hwloc_obj_type_t)type, (unsigned)i);
		hwloc_obj_t socket = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
		hwloc_obj_t cache = shared_cache(core, socket);
		bool is_new = !shape->cores || socket != last_socket;
		shape->sockets += is_new;
		if (is_new || cache != last_cache)
			shape->caches++;
		if (cache)
			shape->cache_name = arena_format(arena, "L%u", cache->attr->cache.depth);
		socket_of[shape->cores] = shape->sockets - 1;
		cache_of[shape->cores++] = shape->caches - 1;
		last_socket = socket;
		last_cache = cache;
	}
	if (shape->caches == shape->sockets)
		shape->cache_name = NULL;
}

void host_shape(struct arena *arena, struct node_shape *shape)
{
	hwloc_topology_t topology;

	*shape = (struct node_shape){0};
	if (hwloc_topology_init(&topology) == 0) {
		if (hwloc_topology_load(topology) == 0)
			scan_cores(arena, topology, shape);
		hwloc_topology_destroy(topology);
	}
	if (shape->cores)
		return;
	*shape = (struct node_shape){.sockets = 1, .caches = 1, .cores = 1};
	shape->socket_of = shape->cache_of = arena_array(arena, uint32_t, 1);
}
