/* Packs nodes into classes of residues, as a buddy allocator packs memory.
 *
 * Heavy edges of an algorithm connect places that differ by a large power of two. Places that are equal modulo 2^l form a block
 * of level l: the deeper its level, the heavier the edges inside. Starting with the largest, each node takes the smallest free
 * block that holds it, or the largest free blocks until it is full. The rest of a block is free again. */
#include "topo/mapping/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 32 };

struct packing {
	int size, depth; /* at level `depth` a block is one place */
	int *node_of;
	/* Lists of free blocks, by level and by whether they have one place more than the others of the
	 * level. A block is named by its lowest place, which is below 2^level. */
	int heads[2 * LEVELS_MAX];
	int *next, *previous;
	signed char *list_of; /* list of the free block that starts at a place; -1: none */
};

static int capacity(const struct packing *p, int level, int place)
{
	return places_of_class(p->size, place, level);
}

/* Places in each block of a list. */
static int list_capacity(const struct packing *p, int list)
{
	return (p->size >> (list / 2)) + (list & 1);
}

static void add_free(struct packing *p, int level, int place)
{
	int list = 2 * level + (capacity(p, level, place) > p->size >> level);

	if (!capacity(p, level, place))
		return;
	p->next[place] = p->heads[list];
	p->previous[place] = -1;
	if (p->heads[list] >= 0)
		p->previous[p->heads[list]] = place;
	p->heads[list] = place;
	p->list_of[place] = (signed char)list;
}

static void assign(struct packing *p, int level, int place, int node)
{
	for (int64_t i = place; i < p->size; i += INT64_C(1) << level)
		p->node_of[i] = node;
}

/* Takes `count` places from a block that has at least that many; frees the rest. */
static void carve(struct packing *p, int level, int place, int count, int node)
{
	while (count < capacity(p, level, place)) {
		int other = place + (1 << level), lower;
		level++;
		lower = capacity(p, level, place);
		if (count > lower) {
			assign(p, level, place, node);
			count -= lower;
			place = other;
		} else if (count == lower || count > capacity(p, level, other)) {
			add_free(p, level, other);
		} else {
			add_free(p, level, place);
			place = other;
		}
	}
	assign(p, level, place, node);
}

/* The smallest free block of at least `count` places, or else the largest; of equal blocks the deepest. */
static int find_block(const struct packing *p, int count)
{
	int best = -1, best_capacity = INT_MAX, largest = -1, most = 0;

	for (int list = 2 * p->depth + 1; list >= 0; list--) {
		int places = list_capacity(p, list);
		if (p->heads[list] < 0)
			continue;
		if (places >= count && places < best_capacity) {
			best = p->heads[list];
			best_capacity = places;
		}
		if (places > most) {
			largest = p->heads[list];
			most = places;
		}
	}
	return best >= 0 ? best : largest;
}

/* A free block of at least `count` places with heavy edges to the block at `place`: its sibling or that of an enclosing block. */
static int find_beside(const struct packing *p, int level, int place, int count)
{
	for (int up = level; up > 0 && up > level - 3; up--) {
		int sibling = (place & ((1 << up) - 1)) ^ (1 << (up - 1));
		if (sibling < p->size && p->list_of[sibling] >= 0 && p->list_of[sibling] / 2 <= up + 1 &&
		    list_capacity(p, p->list_of[sibling]) >= count)
			return sibling;
	}
	return -1;
}

static void pack_node(struct packing *p, int node, int count)
{
	int level = 0, place = -1;

	while (count) {
		int found = place < 0 ? -1 : find_beside(p, level, place, count), taken;
		place = found >= 0 ? found : find_block(p, count);
		level = p->list_of[place] / 2;
		taken = capacity(p, level, place) < count ? capacity(p, level, place) : count;
		if (p->next[place] >= 0)
			p->previous[p->next[place]] = p->previous[place];
		if (p->previous[place] >= 0)
			p->next[p->previous[place]] = p->next[place];
		else
			p->heads[p->list_of[place]] = p->next[place];
		p->list_of[place] = -1;
		carve(p, level, place, taken, node);
		count -= taken;
	}
}

/* Sorts nodes by descending size into `order`. */
static bool sort_nodes(int size, int nodes, const int *sizes, int *order)
{
	int *counts = calloc((size_t)size + 2, sizeof *counts);

	if (!counts)
		return false;
	for (int node = 0; node < nodes; node++)
		counts[size - sizes[node] + 1]++;
	for (int i = 0; i <= size; i++)
		counts[i + 1] += counts[i];
	for (int node = 0; node < nodes; node++)
		order[counts[size - sizes[node]]++] = node;
	free(counts);
	return true;
}

bool pack_classes(int size, int nodes, const int *sizes, int *node_of)
{
	struct packing p = {.size = size, .node_of = node_of};
	size_t n = (size_t)size;
	int *memory = malloc((2 * n + (size_t)nodes) * sizeof *memory + n);
	int *order = memory + 2 * n;

	if (!memory || !sort_nodes(size, nodes, sizes, order)) {
		free(memory);
		return false;
	}
	p.next = memory;
	p.previous = memory + n;
	p.list_of = (signed char *)(order + nodes);
	memset(p.list_of, -1, n);
	memset(p.heads, -1, sizeof p.heads);
	while ((INT64_C(1) << p.depth) < size)
		p.depth++;
	add_free(&p, 0, 0);
	for (int i = 0; i < nodes; i++)
		pack_node(&p, order[i], sizes[order[i]]);
	free(memory);
	return true;
}
