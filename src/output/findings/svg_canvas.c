#include "output/findings/svg_canvas.h"

#include "base/utf8.h"

#include <string.h>

enum { MARGIN = 20, RADIUS = 6 };

/* Texts */

/* Bytes of the first letters. */
static size_t bytes_of(const char *text, size_t letters)
{
	size_t size = 0;

	for (; text[size] && letters; letters--)
		for (size++; utf8_continues(text[size]); size++)
			;
	return size;
}

/* The next line ends before the last blank that fits, or in the middle of a word that does not. */
static size_t line_length(const char *words, size_t letters)
{
	size_t most = bytes_of(words, letters), cut = most;

	if (!words[most] || words[most] == ' ')
		return most;
	while (cut && words[cut] != ' ')
		cut--;
	return cut ? cut : most;
}

struct svg_lines svg_wrap(struct arena *arena, const char *words, size_t letters)
{
	struct svg_lines lines = {0};

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t length = line_length(words, letters);
		const char *line = arena_bytes_as_text(arena, words, length);
		arena_add(arena, lines.items, lines.count, line);
		words += length;
	}
	return lines;
}

void svg_lines_add(struct arena *arena, struct svg_lines *lines, const struct svg_lines *more)
{
	for (size_t i = 0; i < more->count; i++)
		arena_add(arena, lines->items, lines->count, more->items[i]);
}

int svg_width(const struct svg_lines *lines)
{
	size_t most = 0;

	for (size_t i = 0; i < lines->count; i++)
		if (text_width(lines->items[i]) > most)
			most = text_width(lines->items[i]);
	return (int)most * SVG_LETTER;
}

/* Shapes */

static void use(struct svg_canvas *canvas, int x, int y)
{
	canvas->width = x > canvas->width ? x : canvas->width;
	canvas->height = y > canvas->height ? y : canvas->height;
}

void svg_text(struct svg_canvas *canvas, int x, int y, const char *look, const char *text)
{
	svg_add_text(&canvas->body, look, x, y, text);
	use(canvas, x + (int)text_width(text) * SVG_LETTER, y);
}

void svg_box(struct svg_canvas *canvas, struct svg_rect box, const char *look)
{
	svg_add_rect(&canvas->body, look, box, RADIUS);
	use(canvas, box.x + box.width, box.y + box.height);
}

void svg_line(struct svg_canvas *canvas, const struct svg_point *points, size_t count, bool has_arrow,
              bool is_dashed)
{
	text_add(&canvas->body, "<path d=\"");
	for (size_t i = 0; i < count; i++) {
		text_add(&canvas->body, "%c%d %d", i ? 'L' : 'M', points[i].x, points[i].y);
		use(canvas, points[i].x, points[i].y);
	}
	text_add(&canvas->body, "\" class=\"line%s\"%s/>\n", is_dashed ? " dashed" : "",
	         has_arrow ? " marker-end=\"url(#arrow)\"" : "");
}

/* The document */

/* Without variables, which not all viewers know. */
static const char style[] =
	"<style>\n"
	"text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1d2126; }\n"
	".strong { font-weight: bold; }\n"
	".faint { fill: #59616a; }\n"
	".paper { fill: #ffffff; }\n"
	".wait { fill: #fdf1f0; stroke: #b3261e; stroke-width: 1.5; }\n"
	".late { fill: #fff6e5; stroke: #9a5b00; stroke-width: 2.5; }\n"
	".end { fill: #f1f3f5; stroke: #59616a; stroke-width: 1.5; }\n"
	".more { fill: none; stroke: #59616a; stroke-dasharray: 3 3; }\n"
	".line { fill: none; stroke: #b3261e; stroke-width: 1.5; }\n"
	".dashed { stroke-dasharray: 6 4; }\n"
	".head { fill: #b3261e; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"text { fill: #e7eaee; }\n"
	".faint { fill: #a9b1ba; }\n"
	".paper { fill: #16191d; }\n"
	".wait { fill: #2b1d1d; stroke: #ff8a80; }\n"
	".late { fill: #2c2415; stroke: #ffb74d; }\n"
	".end { fill: #22262b; stroke: #a9b1ba; }\n"
	".more { fill: none; stroke: #a9b1ba; }\n"
	".line { stroke: #ff8a80; }\n"
	".head { fill: #ff8a80; }\n"
	"}\n"
	"</style>\n";

static const char arrow[] =
	"<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" "
	"orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" class=\"head\"/></marker></defs>\n";

void svg_end(struct svg_canvas *canvas, const char *title, struct text *out)
{
	int width = canvas->width + MARGIN, height = canvas->height + MARGIN;

	svg_begin(out, width, height, title);
	text_add(out, "%s%s<rect width=\"%d\" height=\"%d\" class=\"paper\"/>\n", style, arrow, width,
	         height);
	text_add_bytes(out, text_get(&canvas->body), canvas->body.length);
	text_add(out, "</svg>\n");
	text_release(&canvas->body);
}
