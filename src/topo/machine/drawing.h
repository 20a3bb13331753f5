/* A drawing of a machine with the ranks of a job on it. Equal neighbours (same parts, same number of ranks) are
 * folded: "62 more like this".
 *
 *	struct machine_drawing drawing;
 *	drawing_init(&drawing, machine, &placement);       the placement may be empty
 *	drawing_add_text(&drawing, true, &out);            true: UTF-8 lines, false: ASCII
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
	uint32_t *first;    /* by node: index of its first rank in `order`; node_count + 1 entries */
	uint64_t *likeness; /* by part: hash; equal parts are folded */
};

void drawing_init(struct machine_drawing *drawing, const struct machine *machine,
                  const struct placement *placement);
void drawing_release(struct machine_drawing *drawing);

void drawing_add_text(const struct machine_drawing *drawing, bool utf8, struct text *out);
/* A whole SVG document. Draws at most a few hundred nodes and prints how many are missing. */
void drawing_add_svg(const struct machine_drawing *drawing, struct text *out);

/* A child and the number of equal siblings after it that are folded: 0, or at least 2. `next` is the first
 * part after them, or parts[parent].end. */
struct drawn_child {
	uint32_t part, more, next;
};

struct drawn_child drawing_child(const struct machine_drawing *drawing, uint32_t parent, uint32_t part);
/* Ranks in the given order: "0-7", "0, 8 ... 56". */
void text_add_ranks(struct text *out, const uint32_t *ranks, uint32_t count);

/* The ranks on cores [from, to) of a node, as part of `order`. */
struct drawn_ranks {
	const uint32_t *ranks;
	uint32_t count;
};

struct drawn_ranks drawing_ranks(const struct machine_drawing *drawing, uint32_t node, uint32_t from,
                                 uint32_t to);

#endif
