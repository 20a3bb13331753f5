#include "topo/mapping/graph_rows.h"

#include "topo/mapping/places.h"

#include <stdlib.h>

/* Adds a neighbour to the row that starts at `begin`, or increases its weight. */
static int64_t add_neighbour(struct graph_rows *rows, int64_t begin, int64_t end, int neighbour, int units)
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

bool graph_rows_make(struct graph_rows *rows, enum mapping_graph graph, int size)
{
	size_t room = 0;
	int64_t end = 0;

	for (int64_t distance = 1; distance < size; distance *= 2)
		room += 2 * (size_t)size;
	rows->offsets = malloc(((size_t)size + 1) * sizeof *rows->offsets);
	rows->targets = malloc(room * sizeof *rows->targets + 1);
	rows->weights = malloc(room * sizeof *rows->weights + 1);
	if (!rows->offsets || !rows->targets || !rows->weights) {
		graph_rows_release(rows);
		return false;
	}
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

void graph_rows_release(struct graph_rows *rows)
{
	free(rows->offsets);
	free(rows->targets);
	free(rows->weights);
}
