/* Texts and shapes in HTML and SVG. All texts are escaped; characters that XML does not allow become a
 * replacement character.
 *
 *	svg_begin(&out, 640, 480, "Deadlock");
 *	svg_add_rect(&out, "wait", (struct svg_rect){20, 20, 100, 60}, 6);
 *	svg_add_text(&out, "strong", 30, 40, "rank 0: MPI_Recv");
 *	text_add(&out, "</svg>\n"); */
#ifndef TARRY_BASE_MARKUP_H
#define TARRY_BASE_MARKUP_H

#include "base/text.h"

struct svg_point {
	int x, y;
};

struct svg_rect {
	int x, y, width, height;
};

/* A text between tags or in an attribute. */
void text_add_escaped(struct text *out, const char *words);

/* The start tag of a drawing. The title is for screen readers; NULL: it has none. */
void svg_begin(struct text *out, int width, int height, const char *title);
/* `look` is a class of the style sheet; "": none. The last number is the radius of the corners. */
void svg_add_rect(struct text *out, const char *look, struct svg_rect rect, int radius);
/* A line through these points. */
void svg_add_path(struct text *out, const char *look, const struct svg_point *points, size_t count);
/* The base line is at `y`. */
void svg_add_text(struct text *out, const char *look, int x, int y, const char *words);

#endif
