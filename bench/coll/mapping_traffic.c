/* Random traffic like that of programs. The order of ranks is random, except where programs number them
 * along a grid. */
#include "mapping_graphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Traffic of each pair, from both ends. */
struct pairs {
	int ranks;
	double *units;
};

static int below(int limit)
{
	return (int)(drand48() * limit);
}

/* Usually about `typical`, sometimes much more. */
static double heavy_tail(double typical)
{
	return 1 + floor(typical * exp(2 * (drand48() + drand48() - 1)));
}

static void add(struct pairs *p, int a, int b, double units)
{
	if (a == b)
		return;
	p->units[(size_t)a * (size_t)p->ranks + (size_t)b] += units;
	p->units[(size_t)b * (size_t)p->ranks + (size_t)a] += units;
}

static double units_between(const void *of, int a, int b)
{
	const struct pairs *p = of;

	return p->units[(size_t)a * (size_t)p->ranks + (size_t)b];
}

/* Each point with its nearest neighbours, in a square or a cube. */
static void add_nearest(struct pairs *p, int dimensions, int count)
{
	double *at = get_memory(3 * (size_t)p->ranks * sizeof *at);
	double *apart = get_memory((size_t)p->ranks * sizeof *apart);

	for (int i = 0; i < 3 * p->ranks; i++)
		at[i] = i % 3 < dimensions ? drand48() : 0;
	for (int a = 0; a < p->ranks; a++) {
		for (int b = 0; b < p->ranks; b++)
			apart[b] = a == b ? INFINITY
			                  : hypot(hypot(at[3 * a] - at[3 * b], at[3 * a + 1] - at[3 * b + 1]),
			                          at[3 * a + 2] - at[3 * b + 2]);
		for (int i = 0; i < count && i < p->ranks - 1; i++) {
			int nearest = 0;

			for (int b = 1; b < p->ranks; b++)
				nearest = apart[b] < apart[nearest] ? b : nearest;
			apart[nearest] = INFINITY;
			add(p, a, nearest, heavy_tail(100));
		}
	}
	free(at);
	free(apart);
}

/* A triangulated surface, or a part of one. */
static void mesh(struct pairs *p)
{
	add_nearest(p, 2, 3 + below(4));
}

static void volume(struct pairs *p)
{
	add_nearest(p, 3, 5 + below(8));
}

/* Preferential attachment, as in graphs of social networks and of the web. */
static void power_law(struct pairs *p)
{
	int links = 1 + below(5), *ends = get_memory(2 * (size_t)links * (size_t)p->ranks * sizeof *ends),
	    count = 0;

	for (int a = 1; a < p->ranks; a++)
		for (int i = 0; i < links; i++) {
			int b = count ? ends[below(count)] : 0;

			b = b == a ? below(a) : b;
			add(p, a, b, heavy_tail(50));
			ends[count++] = a;
			ends[count++] = b;
		}
	free(ends);
}

/* Blocks of a structured grid, each divided among some ranks, connected at a few heavy faces. */
static void blocks(struct pairs *p)
{
	for (int first = 0, end; first < p->ranks; first = end) {
		int rows = 1 + below(6), columns = 1 + below(6);

		end = first + rows * columns < p->ranks ? first + rows * columns : p->ranks;
		for (int a = first; a < end; a++) {
			if ((a - first) % columns + 1 < columns && a + 1 < end)
				add(p, a, a + 1, 20);
			if (a + columns < end)
				add(p, a, a + columns, 30);
		}
		for (int i = 0; i < 3 && first; i++)
			add(p, first + below(end - first), below(first), heavy_tail(i ? 30 : 600));
	}
}

/* Rows and columns of a process grid, as in a parallel Fourier transform, and a group of arbitrary ranks. */
static void communicators(struct pairs *p)
{
	int columns = 2 + below((int)sqrt(p->ranks)), row_units = 1 + below(40), column_units = 1 + below(40);
	int *group = get_memory((size_t)p->ranks * sizeof *group), members = 2 + below(p->ranks / 4);

	for (int i = 0; i < members; i++)
		group[i] = below(p->ranks);
	for (int i = 0; i < members && members < 64; i++)
		for (int j = 0; j < i; j++)
			add(p, group[i], group[j], 5);
	for (int a = 0; a < p->ranks; a++)
		for (int b = 0; b < a; b++) {
			if (a / columns == b / columns)
				add(p, a, b, row_units);
			if (a % columns == b % columns)
				add(p, a, b, column_units);
		}
	free(group);
}

/* Each worker with one of a few masters, and some workers with each other. */
static void masters(struct pairs *p)
{
	int count = 1 + below(4), chains = below(3);

	for (int a = count; a < p->ranks; a++) {
		add(p, a, below(count), heavy_tail(100));
		if (chains && a > count)
			add(p, a, a - 1, heavy_tail(chains == 1 ? 10 : 80));
	}
	for (int a = 1; a < count; a++)
		add(p, 0, a, 500);
}

/* A halo with corners on a grid that is periodic in one direction, not square, and heavier in one
 * direction; in half of the cases ranks are renumbered at random. */
static void torus(struct pairs *p)
{
	int columns = 3 + below((int)(2 * sqrt(p->ranks))), across = 1 + below(100), along = 1 + below(100);
	int *name = get_memory((size_t)p->ranks * sizeof *name);
	int mixed = drand48() < 0.5;

	for (int i = 0; i < p->ranks; i++) {
		int other = mixed ? below(i + 1) : i;

		name[i] = name[other];
		name[other] = i;
	}
	for (int a = 0; a < p->ranks; a++) {
		int next = a % columns + 1 < columns ? a + 1 : a + 1 - columns;

		if (next < p->ranks)
			add(p, name[a], name[next], along);
		if (a + columns < p->ranks)
			add(p, name[a], name[a + columns], across);
		if (a % columns + 1 < columns && a + columns + 1 < p->ranks)
			add(p, name[a], name[a + columns + 1], 1);
	}
	free(name);
}

static const struct {
	const char *name;
	void (*draw)(struct pairs *p);
} kinds[TRAFFIC_KINDS] = {
	{"mesh", mesh},
	{"volume", volume},
	{"power law", power_law},
	{"blocks", blocks},
	{"communicators", communicators},
	{"masters", masters},
	{"torus", torus},
};

struct graph_rows make_traffic(int kind, int ranks, const char **name)
{
	struct pairs p = {ranks, calloc((size_t)ranks * (size_t)ranks, sizeof *p.units)};
	struct graph_rows rows;

	if (!p.units)
		exit(1);
	*name = kinds[kind].name;
	kinds[kind].draw(&p);
	rows = make_rows(ranks, ranks, ranks, units_between, &p);
	free(p.units);
	return rows;
}
