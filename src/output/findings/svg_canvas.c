#include "output/findings/svg_canvas.h"

#include "base/utf8.h"

#include <string.h>

enum { MARGIN = 20 };

/* Texts */

static bool is_allowed(uint32_t code)
{
	return code != UTF8_INVALID && !utf8_is_control(code) && code != 0xfffe && code != 0xffff;
}

static void add_escaped(struct text *out, const char *text)
{
	for (const char *at = text, *end = at + strlen(at); at < end;) {
		const char *begin = at;
		uint32_t code = utf8_next(&at, end);

		if (!is_allowed(code))
			text_add(out, "?");
		else if (code == '&' || code == '<' || code == '>' || code == '"' || code == '\'')
			text_add(out, "&#%u;", (unsigned)code);
		else
			text_add_bytes(out, begin, (size_t)(at - begin));
	}
}

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
	text_add(&canvas->body, "<text x=\"%d\" y=\"%d\"", x, y);
	if (*look)
		text_add(&canvas->body, " class=\"%s\"", look);
	text_add(&canvas->body, ">");
	add_escaped(&canvas->body, text);
	text_add(&canvas->body, "</text>\n");
	use(canvas, x + (int)text_width(text) * SVG_LETTER, y);
}

void svg_box(struct svg_canvas *canvas, struct svg_rect box, const char *look)
{
	text_add(&canvas->body,
	         "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"%s\"/>\n", box.x, box.y,
	         box.width, box.height, look);
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

	text_add(out,
	         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
	         "role=\"img\">\n<title>",
	         width, height, width, height);
	add_escaped(out, title);
	text_add(out, "</title>\n%s%s<rect width=\"%d\" height=\"%d\" class=\"paper\"/>\n", style, arrow,
	         width, height);
	text_add_bytes(out, text_get(&canvas->body), canvas->body.length);
	text_add(out, "</svg>\n");
	text_release(&canvas->body);
}
