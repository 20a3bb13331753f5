#include "topo/mapping/owned_graph.h"

#include "topo/mapping/places.h"

#include <stdlib.h>

void owned_graph_release(struct owned_graph *group)
{
	free(group->offsets);
	free(group->targets);
	free(group->weights);
}

static bool claim(struct owned_graph *owned, int32_t vertices, size_t edges)
{
	owned->offsets = malloc(((size_t)vertices + 1) * sizeof *owned->offsets);
	owned->targets = malloc(edges * sizeof *owned->targets + 1);
	owned->weights = malloc(edges * sizeof *owned->weights + 1);
	if (owned->offsets && owned->targets && owned->weights)
		return true;
	owned_graph_release(owned);
	return false;
}

bool owned_graph_induced(struct owned_graph *group, const struct weighted_graph *g, const int32_t *vertices,
                         int32_t count, const int32_t *numbers)
{
	int64_t edges = 0;

	for (int32_t i = 0; i < count; i++)
		edges += g->offsets[vertices[i] + 1] - g->offsets[vertices[i]];
	if (!claim(group, count, (size_t)edges))
		return false;
	edges = 0;
	for (int32_t i = 0; i < count; i++) {
		group->offsets[i] = edges;
		for (int64_t e = g->offsets[vertices[i]]; e < g->offsets[vertices[i] + 1]; e++) {
			int32_t number = numbers[g->targets[e]];
			if (number >= count || vertices[number] != g->targets[e])
				continue;
			group->targets[edges] = number;
			group->weights[edges++] = g->weights[e];
		}
	}
	group->offsets[count] = edges;
	group->graph = (struct weighted_graph){count, group->offsets, group->targets, group->weights};
	return true;
}

/* Adds a neighbour to the row that starts at `begin`, or increases its weight. */
static int64_t add_neighbour(struct owned_graph *rows, int64_t begin, int64_t end, int neighbour, int units)
{
	for (int64_t e = begin; e < end; e++)
		if (rows->targets[e] == neighbour) {
			rows->weights[e] += units;
			return end;
		}
	rows->targets[end] = neighbour;
	rows->weights[end] = units;
	return end + 1;
}

bool owned_graph_of(struct owned_graph *rows, enum mapping_graph graph, int size)
{
	size_t room = 0;
	int64_t end = 0;

	for (int64_t distance = 1; distance < size; distance *= 2)
		room += 2 * (size_t)size;
	if (!claim(rows, size, room))
		return false;
	for (int place = 0; place < size; place++) {
		int64_t begin = end;
		rows->offsets[place] = begin;
		for (int64_t distance = 1; distance < size; distance *= 2) {
			int peer = graph_peer(graph, size, place, (int)distance);
			int units = graph_units(graph, size, (int)distance);
			if (peer < 0)
				continue;
			end = add_neighbour(rows, begin, end, peer, units);
			/* The place that sends to this one. */
			peer = graph == GRAPH_BRUCK ? (int)((place + distance) % size) : peer;
			end = add_neighbour(rows, begin, end, peer, units);
		}
	}
	rows->offsets[size] = end;
	rows->graph = (struct weighted_graph){size, rows->offsets, rows->targets, rows->weights};
	return true;
}
