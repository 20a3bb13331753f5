/* Partitions improved by random swaps: the steps of partition.h for graphs of little structure, such as those of collective algorithms. */
#ifndef TARRY_TOPO_MAPPING_ANNEAL_H
#define TARRY_TOPO_MAPPING_ANNEAL_H

#include "topo/mapping/bisection.h"
#include "topo/mapping/partition.h"

/* Tries so many swaps between parts, which keep their sizes. A swap may first cut `heat` times the weight at a vertex more, in the end
   nothing. Never leaves more cut than before; the same with the same seed (not 0). False: no memory. */
bool partition_anneal(const struct weighted_graph *graph, int32_t parts, int64_t swaps, double heat,
                      uint64_t seed, int32_t *part_of);

#endif
