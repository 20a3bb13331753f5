#include "topo/mapping/mapping.h"

#include "topo/mapping/places.h"

void progression_make(struct progression *p, int size, int stride)
{
	p->size = size;
	p->stride = stride;
	p->cycles = size & -size;
	if (p->cycles > stride)
		p->cycles = stride;
	p->cycle = size / p->cycles;
	int64_t number = stride / p->cycles;
	int64_t old = p->cycle, rest = number % p->cycle, old_factor = 0, factor = 1;
	while (rest) {
		int64_t quotient = old / rest, next = old - quotient * rest,
			next_factor = old_factor - quotient * factor;
		old = rest;
		rest = next;
		old_factor = factor;
		factor = next_factor;
	}
	p->inverse = (int)((old_factor % p->cycle + p->cycle) % p->cycle);
}

static int reverse_bits(int number, int end)
{
	int reversed = 0;

	for (int bit = 1; bit < end; bit *= 2) {
		reversed = 2 * reversed + (number & 1);
		number >>= 1;
	}
	return reversed;
}

/* Cycles are in bit-reversed order, every other one backwards: a node with the end of one and the start of
 * the next then has places with heavy edges. */
int progression_place(const struct progression *p, int position)
{
	int turn = position / p->cycle;
	int64_t step = turn & 1 ? p->cycle - 1 - position % p->cycle : position % p->cycle;

	return (int)((reverse_bits(turn, p->cycles) + step * p->stride) % p->size);
}

int progression_position(const struct progression *p, int place)
{
	int turn = reverse_bits(place % p->cycles, p->cycles);
	int step = (int)((int64_t)(place / p->cycles) * p->inverse % p->cycle);

	return turn * p->cycle + (turn & 1 ? p->cycle - 1 - step : step);
}

/* Estimated units inside nodes: for each step, the pairs of consecutive places in a cycle that it connects. */
static double kept_inside(const struct progression *p, int per_node)
{
	double kept = 0;

	for (int64_t distance = p->cycles; distance < p->size; distance *= 2) {
		int step = (int)(distance / p->cycles * p->inverse % p->cycle), back = p->cycle - step;
		int pairs = (step < per_node ? per_node - step : 0) + (back < per_node ? per_node - back : 0);
		kept += (double)pairs * graph_units(GRAPH_BRUCK, p->size, (int)distance);
	}
	return kept;
}

void progression_choose(struct progression *best, int size, int per_node)
{
	double most = -1;

	for (int64_t stride = 1; stride < size; stride *= 2) {
		struct progression p;
		double kept;
		progression_make(&p, size, (int)stride);
		kept = kept_inside(&p, per_node);
		if (kept > most) {
			most = kept;
			*best = p;
		}
	}
}
