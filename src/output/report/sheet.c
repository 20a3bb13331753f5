#include "output/report/sheet.h"

#include "base/utf8.h"

#include <string.h>

enum { INDENT = 3, PROSE_WIDTH = 100 };

struct sheet sheet_for(const struct report *report, const struct report_style *style, struct text *out)
{
	const char *lang = report->analysis->lang;

	return (struct sheet){report, style, language_of(lang, report->paradigm), locale_of(lang), out};
}

void sheet_seconds(const struct sheet *sheet, struct text *words, int64_t ns)
{
	text_add_seconds_in(words, sheet->locale, (double)ns * 1e-9);
}

void sheet_share(const struct sheet *sheet, struct text *words, double share)
{
	double percent = 100 * share;

	text_add_decimal(words, sheet->locale, percent < 9.95, percent);
	text_add(words, " %%");
}

void sheet_ranks(const struct sheet *sheet, struct text *words, const struct number_list *list)
{
	enum { RUNS_SHOWN = 8 };
	size_t rest;

	text_add(words, "%s", phrase(sheet, list->count == 1 ? PHRASE_RANK : PHRASE_RANKS));
	rest = add_rank_runs(sheet->report->analysis->reader, list, RUNS_SHOWN, words);
	if (rest)
		text_add(words, "%s%zu%s", phrase(sheet, PHRASE_AND), rest, phrase(sheet, PHRASE_MORE));
}

/* Long lines are hard to read, however wide the terminal is. */
static size_t prose_width(const struct sheet *sheet)
{
	return sheet->style->width < PROSE_WIDTH ? sheet->style->width : PROSE_WIDTH;
}

/* A line break in a name from the trace would look like the report's own. */
static void make_harmless(struct text *words)
{
	for (size_t i = 0; i < words->length; i++)
		if (words->bytes[i] == '\n')
			words->bytes[i] = ' ';
	text_strip_controls(words);
}

void sheet_paragraph(const struct sheet *sheet, size_t indent, struct text *words)
{
	make_harmless(words);
	text_add_repeated(sheet->out, ' ', indent);
	text_add_wrapped(sheet->out, text_get(words), indent, prose_width(sheet));
	text_release(words);
}

static size_t label_width(const struct sheet *sheet)
{
	size_t width = 0;

	for (enum wording i = PHRASE_WHERE; i <= PHRASE_ADVICE; i++)
		if (text_width(phrase(sheet, i)) > width)
			width = text_width(phrase(sheet, i));
	return width;
}

void sheet_labelled(const struct sheet *sheet, enum wording label, struct text *words)
{
	size_t width = label_width(sheet);

	make_harmless(words);
	text_add_repeated(sheet->out, ' ', INDENT);
	text_add(sheet->out, "%s", sheet->style->faint ? sheet->style->faint : "");
	sheet_left(sheet, phrase(sheet, label), width);
	text_add(sheet->out, "%s  ", sheet->style->none ? sheet->style->none : "");
	text_add_wrapped(sheet->out, text_get(words), INDENT + width + 2, prose_width(sheet));
	text_release(words);
}

void sheet_title(const struct sheet *sheet, enum wording title)
{
	const struct report_style *style = sheet->style;
	struct text lines = {0};

	text_add_wrapped(&lines, phrase(sheet, title), 0, style->width);
	text_add(sheet->out, "\n%s", style->title ? style->title : "");
	text_add_bytes(sheet->out, lines.bytes, lines.length - 1);
	text_add(sheet->out, "%s\n", style->none ? style->none : "");
	text_release(&lines);
}

/* Where the last `letters` letters of a text begin. */
static const char *end_of(const char *text, size_t letters)
{
	const char *at = text + strlen(text);

	while (at > text && letters) {
		at--;
		letters -= !utf8_continues(*at);
	}
	return at;
}

/* What is too long loses its beginning: the end of a path says more. */
static void add_cut(const struct sheet *sheet, const char *text, size_t width)
{
	struct text words = {0};

	if (text_width(text) > width)
		text_add(&words, "~%s", end_of(text, width - 1));
	else
		text_add(&words, "%s", text);
	make_harmless(&words);
	text_add(sheet->out, "%s", text_get(&words));
	text_release(&words);
}

static void add_gap(const struct sheet *sheet, const char *text, size_t width)
{
	size_t letters = text_width(text);

	if (letters < width)
		text_add_repeated(sheet->out, ' ', width - letters);
}

void sheet_left(const struct sheet *sheet, const char *text, size_t width)
{
	add_cut(sheet, text, width);
	add_gap(sheet, text, width);
}

void sheet_right(const struct sheet *sheet, const char *text, size_t width)
{
	add_gap(sheet, text, width);
	add_cut(sheet, text, width);
}

void sheet_bar(const struct sheet *sheet, double part, size_t width)
{
	size_t filled = part <= 0 ? 0 : part >= 1 ? width : (size_t)(part * (double)width + 0.5);

	for (size_t i = 0; i < filled && sheet->style->bar; i++)
		text_add(sheet->out, "%s%s", i ? "" : "  ", sheet->style->bar);
}
