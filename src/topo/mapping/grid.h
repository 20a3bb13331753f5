/* Partitions of grids with up to three dimensions, such as halo exchanges; used by partition.h.
 *
 * Ranks are numbered along rows, so neighbours differ by 1, by the length of a row and by the size of a plane. The
 * differences with most weight give the shape; the graph may have other edges too. */
#ifndef TARRY_TOPO_MAPPING_GRID_H
#define TARRY_TOPO_MAPPING_GRID_H

#include "topo/mapping/partition.h"

enum { GRID_DIMENSIONS = 3 };

struct grid_shape {
	int32_t lengths[GRID_DIMENSIONS]; /* rows first; 1: unused dimension */
};

/* Detects a grid of at least two dimensions. *found is false if it is not one. Returns false if out of memory. */
bool grid_find(const struct weighted_graph *graph, struct grid_shape *shape, bool *found);

/* Blocks of equal shape that fill the grid; the shape with the smallest cut. False: sizes differ or no shape fits. */
bool grid_tile(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
               const int32_t *sizes, int32_t *part_of);

/* Halves the grid recursively along the dimension with the smallest cut, to parts of exactly `sizes`.
 * False: out of memory. */
bool grid_halve(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
                const int32_t *sizes, int32_t *part_of);

#endif
