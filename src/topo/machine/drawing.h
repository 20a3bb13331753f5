/* A machine drawn for people, with the ranks of a job on it. Parts that are alike in what they have and in how many ranks run where are
 * drawn once: "62 more like this".
 *
 *	struct machine_drawing drawing;
 *	drawing_init(&drawing, machine, &placement);       the placement may have no ranks
 *	drawing_add_text(&drawing, true, &out);            with lines of UTF-8, or of ASCII
 *	drawing_add_svg(&drawing, &out);
 *	drawing_release(&drawing); */
#ifndef TARRY_TOPO_MACHINE_DRAWING_H
#define TARRY_TOPO_MACHINE_DRAWING_H

#include "base/text.h"
#include "topo/machine/placement.h"

struct machine_drawing {
	const struct machine *machine;
	const struct placement *placement;
	uint32_t *order;    /* ranks by node and core */
	uint32_t *first;    /* by node, where its ranks begin in `order`; one more at the end */
	uint64_t *likeness; /* by part: the same where two are drawn alike */
};

void drawing_init(struct machine_drawing *drawing, const struct machine *machine,
                  const struct placement *placement);
void drawing_release(struct machine_drawing *drawing);

void drawing_add_text(const struct machine_drawing *drawing, bool utf8, struct text *out);
/* A document of its own. Draws a few hundred nodes, and says how many it left out. */
void drawing_add_svg(const struct machine_drawing *drawing, struct text *out);

/* A child, and how many siblings behind it are like it and left out: 0, or more than one. `next` is the first behind these; parts[parent].end
 * if there is none. */
struct drawn_child {
	uint32_t part, more, next;
};

struct drawn_child drawing_child(const struct machine_drawing *drawing, uint32_t parent, uint32_t part);
/* Ranks in the order given: "0-7", "0, 8 ... 56". */
void text_add_ranks(struct text *out, const uint32_t *ranks, uint32_t count);
/* "2 sockets x 8 cores"; `times` is the sign between them. */
void text_add_shape(struct text *out, const struct node_shape *shape, const char *times);

/* The ranks on cores `from` to below `to` of a node, in `order`. */
struct drawn_ranks {
	const uint32_t *ranks;
	uint32_t count;
};

struct drawn_ranks drawing_ranks(const struct machine_drawing *drawing, uint32_t node, uint32_t from,
                                 uint32_t to);

#endif
