#include "base/markup.h"

#include "base/utf8.h"

#include <string.h>

static bool is_allowed(uint32_t code)
{
	return code <= 0x10ffff && !utf8_is_control(code) && code != 0xfffe && code != 0xffff;
}

void text_add_escaped(struct text *out, const char *words)
{
	for (const char *end = words + strlen(words), *begin = words; words < end; begin = words) {
		uint32_t code = utf8_next(&words, end);

		if (!is_allowed(code))
			text_add(out, UTF8_REPLACEMENT);
		else if (code == '&' || code == '<' || code == '>' || code == '"' || code == '\'')
			text_add(out, "&#%u;", (unsigned)code);
		else
			text_add_bytes(out, begin, (size_t)(words - begin));
	}
}

void svg_begin(struct text *out, int width, int height, const char *title)
{
	text_add(out,
	         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
	         "role=\"img\">\n",
	         width, height, width, height);
	if (!title)
		return;
	text_add(out, "<title>");
	text_add_escaped(out, title);
	text_add(out, "</title>\n");
}

static void add_class(struct text *out, const char *look)
{
	if (*look)
		text_add(out, " class=\"%s\"", look);
}

void svg_add_rect(struct text *out, const char *look, struct svg_rect rect, int radius)
{
	text_add(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", rect.x, rect.y, rect.width,
	         rect.height);
	if (radius)
		text_add(out, " rx=\"%d\"", radius);
	add_class(out, look);
	text_add(out, "/>\n");
}

void svg_add_path(struct text *out, const char *look, const struct svg_point *points, size_t count)
{
	text_add(out, "<path d=\"");
	for (size_t i = 0; i < count; i++)
		text_add(out, "%c%d %d", i ? 'L' : 'M', points[i].x, points[i].y);
	text_add(out, "\"");
	add_class(out, look);
	text_add(out, "/>\n");
}

void svg_add_text(struct text *out, const char *look, int x, int y, const char *words)
{
	text_add(out, "<text x=\"%d\" y=\"%d\"", x, y);
	add_class(out, look);
	text_add(out, ">");
	text_add_escaped(out, words);
	text_add(out, "</text>\n");
}
