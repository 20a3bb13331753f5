/* Graphs to divide, and the partitioners to compare with. */
#ifndef MAPPING_GRAPHS_H
#define MAPPING_GRAPHS_H

#include "topo/mapping/graph_rows.h"

#include <stddef.h>

/* Neighbours on a grid of x × y × z; each pair exchanges 1000. */
struct graph_rows make_halo(int x, int y, int z);

/* Random points in a square, with edges of random weight between close ones: about `degree` per point. */
struct graph_rows make_geometric(int vertices, double degree);

/* Traffic between two vertices; 0 if they are not neighbours. */
typedef double between(const void *graph, int a, int b);

/* Candidates for neighbours are all vertices within `reach` of a vertex's number; a vertex has at most
 * `most`. */
struct graph_rows make_rows(int vertices, int reach, int most, between *weight, const void *of);

/* Traffic of a kind of program, with drand48(). */
enum { TRAFFIC_KINDS = 7 };
struct graph_rows make_traffic(int kind, int ranks, const char **name);

struct division {
	int32_t *part_of;
	double seconds; /* CPU time */
};

/* Each makes a division, or seconds are -1 if the library is missing. METIS: by recursive bisection, or
 * k-way. */
void divide_with_metis(const struct weighted_graph *graph, int parts, const int *sizes, int at_once,
                       struct division *found);
void divide_with_scotch(const struct weighted_graph *graph, int parts, const int *sizes,
                        struct division *found);

double processor_seconds(void);
void *get_memory(size_t bytes);

#endif
