/* A drawing in SVG that grows as things are put on it. Letters have the same width, so that whoever draws knows how much room a text
 * takes. Colours follow the reader's choice
 * of light or dark; nothing is loaded from elsewhere.
 *
 *	struct svg_canvas canvas = {0};
 *	struct svg_lines lines = svg_wrap(&arena, "rank 0: MPI_Recv", 60);
 *	svg_box(&canvas, (struct svg_rect){20, 20, svg_width(&lines) + 20, 60}, "wait");
 *	svg_text(&canvas, 30, 40, "strong", lines.items[0]);
 *	svg_end(&canvas, "Deadlock", &out); */
#ifndef TARRY_OUTPUT_FINDINGS_SVG_CANVAS_H
#define TARRY_OUTPUT_FINDINGS_SVG_CANVAS_H

#include "base/arena.h"
#include "base/markup.h"

enum { SVG_LETTER = 8, SVG_LINE = 18 }; /* width and height of a letter, with what is around it */

struct svg_canvas {
	struct text body;
	int width, height; /* that are used */
};

struct svg_lines {
	const char **items;
	size_t count;
};

struct svg_point {
	int x, y;
};

/* Words in lines of at most so many letters; longer words are broken. */
struct svg_lines svg_wrap(struct arena *arena, const char *words, size_t letters);
void svg_lines_add(struct arena *arena, struct svg_lines *lines, const struct svg_lines *more);
int svg_width(const struct svg_lines *lines);

/* The text's base line is at `y`; `look` is "strong", "faint" or "". */
void svg_text(struct svg_canvas *canvas, int x, int y, const char *look, const char *text);
/* `look` is one of the classes of the style: "wait", "end", "late", "more". */
void svg_box(struct svg_canvas *canvas, struct svg_rect box, const char *look);
/* A line through these points, with an arrow at its end if wanted; dashed: one of several. */
void svg_line(struct svg_canvas *canvas, const struct svg_point *points, size_t count, bool has_arrow,
              bool is_dashed);

/* The whole document; releases the canvas. */
void svg_end(struct svg_canvas *canvas, const char *title, struct text *out);

#endif
