/* Graphs to divide, and the partitioners to compare with. */
#ifndef MAPPING_GRAPHS_H
#define MAPPING_GRAPHS_H

#include "topo/mapping/graph_rows.h"

#include <stddef.h>

/* Neighbours on a grid of x × y × z, each of which exchanges 1000. */
struct graph_rows make_halo(int x, int y, int z);

/* Points at random in a square, with edges of random weight between those that are near: about `degree` for each. */
struct graph_rows make_geometric(int vertices, double degree);

/* What two vertices exchange, 0 if they are no neighbours. */
typedef double between(const void *graph, int a, int b);

/* Candidates for neighbours are all vertices within `reach` of a vertex's number; a vertex has at most `most`. */
struct graph_rows make_rows(int vertices, int reach, int most, between *weight, const void *of);

/* Traffic of a kind of program, with drand48(). */
enum { TRAFFIC_KINDS = 7 };
struct graph_rows make_traffic(int kind, int ranks, const char **name);

struct division {
	int32_t *part_of;
	double seconds; /* of the processor */
};

/* Each a division, or seconds of -1 where the library is missing. METIS: by recursive bisection, or into all parts at once. */
void divide_with_metis(const struct weighted_graph *graph, int parts, const int *sizes, int at_once,
                       struct division *found);
void divide_with_scotch(const struct weighted_graph *graph, int parts, const int *sizes,
                        struct division *found);

double processor_seconds(void);
void *get_memory(size_t bytes);

#endif
