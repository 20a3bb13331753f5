#include "topo/mapping/mapping.h"

#include <stddef.h>

/* The node at a place: in a mapping, or in a layout with each process at the place of its rank. */
static int node_at_place(const struct layout *layout, const struct mapping *mapping, int place)
{
	return layout_node(layout, mapping ? mapping_rank(mapping, place) : place);
}

static int64_t cut(const struct layout *layout, enum mapping_graph graph, const struct mapping *mapping)
{
	int size = layout->size;
	int64_t units = 0;

	for (int place = 0; place < size; place++) {
		int node = node_at_place(layout, mapping, place);

		for (int64_t distance = 1; distance < size; distance *= 2) {
			int64_t sent = distance, peer = place ^ distance;

			if (graph == GRAPH_BRUCK) {
				sent = distance < size - distance ? distance : size - distance;
				peer = (place - distance + size) % size;
			}
			if (peer < size && node_at_place(layout, mapping, (int)peer) != node)
				units += sent;
		}
	}
	return units;
}

int64_t mapping_cut(const struct mapping *mapping)
{
	return cut(&mapping->layout, mapping->graph, mapping);
}

int64_t layout_cut(const struct layout *layout, enum mapping_graph graph)
{
	return cut(layout, graph, NULL);
}
