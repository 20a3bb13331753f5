/* An order of places in which neighbours exchange much in Bruck's algorithm.
 *
 * Places in the order 0, stride, 2 stride, ... modulo size: several cycles, if stride and size have a common factor. Steps of the
 * algorithm go along such a cycle: the step over `stride` to the next place, that over twice as much to the one after it. */
#ifndef TARRY_TOPO_MAPPING_PROGRESSION_H
#define TARRY_TOPO_MAPPING_PROGRESSION_H

struct progression {
	int size, stride; /* stride 0: there is none */
	int cycle;        /* places of each cycle */
	int cycles;       /* a power of two */
	int inverse;      /* of stride / cycles, modulo cycle */
};

/* `stride` is a power of two. */
void progression_make(struct progression *progression, int size, int stride);
int progression_place(const struct progression *progression, int position);
int progression_position(const struct progression *progression, int place);

/* That in which nodes of `per_node` consecutive places keep most, by an estimate that takes no time. */
void progression_choose(struct progression *progression, int size, int per_node);

#endif
