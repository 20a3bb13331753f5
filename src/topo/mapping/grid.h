/* Graphs that are grids of up to three dimensions, as those of halo exchanges: the steps of partition.h for them.
 *
 * Ranks of a grid are numbered along its rows, so that neighbours differ by 1, by the length of a row and by the size of a plane. Most weight
 * on such differences tells the shape; the graph may have other edges as well. */
#ifndef TARRY_TOPO_MAPPING_GRID_H
#define TARRY_TOPO_MAPPING_GRID_H

#include "topo/mapping/partition.h"

enum { GRID_DIMENSIONS = 3 };

struct grid_shape {
	int32_t lengths[GRID_DIMENSIONS]; /* the first is that of rows; 1: a dimension that is not there */
};

/* Whether a graph is a grid of two dimensions at least. False in `found`: it is none. False: no memory. */
bool grid_find(const struct weighted_graph *graph, struct grid_shape *shape, bool *found);

/* Blocks of equal shape, of those that fill the grid the ones that cut least. False: there are none, as sizes differ or do not fit. */
bool grid_tile(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
               const int32_t *sizes, int32_t *part_of);

/* Halves along rows, columns or planes, whichever cuts least, again and again, with exactly `sizes`. False: no memory. */
bool grid_halve(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
                const int32_t *sizes, int32_t *part_of);

#endif
