/* Partitions improved by chance: the steps of partition.h that leave local optima behind. Parts keep their sizes, and never more is cut than before; the same with the same
   seed (not 0). False: no memory. */
#ifndef TARRY_TOPO_MAPPING_ANNEAL_H
#define TARRY_TOPO_MAPPING_ANNEAL_H

#include "topo/mapping/bisection.h"
#include "topo/mapping/partition.h"

/* Lists the vertices of each part, in ascending order: those of part p are members[first[p]] to members[first[p + 1]]. `first` has room for two more numbers
   than parts, all 0. */
void partition_members(int32_t vertices, int32_t parts, const int32_t *part_of, int32_t *first,
                       int32_t *members);

/* Tries so many swaps between parts. A swap may first cut `heat` times the weight at a vertex more, in the end nothing. */
bool partition_anneal(const struct weighted_graph *graph, int32_t parts, int64_t swaps, double heat,
                      uint64_t seed, int32_t *part_of);

/* Divides two to four parts that share edges anew, so many times, and keeps what is better (redivide.c). */
bool partition_redivide(const struct weighted_graph *graph, int32_t parts, int rounds, uint64_t seed,
                        int32_t *part_of);

/* Both: parts divided anew, and then walks of random swaps, each refined, with about so many swaps together. */
bool partition_improve(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int32_t *part_of);

/* Parts divided anew, and one walk of `swaps` random swaps, refined. Walks of different numbers from the same partition do not depend on
   each other; there are PARTITION_WALKS that differ. */
bool partition_walk(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int number,
                    int32_t *part_of);
enum { PARTITION_WALKS = 3 };

#endif
