/* The shape of this node without hwloc: all cores in one socket. */
#include "topo/machine/plan.h"

#include <unistd.h>

void host_shape(struct arena *arena, struct node_shape *shape)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	count = count < 1 ? 1 : count > NODE_CORES_MAX ? NODE_CORES_MAX : count;
	*shape = (struct node_shape){.sockets = 1, .caches = 1, .cores = (uint32_t)count};
	shape->socket_of = shape->cache_of = arena_array(arena, uint32_t, (size_t)count);
}
