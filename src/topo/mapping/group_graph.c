#include "topo/mapping/group_graph.h"

#include <stdlib.h>

void group_graph_release(struct group_graph *group)
{
	free(group->offsets);
	free(group->targets);
	free(group->weights);
}

bool group_graph_make(struct group_graph *group, const struct weighted_graph *g, const int32_t *vertices,
                      int32_t count, const int32_t *numbers)
{
	int64_t edges = 0;

	for (int32_t i = 0; i < count; i++)
		edges += g->offsets[vertices[i] + 1] - g->offsets[vertices[i]];
	group->offsets = malloc(((size_t)count + 1) * sizeof *group->offsets);
	group->targets = malloc((size_t)edges * sizeof *group->targets + 1);
	group->weights = malloc((size_t)edges * sizeof *group->weights + 1);
	if (!group->offsets || !group->targets || !group->weights) {
		group_graph_release(group);
		return false;
	}
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
