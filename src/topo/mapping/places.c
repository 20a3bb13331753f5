#include "topo/mapping/places.h"

/* Larger graphs are sampled at about this many places. */
enum { SAMPLED = 65536 };

int graph_peer(enum mapping_graph graph, int size, int place, int distance)
{
	int peer;

	if (graph == GRAPH_BRUCK)
		return place >= distance ? place - distance : place - distance + size;
	peer = place ^ distance;
	return peer < size ? peer : -1;
}

int graph_units(enum mapping_graph graph, int size, int distance)
{
	return graph == GRAPH_BRUCK && size - distance < distance ? size - distance : distance;
}

int64_t division_cut(enum mapping_graph graph, int size, const int *node_of)
{
	int step = size > SAMPLED ? size / SAMPLED | 1 : 1;
	int64_t cut = 0;

	for (int64_t distance = 1; distance < size; distance *= 2) {
		int64_t crossing = 0;
		for (int place = 0; place < size; place += step) {
			int peer = graph_peer(graph, size, place, (int)distance);
			crossing += peer >= 0 && node_of[peer] != node_of[place];
		}
		cut += crossing * graph_units(graph, size, (int)distance);
	}
	return cut;
}
