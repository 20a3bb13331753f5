/* A box for each switch and node, a square for each core, labelled with its rank. */
#include "base/markup.h"
#include "base/memory.h"
#include "topo/machine/drawing.h"

#include <stdlib.h>

enum {
	CELL = 24,
	CELLS_IN_ROW = 8,
	CELLS_MAX = 256, /* of a node; the rest is only counted */
	GAP = 8,
	TITLE = 18,
	WIDTH_MAX = 1160,
	NODES_DRAWN_MAX = 400,
	NOTE_WIDTH = 150,
};

struct svg_size {
	uint32_t width, height;
};

/* Each drawing is traversed twice: first to measure, then to draw. */
struct svg_drawing {
	const struct machine_drawing *of;
	struct text *out;       /* NULL: measuring */
	struct svg_size *sizes; /* by part; 0: not drawn */
	uint32_t nodes;         /* drawn so far */
	uint32_t left_out;
};

static void add_box(struct svg_drawing *svg, const char *look, uint32_t x, uint32_t y, struct svg_size size)
{
	if (svg->out)
		svg_add_rect(svg->out, look,
		             (struct svg_rect){(int)x, (int)y, (int)size.width, (int)size.height}, 0);
}

static void add_label(struct svg_drawing *svg, const char *look, uint32_t x, uint32_t y, const char *label)
{
	if (svg->out)
		svg_add_text(svg->out, look, (int)x, (int)y, label);
}

/* Nodes */

static void add_core(struct svg_drawing *svg, uint32_t node, uint32_t core, uint32_t x, uint32_t y)
{
	struct drawn_ranks ranks = drawing_ranks(svg->of, node, core, core + 1);
	struct text label = {0};

	add_box(svg, ranks.count ? "rank" : "core", x, y, (struct svg_size){CELL - 2, CELL - 2});
	if (ranks.count) {
		text_add(&label, ranks.count > 1 ? "%u+" : "%u", ranks.ranks[0]);
		add_label(svg, "number", x + CELL / 2 - 1, y + CELL / 2 + 3, text_get(&label));
	}
	text_release(&label);
}

/* The cores of a socket. A gap separates its caches. */
static struct svg_size add_socket(struct svg_drawing *svg, uint32_t node, uint32_t *core, uint32_t x,
                                  uint32_t y)
{
	const struct node_shape *shape = machine_shape(svg->of->machine, node);
	uint32_t socket = shape->socket_of[*core], column = 0, row = 0, widest = 0, gaps = 0;

	for (uint32_t i = *core; *core < shape->cores && shape->socket_of[*core] == socket; (*core)++) {
		bool is_new = *core > i && shape->cache_name &&
		              shape->cache_of[*core] != shape->cache_of[*core - 1];
		if (*core >= CELLS_MAX)
			continue;
		if (column == CELLS_IN_ROW || (is_new && column)) {
			column = 0;
			row++;
			gaps += is_new;
		}
		if (svg->out)
			add_core(svg, node, *core, x + column * CELL, y + row * CELL + gaps * 4);
		column++;
		widest = column > widest ? column : widest;
	}
	return (struct svg_size){widest * CELL, (row + 1) * CELL + gaps * 4};
}

static struct svg_size add_node(struct svg_drawing *svg, const struct machine_part *part, uint32_t x,
                                uint32_t y)
{
	const struct node_shape *shape = &svg->of->machine->shapes[part->shape];
	struct svg_size size = {GAP, 0};

	for (uint32_t core = 0; core < shape->cores && core < CELLS_MAX;) {
		struct svg_size socket = add_socket(svg, part->first_node, &core, x + size.width,
		                                    y + TITLE + 4);
		size.width += socket.width + GAP;
		size.height = socket.height > size.height ? socket.height : size.height;
	}
	size.height += TITLE + 4 + GAP;
	if (shape->cores > CELLS_MAX) {
		struct text note = {0};
		text_add(&note, "and %u more cores", shape->cores - CELLS_MAX);
		add_label(svg, "note", x + GAP, y + size.height + 4, text_get(&note));
		text_release(&note);
		size.height += TITLE;
	}
	size.width = size.width < 80 ? 80 : size.width;
	return size;
}

/* Switches */

static struct svg_size add_note(struct svg_drawing *svg, const struct drawn_child *child, uint32_t x,
                                uint32_t y)
{
	struct text note = {0};

	text_add(&note, "%u more like this", child->more);
	add_label(svg, "note", x, y + TITLE + CELL / 2, text_get(&note));
	text_release(&note);
	return (struct svg_size){NOTE_WIDTH, TITLE + CELL};
}

struct svg_row {
	uint32_t x, y, height, widest;
};

static void step_row(struct svg_row *row, struct svg_size size)
{
	row->x += size.width + GAP;
	row->height = size.height > row->height ? size.height : row->height;
	row->widest = row->x > row->widest ? row->x : row->widest;
}

static void break_row(struct svg_row *row)
{
	row->x = GAP;
	row->y += row->height + GAP;
	row->height = 0;
}

/* Recursion depth: tiers of switches. NOLINTNEXTLINE(misc-no-recursion) */
static void add_part_svg(struct svg_drawing *svg, uint32_t number, uint32_t x, uint32_t y);

/* NOLINTNEXTLINE(misc-no-recursion) */
static struct svg_size add_children(struct svg_drawing *svg, uint32_t number, uint32_t x, uint32_t y)
{
	const struct machine_part *part = &svg->of->machine->parts[number];
	struct svg_row row = {.x = GAP, .y = TITLE + GAP};

	for (uint32_t at = number + 1; at < part->end;) {
		struct drawn_child child = drawing_child(svg->of, number, at);
		if (svg->nodes >= NODES_DRAWN_MAX) {
			svg->left_out += part->first_node + part->node_count -
			                 svg->of->machine->parts[at].first_node;
			break;
		}
		if (!svg->out)
			add_part_svg(svg, at, 0, 0);
		if (row.x > GAP && row.x + svg->sizes[at].width > WIDTH_MAX)
			break_row(&row);
		if (svg->out)
			add_part_svg(svg, at, x + row.x, y + row.y);
		step_row(&row, svg->sizes[at]);
		if (child.more && row.x + NOTE_WIDTH > WIDTH_MAX)
			break_row(&row);
		if (child.more)
			step_row(&row, add_note(svg, &child, x + row.x, y + row.y));
		at = child.next;
	}
	return (struct svg_size){row.widest < 120 ? 120 : row.widest, row.y + row.height + GAP};
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_part_svg(struct svg_drawing *svg, uint32_t number, uint32_t x, uint32_t y)
{
	const struct machine_part *part = &svg->of->machine->parts[number];
	bool is_node = part->kind == PART_NODE;

	svg->nodes += is_node;
	/* Boxes are drawn before their contents. */
	add_box(svg, is_node ? "node" : "switch", x, y, svg->sizes[number]);
	add_label(svg, "name", x + GAP, y + TITLE - 3, part->name);
	svg->sizes[number] = is_node ? add_node(svg, part, x, y) : add_children(svg, number, x, y);
}

void drawing_add_svg(const struct machine_drawing *drawing, struct text *out)
{
	struct svg_drawing svg = {.of = drawing};
	struct svg_size *size = svg.sizes = memory_new(drawing->machine->part_count, sizeof *size);

	add_part_svg(&svg, 0, 0, 0);
	svg_begin(out, (int)size->width + 2 * GAP, (int)size->height + 2 * GAP + TITLE, NULL);
	text_add(
		out,
		"<style>text{font:11px sans-serif}.switch{fill:#eef2f7;stroke:#8aa0b8}.node{fill:#fff;stroke:#556}"
		".core{fill:#f3f3f3;stroke:#bbb}.rank{fill:#cfe3ff;stroke:#4a78b5}"
		".number{text-anchor:middle;font-size:9px}.note{fill:#555;font-style:italic}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
	svg.out = out;
	svg.nodes = svg.left_out = 0;
	add_part_svg(&svg, 0, GAP, GAP);
	if (svg.left_out) {
		struct text note = {0};
		text_add_counted(&note, svg.left_out, "node is not drawn", "nodes are not drawn");
		add_label(&svg, "note", GAP, size->height + 2 * GAP + TITLE - 6, text_get(&note));
		text_release(&note);
	}
	text_add(out, "</svg>\n");
	free(svg.sizes);
}
