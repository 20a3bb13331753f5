/* Latencies between nodes, from which topo/machine derives the tree of switches. */
#ifndef TARRY_COLL_CALIBRATE_LINKS_H
#define TARRY_COLL_CALIBRATE_LINKS_H

#include <stdio.h>

/* Collective. Rank 0 writes a line per pair of nodes, "Link=n0,n1 Latency=1.5e-06". Writes nothing for
 * fewer than three nodes, for too many, or if two nodes have the same name. */
void links_measure(FILE *file);

#endif
