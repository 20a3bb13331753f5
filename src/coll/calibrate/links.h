/* Latencies between nodes, from which the tree of switches follows (topo/machine). */
#ifndef TARRY_COLL_CALIBRATE_LINKS_H
#define TARRY_COLL_CALIBRATE_LINKS_H

#include <stdio.h>

/* All processes call; rank 0 writes a line for each pair of nodes, "Link=n0,n1 Latency=1.5e-06". Nothing is written of fewer than three nodes,
 * which are no tree, of too many, or of nodes that share a name. */
void links_measure(FILE *file);

#endif
