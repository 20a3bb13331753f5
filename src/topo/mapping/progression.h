/* An order of places in which neighbours have much traffic in Bruck's algorithm: 0, stride, 2 stride, ... modulo
 * size. If stride and size have a common factor, there are several cycles. A step over `stride` reaches the next
 * place of the cycle, a step over 2 stride the one after it. */
#ifndef TARRY_TOPO_MAPPING_PROGRESSION_H
#define TARRY_TOPO_MAPPING_PROGRESSION_H

struct progression {
	int size, stride; /* stride 0: none */
	int cycle;        /* places in each cycle */
	int cycles;       /* a power of two */
	int inverse;      /* of stride / cycles, modulo cycle */
};

/* `stride` is a power of two. */
void progression_make(struct progression *progression, int size, int stride);
int progression_place(const struct progression *progression, int position);
int progression_position(const struct progression *progression, int place);

/* The progression with the most traffic inside nodes of `per_node` consecutive places, by a quick estimate. */
void progression_choose(struct progression *progression, int size, int per_node);

#endif
