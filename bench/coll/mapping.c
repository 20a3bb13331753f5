/* Divides graphs with Tarry, METIS and SCOTCH: one line per graph, which mapping.py reads.
 *
 *	graph parts  cut missed seconds (Tarry)  cut missed seconds (METIS)  cut missed seconds (SCOTCH)
 *
 *	mapping COUNT SEED           this many random layouts instead of the fixed ones
 *	mapping COUNT SEED FIRST     the traffic of this many programs, from number FIRST of this seed
 *	mapping times PLACES/NODES...    time of mappings alone: "Bruck" or "doubling", "regular" or "irregular", places, nodes, seconds
 *
 * A part is missed if its size is wrong. For the other two, sizes are made exact by the cheapest moves before the cut is
 * computed. The better of METIS's two methods counts. */
#include "mapping_graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sizes {
	int parts;
	int *of;
};

static struct sizes equal_sizes(int total, int size)
{
	struct sizes sizes = {total / size, get_memory((size_t)total * sizeof(int))};

	for (int part = 0; part < sizes.parts; part++)
		sizes.of[part] = size;
	return sizes;
}

/* 5, 7 and 12 in turn. */
static struct sizes mixed_sizes(int total)
{
	static const int turn[] = {5, 7, 12};
	struct sizes sizes = {0, get_memory((size_t)total * sizeof(int))};

	for (int left = total; left; sizes.parts++) {
		int size = turn[sizes.parts % 3] < left ? turn[sizes.parts % 3] : left;

		sizes.of[sizes.parts] = size;
		left -= size;
	}
	return sizes;
}

/* Random numbers from 1 to `most`. */
static struct sizes random_sizes(int total, int most)
{
	struct sizes sizes = {0, get_memory((size_t)total * sizeof(int))};

	for (int left = total; left; sizes.parts++) {
		int size = 1 + (int)(drand48() * most);

		sizes.of[sizes.parts] = size < left ? size : left;
		left -= sizes.of[sizes.parts];
	}
	return sizes;
}

/* The cheapest move from a part that is too large to one that is too small; false: none. */
static bool move_cheapest(const struct weighted_graph *g, const struct sizes *sizes, int *counts,
                          double *joined, int32_t *part_of)
{
	double best = 0;
	int vertex = -1, to = -1;

	for (int v = 0; v < g->vertices; v++) {
		int own = part_of[v];

		if (counts[own] <= sizes->of[own])
			continue;
		memset(joined, 0, (size_t)sizes->parts * sizeof *joined);
		for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
			joined[part_of[g->targets[e]]] += g->weights[e];
		for (int part = 0; part < sizes->parts; part++)
			if (counts[part] < sizes->of[part] &&
			    (vertex < 0 || joined[part] - joined[own] > best)) {
				best = joined[part] - joined[own];
				vertex = v;
				to = part;
			}
	}
	if (vertex < 0)
		return false;
	counts[part_of[vertex]]--;
	counts[to]++;
	part_of[vertex] = to;
	return true;
}

/* Returns the number of parts with wrong sizes. */
static int make_exact(const struct weighted_graph *graph, const struct sizes *sizes, int32_t *part_of)
{
	int *counts = calloc((size_t)sizes->parts, sizeof *counts), missed = 0;
	double *joined = get_memory((size_t)sizes->parts * sizeof *joined);

	if (!counts)
		exit(1);
	for (int v = 0; v < graph->vertices; v++)
		counts[part_of[v]]++;
	for (int part = 0; part < sizes->parts; part++)
		missed += counts[part] != sizes->of[part];
	while (missed && move_cheapest(graph, sizes, counts, joined, part_of))
		;
	free(counts);
	free(joined);
	return missed;
}

static void print_result(double cut, int missed, double seconds)
{
	printf("\t%.0f\t%d\t%.9f", cut, missed, seconds);
}

static void print_peers(const struct weighted_graph *graph, const struct sizes *sizes)
{
	struct division found = {get_memory((size_t)graph->vertices * sizeof *found.part_of), 0};
	double best = -1, seconds = -1;
	int best_missed = 0;

	for (int at_once = 0; at_once < 2; at_once++) {
		int missed;
		double cut;

		divide_with_metis(graph, sizes->parts, sizes->of, at_once, &found);
		if (found.seconds < 0)
			continue;
		missed = make_exact(graph, sizes, found.part_of);
		cut = partition_cut(graph, found.part_of);
		if (best < 0 || cut < best) {
			best = cut;
			best_missed = missed;
			seconds = found.seconds;
		}
	}
	print_result(best, best_missed, seconds);
	divide_with_scotch(graph, sizes->parts, sizes->of, &found);
	best_missed = found.seconds < 0 ? 0 : make_exact(graph, sizes, found.part_of);
	print_result(found.seconds < 0 ? -1 : partition_cut(graph, found.part_of), best_missed,
	             found.seconds);
	printf("\n");
	fflush(stdout);
	free(found.part_of);
}

/* By partition.h. */
static void compare_partition(const char *name, struct graph_rows rows, struct sizes sizes)
{
	int32_t *part_of = get_memory((size_t)rows.graph.vertices * sizeof *part_of);
	double seconds = processor_seconds(), cut;

	if (!partition_graph(&rows.graph, sizes.parts, sizes.of, part_of))
		exit(1);
	seconds = processor_seconds() - seconds;
	cut = partition_cut(&rows.graph, part_of);
	printf("%s\t%d", name, sizes.parts);
	print_result(cut, make_exact(&rows.graph, &sizes, part_of), seconds);
	print_peers(&rows.graph, &sizes);
	graph_rows_release(&rows);
	free(sizes.of);
	free(part_of);
}

/* Until the place of every process is known. The minimum of a few times, because the first one touches
 * memory. */
static double mapping_seconds(const struct layout *layout, enum mapping_graph graph, int rounds,
                              struct mapping *mapping)
{
	double least = -1;
	volatile int place;

	for (int round = 0; round < rounds; round++) {
		double seconds = processor_seconds();

		if (round)
			mapping_release(mapping);
		if (!mapping_make(mapping, layout, graph))
			exit(1);
		for (int rank = 0; rank < layout->size; rank++)
			place = mapping_place(mapping, rank);
		seconds = processor_seconds() - seconds;
		least = least < 0 || seconds < least ? seconds : least;
	}
	(void)place;
	return least;
}

/* By mapping.h. */
static void compare_layout(enum mapping_graph graph, int size, struct sizes sizes, bool with_peers,
                           const char *irregular, int rounds)
{
	int *keys = get_memory((size_t)size * sizeof *keys);
	struct layout layout;
	struct mapping mapping;
	struct graph_rows rows;
	double seconds;

	for (int part = 0, rank = 0; part < sizes.parts; part++)
		for (int i = 0; i < sizes.of[part]; i++)
			keys[rank++] = part;
	if (!layout_make(&layout, size, keys))
		exit(1);
	seconds = mapping_seconds(&layout, graph, rounds, &mapping);
	printf("%s %d, nodes of ", graph == GRAPH_BRUCK ? "Bruck" : "doubling", size);
	if (layout_is_regular(&layout))
		printf("%d\t%d", sizes.of[0], sizes.parts);
	else
		printf("%s\t%d", irregular, sizes.parts);
	print_result((double)mapping_cut(&mapping), 0, seconds);
	if (with_peers) {
		if (!graph_rows_make(&rows, graph, size))
			exit(1);
		print_peers(&rows.graph, &sizes);
		graph_rows_release(&rows);
	} else {
		printf("\t-1\t0\t-1\t-1\t0\t-1\n");
	}
	mapping_release(&mapping);
	layout_release(&layout);
	free(sizes.of);
	free(keys);
}

static void compare_mapping(enum mapping_graph graph, int size, struct sizes sizes, bool with_peers)
{
	compare_layout(graph, size, sizes, with_peers, "5, 7, 12", size < 100000 ? 20 : 3);
}

static void compare_mappings(void)
{
	static const int regular[][2] = {{64, 8},   {1024, 8}, {96, 8},   {100, 20},  {120, 8},
	                                 {360, 12}, {999, 27}, {1000, 8}, {4000, 40}, {4480, 128}};
	static const int mixed[] = {64, 100, 256, 1000, 1024, 4096};
	static const int uneven[][2] = {{36, 4}, {36, 6}, {100, 20}, {360, 12}, {1000, 8}};
	static const int doubling[] = {64, 256, 1024, 4096};

	for (size_t i = 0; i < sizeof regular / sizeof *regular; i++)
		compare_mapping(GRAPH_BRUCK, regular[i][0], equal_sizes(regular[i][0], regular[i][1]), true);
	for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
		compare_mapping(GRAPH_BRUCK, mixed[i], mixed_sizes(mixed[i]), true);
	compare_mapping(GRAPH_RECURSIVE_DOUBLING, 64, equal_sizes(64, 8), true);
	for (size_t i = 0; i < sizeof uneven / sizeof *uneven; i++)
		compare_mapping(GRAPH_RECURSIVE_DOUBLING, uneven[i][0],
		                equal_sizes(uneven[i][0], uneven[i][1]), true);
	for (size_t i = 0; i < sizeof doubling / sizeof *doubling; i++)
		compare_mapping(GRAPH_RECURSIVE_DOUBLING, doubling[i], mixed_sizes(doubling[i]), true);
	/* The others take half a minute and gigabytes. */
	compare_mapping(GRAPH_BRUCK, 1 << 20, equal_sizes(1 << 20, 8), false);
	compare_mapping(GRAPH_BRUCK, 1 << 20, mixed_sizes(1 << 20), false);
	compare_mapping(GRAPH_BRUCK, 1000000, mixed_sizes(1000000), false);
}

static void compare_partitions(void)
{
	compare_partition("halo 32 x 32, nodes of 16", make_halo(32, 32, 1), equal_sizes(1024, 16));
	compare_partition("halo 40 x 25, nodes of 8", make_halo(40, 25, 1), equal_sizes(1000, 8));
	compare_partition("halo 48 x 48, nodes of 64", make_halo(48, 48, 1), equal_sizes(2304, 64));
	compare_partition("halo 64 x 64, nodes of 64", make_halo(64, 64, 1), equal_sizes(4096, 64));
	compare_partition("halo 32 x 32, nodes of 5, 7, 12", make_halo(32, 32, 1), mixed_sizes(1024));
	compare_partition("halo 10 x 10 x 10, nodes of 8", make_halo(10, 10, 10), equal_sizes(1000, 8));
	compare_partition("halo 16 x 16 x 16, nodes of 64", make_halo(16, 16, 16), equal_sizes(4096, 64));
	compare_partition("halo 10 x 10 x 10, nodes of 5, 7, 12", make_halo(10, 10, 10), mixed_sizes(1000));
	compare_partition("geometric 1000, nodes of 8", make_geometric(1000, 12), equal_sizes(1000, 8));
	compare_partition("geometric 1000, nodes of 5, 7, 12", make_geometric(1000, 12), mixed_sizes(1000));
	compare_partition("geometric 2048, nodes of 32", make_geometric(2048, 16), equal_sizes(2048, 32));
}

/* A layout of 12 to 6144 processes: equal nodes, nodes of 5, 7 and 12, or of random sizes. */
static void compare_random(void)
{
	enum mapping_graph graph = drand48() < 0.6 ? GRAPH_BRUCK : GRAPH_RECURSIVE_DOUBLING;
	int kind = (int)(drand48() * 3), size = (int)(12 * exp2(9 * drand48()));
	char name[40];

	if (kind == 0) {
		int per_node = 2 + (int)(drand48() * (size < 512 ? 14 : 126));
		size = size / per_node > 1 ? size / per_node * per_node : 2 * per_node;
		compare_layout(graph, size, equal_sizes(size, per_node), true, "", 1);
	} else if (kind == 1) {
		compare_layout(graph, size, mixed_sizes(size), true, "5, 7, 12", 1);
	} else {
		int most = 2 + (int)(drand48() * 46);
		most = most < size / 2 ? most : size / 2;
		snprintf(name, sizeof name, "1 to %d", most);
		compare_layout(graph, size, random_sizes(size, most), true, name, 1);
	}
}

/* Nodes of 2 to 32 ranks, of 5, 7 and 12, or of random sizes. Kinds of traffic alternate, each with its
 * own random numbers. */
static void compare_traffic(int seed, int i)
{
	int kind, ranks;
	struct graph_rows rows;
	struct sizes sizes;
	const char *traffic;
	char name[80];

	/* Similar seeds have similar first numbers. */
	srand48((seed * 1000003L + i) * 2654435761L);
	kind = (int)(drand48() * 3);
	ranks = (int)(16 * exp2(7 * drand48()));
	if (kind == 0) {
		int most = ranks / 2 < 32 ? ranks / 2 : 32, size = 2 + (int)(drand48() * (most - 1));

		ranks = ranks / size * size;
		sizes = equal_sizes(ranks, size);
	} else {
		sizes = kind == 1 ? mixed_sizes(ranks) : random_sizes(ranks, 2 + (int)(drand48() * 30));
	}
	rows = make_traffic(i % TRAFFIC_KINDS, ranks, &traffic);
	snprintf(name, sizeof name, "%s %d, nodes of %s%.0d #%d", traffic, ranks,
	         kind == 0   ? ""
	         : kind == 1 ? "5, 7, 12"
	                     : "1 or more",
	         kind == 0 ? sizes.of[0] : 0, i);
	compare_partition(name, rows, sizes);
}

/* Nodes of equal sizes, and nodes of alternately one process more and one less. */
static void time_mapping(enum mapping_graph graph, int size, int nodes, bool regular)
{
	int *keys = get_memory((size_t)size * sizeof *keys);
	struct layout layout;
	struct mapping mapping;

	for (int node = 0, rank = 0; node < nodes; node++) {
		int count = size / nodes + (regular ? 0 : node % 2 ? -1 : 1);

		for (int i = 0; i < count || (node == nodes - 1 && rank < size); i++)
			keys[rank++] = node;
	}
	if (!layout_make(&layout, size, keys))
		exit(1);
	printf("%s\t%s\t%d\t%d\t%.9f\n", graph == GRAPH_BRUCK ? "Bruck" : "doubling",
	       regular ? "regular" : "irregular", size, nodes,
	       mapping_seconds(&layout, graph, regular ? 20 : 1, &mapping));
	fflush(stdout);
	mapping_release(&mapping);
	layout_release(&layout);
	free(keys);
}

static void time_mappings(char **cases)
{
	int size, nodes;

	for (; *cases && sscanf(*cases, "%d/%d", &size, &nodes) == 2; cases++)
		for (int kind = 0; kind < 4; kind++)
			if (kind & 1 || size >= 4 * nodes)
				time_mapping(kind & 2 ? GRAPH_BRUCK : GRAPH_RECURSIVE_DOUBLING, size, nodes,
				             kind & 1);
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;

	if (argc > 2 && !strcmp(argv[1], "times")) {
		time_mappings(argv + 2);
		return 0;
	}
	if (count) {
		srand48(atoi(argv[2]));
		for (int i = 0; i < count; i++)
			if (argc > 3)
				compare_traffic(atoi(argv[2]), atoi(argv[3]) + i);
			else
				compare_random();
		return 0;
	}
	compare_mappings();
	compare_partitions();
	return 0;
}
