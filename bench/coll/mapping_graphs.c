#include "mapping_graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *get_memory(size_t bytes)
{
	void *memory = malloc(bytes + 1);

	if (!memory) {
		fprintf(stderr, "no memory for %zu bytes\n", bytes);
		exit(1);
	}
	return memory;
}

struct graph_rows make_rows(int vertices, int reach, int most, between *weight, const void *of)
{
	struct graph_rows rows;
	int64_t end = 0;

	rows.offsets = get_memory(((size_t)vertices + 1) * sizeof *rows.offsets);
	rows.targets = get_memory((size_t)vertices * (size_t)most * sizeof *rows.targets);
	rows.weights = get_memory((size_t)vertices * (size_t)most * sizeof *rows.weights);
	for (int v = 0; v < vertices; v++) {
		int last = v + reach < vertices ? v + reach : vertices - 1;

		rows.offsets[v] = end;
		for (int other = v > reach ? v - reach : 0; other <= last; other++) {
			double units = other == v ? 0 : weight(of, v, other);

			if (units > 0 && end < (int64_t)vertices * most) {
				rows.targets[end] = other;
				rows.weights[end++] = units;
			}
		}
	}
	rows.offsets[vertices] = end;
	rows.graph = (struct weighted_graph){vertices, rows.offsets, rows.targets, rows.weights};
	return rows;
}

static double halo_weight(const void *of, int a, int b)
{
	const int *shape = of;
	int apart = abs(a % shape[2] - b % shape[2]) +
	            abs(a / shape[2] % shape[1] - b / shape[2] % shape[1]) +
	            abs(a / shape[2] / shape[1] - b / shape[2] / shape[1]);

	return apart == 1 ? 1000 : 0;
}

struct graph_rows make_halo(int x, int y, int z)
{
	int shape[3] = {x, y, z};

	return make_rows(x * y * z, y * z, 6, halo_weight, shape);
}

struct points {
	int count;
	double reach_squared;
	double *coordinates;
};

static double point_weight(const void *of, int a, int b)
{
	const struct points *points = of;
	double dx = points->coordinates[2 * a] - points->coordinates[2 * b];
	double dy = points->coordinates[2 * a + 1] - points->coordinates[2 * b + 1];

	/* The same from both ends. */
	return dx * dx + dy * dy < points->reach_squared ? 1 + (a + b) * 7919 % 1000 : 0;
}

struct graph_rows make_geometric(int vertices, double degree)
{
	struct points points = {vertices, degree / (M_PI * vertices), NULL};
	struct graph_rows rows;

	points.coordinates = get_memory(2 * (size_t)vertices * sizeof *points.coordinates);
	srand48(vertices);
	for (int i = 0; i < 2 * vertices; i++)
		points.coordinates[i] = drand48();
	rows = make_rows(vertices, vertices, 8 * (int)degree, point_weight, &points);
	free(points.coordinates);
	return rows;
}
