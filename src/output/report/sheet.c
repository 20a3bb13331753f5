#include "output/report/sheet.h"

#include "base/utf8.h"

#include <string.h>

enum { INDENT = 3, PROSE_WIDTH = 100, COLUMNS_MEANT = 80 };

struct sheet sheet_for(const struct report *report, const struct report_style *style, struct text *out)
{
	const char *lang = report->analysis->lang;

	return (struct sheet){report, style, report_language(report), locale_of(lang), out};
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

void sheet_price(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	bool is_known = !entry->answer.doubt;
	scoped_text time = {0}, share = {0};

	sheet_seconds(sheet, &time, is_known ? entry->answer.saves_ns : entry->lost_ns);
	sheet_share(sheet, &share, entry_share(sheet->report, entry));
	add_filled_phrase(words, sheet->language,
	                  is_known ? "saves $1, $2 of the run" : "ranks lose $1, $2 of their time",
	                  (const char *[]){text_get(&time), text_get(&share)});
}

static void name_ranks(const struct sheet *sheet, struct text *words, const struct number_list *list,
                       size_t runs)
{
	size_t rest;

	text_add(words, "%s", phrase(sheet, list->count == 1 ? "rank " : "ranks "));
	rest = add_rank_runs(sheet->report->analysis->reader, list, runs, words);
	if (rest)
		text_add(words, "%s%zu%s", phrase(sheet, " and "), rest, phrase(sheet, " more"));
}

void sheet_ranks(const struct sheet *sheet, struct text *words, const struct number_list *list)
{
	enum { RUNS_SHOWN = 8 };

	name_ranks(sheet, words, list, RUNS_SHOWN);
}

void sheet_ranks_in_short(const struct sheet *sheet, struct text *words, const struct number_list *list)
{
	enum { RUNS_SHOWN = 1, FEW = 3 };

	name_ranks(sheet, words, list, list->count <= FEW ? FEW : RUNS_SHOWN);
}

bool sheet_hidden_findings(const struct sheet *sheet, size_t shown, struct text *words)
{
	const struct report *report = sheet->report;
	scoped_text count = {0}, time = {0};
	int64_t total_ns = 0;

	if (shown == report->entry_count)
		return false;
	for (size_t i = shown; i < report->entry_count; i++)
		total_ns = saturating_add(total_ns, report->entries[i].total_ns);
	add_counted(&count, sheet->language, report->entry_count - shown, "finding", "findings");
	sheet_seconds(sheet, &time, total_ns);
	add_filled_phrase(words, sheet->language,
	                  report->entry_count - shown == 1 ? "$1 hidden (ranks lose $2); --all shows it"
	                                                   : "$1 hidden (ranks lose $2); --all shows them",
	                  (const char *[]){text_get(&count), text_get(&time)});
	return true;
}

/* Long lines are hard to read, even on a wide terminal. */
static size_t prose_width(const struct sheet *sheet)
{
	return sheet->style->width < PROSE_WIDTH ? sheet->style->width : PROSE_WIDTH;
}

void sheet_paragraph(const struct sheet *sheet, size_t indent, struct text *words)
{
	text_make_line(words);
	text_add_repeated(sheet->out, ' ', indent);
	text_add_wrapped(sheet->out, text_get(words), indent, prose_width(sheet));
	text_release(words);
}

/* The number of bytes of the first `count` lines, without the last newline. */
static size_t bytes_of_lines(const char *text, size_t lines)
{
	const char *at = text + strcspn(text, "\n");

	while (--lines && at[0] && at[1])
		at += 1 + strcspn(at + 1, "\n");
	return (size_t)(at - text);
}

void sheet_clipped(const struct sheet *sheet, const char *colour, size_t lines, struct text *words)
{
	static const char more[] = "...";
	size_t width = prose_width(sheet), kept;
	scoped_text wrapped = {0};

	lines *= (COLUMNS_MEANT + width - 1) / width;
	text_make_line(words);
	text_elide_words(words, width - (sizeof more - 1));
	text_add_wrapped(&wrapped, text_get(words), 0, width);
	kept = bytes_of_lines(text_get(&wrapped), lines);
	if (kept + 1 < wrapped.length) { /* there is more text: wrap so that the sign for it has room */
		text_clear(&wrapped);
		text_add_wrapped(&wrapped, text_get(words), 0, width - (sizeof more - 1));
		kept = bytes_of_lines(text_get(&wrapped), lines);
	}
	text_add(sheet->out, "%s", colour ? colour : "");
	text_add_bytes(sheet->out, text_get(&wrapped), kept);
	text_add(sheet->out, "%s%s\n", kept + 1 < wrapped.length ? more : "",
	         colour && sheet->style->none ? sheet->style->none : "");
	text_release(words);
}

/* As wide as the widest label of an entry. */
static size_t label_width(const struct sheet *sheet)
{
	static const char *const labels[] = {"where",  "partner",    "cause",  "path",   "phase",  "lost",
	                                     "excess", "work",       "itself", "ranks",  "spread", "call",
	                                     "in all", "confidence", "what",   "advice", "fix",    "felt"};
	size_t width = 0;

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		width = larger(width, text_width(phrase(sheet, labels[i])));
	return width;
}

void sheet_labelled(const struct sheet *sheet, const char *label, struct text *words)
{
	size_t width = label_width(sheet);

	text_make_line(words);
	text_add_repeated(sheet->out, ' ', INDENT);
	text_add(sheet->out, "%s", sheet->style->faint ? sheet->style->faint : "");
	sheet_left(sheet, phrase(sheet, label), width);
	text_add(sheet->out, "%s  ", sheet->style->none ? sheet->style->none : "");
	text_add_wrapped(sheet->out, text_get(words), INDENT + width + 2, prose_width(sheet));
	text_release(words);
}

void sheet_title(const struct sheet *sheet, const char *title)
{
	const struct report_style *style = sheet->style;
	scoped_text lines = {0};

	text_add_wrapped(&lines, phrase(sheet, title), 0, style->width);
	text_add(sheet->out, "\n%s", style->title ? style->title : "");
	text_add_bytes(sheet->out, lines.bytes, lines.length - 1);
	text_add(sheet->out, "%s\n", style->none ? style->none : "");
}

/* Cuts a long text at its beginning, because the end of a path is more informative. */
static void add_cut(const struct sheet *sheet, const char *text, size_t width)
{
	scoped_text words = {0};

	if (text_width(text) > width)
		text_add(&words, "~%s", text + utf8_bytes(text, text_width(text) - (width - 1)));
	else
		text_add(&words, "%s", text);
	text_make_line(&words);
	text_add(sheet->out, "%s", text_get(&words));
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
