/* The inside of this node without hwloc: its cores are not told apart. */
#include "topo/machine/plan.h"

#include <unistd.h>

void host_shape(struct arena *arena, struct node_shape *shape)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	count = count < 1 ? 1 : count > NODE_CORES_MOST ? NODE_CORES_MOST : count;
	*shape = (struct node_shape){.sockets = 1, .caches = 1, .cores = (uint32_t)count};
	shape->socket_of = shape->cache_of = arena_array(arena, uint32_t, (size_t)count);
}
