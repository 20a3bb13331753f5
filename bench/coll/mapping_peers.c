/* METIS and SCOTCH, with their default quality and the smallest possible imbalance. */
#include "mapping_graphs.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_METIS
#include <metis.h>

static idx_t *metis_numbers(int64_t count)
{
	return get_memory((size_t)count * sizeof(idx_t));
}

void divide_with_metis(const struct weighted_graph *graph, int parts, const int *sizes, int at_once,
                       struct division *found)
{
	int64_t edges = graph->offsets[graph->vertices];
	idx_t n = graph->vertices, constraints = 1, count = parts, cut, options[METIS_NOPTIONS];
	idx_t *rows = metis_numbers(n + 1), *targets = metis_numbers(edges), *weights = metis_numbers(edges);
	idx_t *part_of = metis_numbers(n);
	real_t *shares = get_memory((size_t)parts * sizeof *shares);

	for (idx_t v = 0; v <= n; v++)
		rows[v] = (idx_t)graph->offsets[v];
	for (int64_t e = 0; e < edges; e++) {
		targets[e] = graph->targets[e];
		weights[e] = (idx_t)graph->weights[e];
	}
	for (int part = 0; part < parts; part++)
		shares[part] = (real_t)sizes[part] / (real_t)n;
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_UFACTOR] = 1;
	found->seconds = processor_seconds();
	(at_once ? METIS_PartGraphKway : METIS_PartGraphRecursive)(&n, &constraints, rows, targets, NULL,
	                                                           NULL, weights, &count, shares, NULL,
	                                                           options, &cut, part_of);
	found->seconds = processor_seconds() - found->seconds;
	for (idx_t v = 0; v < n; v++)
		found->part_of[v] = (int32_t)part_of[v];
	free(rows);
	free(targets);
	free(weights);
	free(part_of);
	free(shares);
}
#else
void divide_with_metis(const struct weighted_graph *graph, int parts, const int *sizes, int at_once,
                       struct division *found)
{
	(void)graph, (void)parts, (void)sizes, (void)at_once;
	found->seconds = -1;
}
#endif

#ifdef HAVE_SCOTCH
#include <scotch.h>

static SCOTCH_Num *scotch_numbers(int64_t count)
{
	return get_memory((size_t)count * sizeof(SCOTCH_Num));
}

/* The target is a complete graph whose vertex weights are the sizes of the parts. */
static void map_with_scotch(SCOTCH_Graph *graph, int parts, SCOTCH_Num *sizes, SCOTCH_Num *part_of)
{
	SCOTCH_Arch target;
	SCOTCH_Strat strategy;

	SCOTCH_archInit(&target);
	SCOTCH_stratInit(&strategy);
	SCOTCH_archCmpltw(&target, parts, sizes);
	SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, parts, 0.0);
	SCOTCH_graphMap(graph, &target, &strategy, part_of);
	SCOTCH_stratExit(&strategy);
	SCOTCH_archExit(&target);
}

void divide_with_scotch(const struct weighted_graph *graph, int parts, const int *sizes,
                        struct division *found)
{
	int64_t edges = graph->offsets[graph->vertices];
	SCOTCH_Num n = graph->vertices, *rows = scotch_numbers(n + 1), *targets = scotch_numbers(edges);
	SCOTCH_Num *weights = scotch_numbers(edges), *part_of = scotch_numbers(n),
		   *shares = scotch_numbers(parts);
	SCOTCH_Graph copy;

	for (SCOTCH_Num v = 0; v <= n; v++)
		rows[v] = (SCOTCH_Num)graph->offsets[v];
	for (int64_t e = 0; e < edges; e++) {
		targets[e] = graph->targets[e];
		weights[e] = (SCOTCH_Num)graph->weights[e];
	}
	for (int part = 0; part < parts; part++)
		shares[part] = sizes[part];
	SCOTCH_graphInit(&copy);
	SCOTCH_graphBuild(&copy, 0, n, rows, NULL, NULL, NULL, (SCOTCH_Num)edges, targets, weights);
	found->seconds = processor_seconds();
	map_with_scotch(&copy, parts, shares, part_of);
	found->seconds = processor_seconds() - found->seconds;
	for (SCOTCH_Num v = 0; v < n; v++)
		found->part_of[v] = (int32_t)part_of[v];
	SCOTCH_graphExit(&copy);
	free(rows);
	free(targets);
	free(weights);
	free(part_of);
	free(shares);
}
#else
void divide_with_scotch(const struct weighted_graph *graph, int parts, const int *sizes,
                        struct division *found)
{
	(void)graph, (void)parts, (void)sizes;
	found->seconds = -1;
}
#endif
