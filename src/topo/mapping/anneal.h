/* Random improvement of partitions, to leave local optima; used by partition.h. Parts keep their sizes and
 * the cut never grows. Results depend only on the seed (not 0). False: out of memory. */
#ifndef TARRY_TOPO_MAPPING_ANNEAL_H
#define TARRY_TOPO_MAPPING_ANNEAL_H

#include "topo/mapping/bisection.h"
#include "topo/mapping/partition.h"

/* Lists the vertices of each part in ascending order: those of part p are members[first[p]] to
 * members[first[p + 1] - 1]. `first` has parts + 2 entries. */
void partition_members(int32_t vertices, int32_t parts, const int32_t *part_of, int32_t *first,
                       int32_t *members);

/* Tries random swaps between parts. At first a swap may increase the cut by `heat` times the weight at a
 * vertex, at the end not at all. */
bool partition_anneal(const struct weighted_graph *graph, int32_t parts, int64_t swaps, double heat,
                      uint64_t seed, int32_t *part_of);

/* Divides two to four neighbouring parts again, `times` times, and keeps improvements (redivide.c). */
bool partition_redivide(const struct weighted_graph *graph, int32_t parts, int rounds, uint64_t seed,
                        int32_t *part_of);

/* Redivides parts, then does random walks with about `swaps` swaps in total, each refined. */
bool partition_improve(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int32_t *part_of);

/* Redivides parts, then does one refined walk of `swaps` random swaps. Walks with different numbers are
 * independent; PARTITION_WALKS of them differ. */
bool partition_walk(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int number,
                    int32_t *part_of);
enum { PARTITION_WALKS = 3 };

#endif
