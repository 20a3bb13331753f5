/* Swaps pairs of places, for graphs small enough to compare all places. */
#include "topo/mapping/places.h"

#include <stdlib.h>

enum { ROUNDS = 8, STEPS_MAX = 64 };

struct swapping {
	enum mapping_graph graph;
	int size, nodes;
	int *node_of;
	int *joined;          /* units between a place and a node: joined[place * nodes + node] */
	int *weights;         /* Bruck: units between places by distance, both directions */
	int steps[STEPS_MAX]; /* distances, and units sent over them */
	int units[STEPS_MAX];
	int count;
};

static int weight_between(const struct swapping *s, int a, int b)
{
	if (s->graph == GRAPH_BRUCK)
		return s->weights[a > b ? a - b : b - a];
	return ((a ^ b) & ((a ^ b) - 1)) ? 0 : 2 * (a ^ b);
}

/* Adds `sign` times the traffic of a place to its neighbours' units with a node. */
static void join(struct swapping *s, int place, int node, int sign)
{
	for (int i = 0; i < s->count; i++) {
		int units = sign * s->units[i], peer = graph_peer(s->graph, s->size, place, s->steps[i]);
		if (peer < 0)
			continue;
		if (s->graph != GRAPH_BRUCK) {
			s->joined[(size_t)peer * (size_t)s->nodes + (size_t)node] += 2 * units;
			continue;
		}
		s->joined[(size_t)peer * (size_t)s->nodes + (size_t)node] += units;
		peer = place + s->steps[i] < s->size ? place + s->steps[i] : place + s->steps[i] - s->size;
		s->joined[(size_t)peer * (size_t)s->nodes + (size_t)node] += units;
	}
}

/* Whether a place has more traffic with another node than with its own. A swap only gains if this holds for one of the two. */
static bool is_drawn(const struct swapping *s, int place)
{
	const int *own = s->joined + (size_t)place * (size_t)s->nodes;
	int here = own[s->node_of[place]];

	for (int node = 0; node < s->nodes; node++)
		if (own[node] > here)
			return true;
	return false;
}

/* The best swap partner on a node with more traffic to this place; -1: no swap reduces the cut. */
static int best_partner(const struct swapping *s, int place)
{
	const int *own = s->joined + (size_t)place * (size_t)s->nodes;
	int node = s->node_of[place], here = own[node], best = 0, found = -1;

	for (int other = 0; other < s->size; other++) {
		int there = s->node_of[other], gain = own[there] - here;
		const int *others = s->joined + (size_t)other * (size_t)s->nodes;
		if (gain <= 0)
			continue;
		gain += others[node] - others[there];
		if (gain <= best)
			continue;
		gain -= 2 * weight_between(s, place, other);
		if (gain > best) {
			best = gain;
			found = other;
		}
	}
	return found;
}

static void run(struct swapping *s)
{
	bool changed = true;

	for (int place = 0; place < s->size; place++)
		join(s, place, s->node_of[place], 1);
	for (int round = 0; changed && round < ROUNDS; round++) {
		changed = false;
		for (int place = 0; place < s->size; place++) {
			int partner = is_drawn(s, place) ? best_partner(s, place) : -1;
			if (partner >= 0) {
				int node = s->node_of[place], other = s->node_of[partner];
				join(s, place, node, -1);
				join(s, place, other, 1);
				join(s, partner, other, -1);
				join(s, partner, node, 1);
				s->node_of[place] = other;
				s->node_of[partner] = node;
				changed = true;
			}
		}
	}
}

bool swap_places(enum mapping_graph graph, int size, int nodes, int *node_of)
{
	struct swapping s = {.graph = graph, .size = size, .nodes = nodes, .node_of = node_of};

	s.joined = calloc((size_t)size * ((size_t)nodes + 1), sizeof *s.joined);
	if (!s.joined)
		return false;
	s.weights = s.joined + (size_t)size * (size_t)nodes;
	for (int64_t distance = 1; distance < size; distance *= 2) {
		s.steps[s.count] = (int)distance;
		s.units[s.count] = graph_units(graph, size, (int)distance);
		s.weights[distance] += s.units[s.count];
		s.weights[size - distance] += s.units[s.count];
		s.count++;
	}
	run(&s);
	free(s.joined);
	return true;
}
