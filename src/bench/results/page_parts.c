#include "bench/results/page_parts.h"

#include "bench/results/html.h"
#include "bench/results/page_style.h"
#include "bench/results/plot.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <string.h>

void page_begin(const char *title, struct text *out)
{
	text_add(
		out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
		"script-src 'unsafe-inline'\"/>\n");
	page_tag(out, "title", title);
	text_add(out, "<style>\n%s</style>\n</head>\n<body>\n", PAGE_STYLE);
	page_tag(out, "h1", title);
}

void page_end(struct text *out)
{
	text_add(out, "<script>\n%s</script>\n</body>\n</html>\n", PAGE_SCRIPT);
}

void page_tag(struct text *out, const char *tag, const char *words)
{
	text_add(out, "<%s>", tag);
	html_add(out, words);
	text_add(out, "</%s>\n", tag);
}

void page_signs(const struct page_sign *signs, struct text *out)
{
	text_add(out, "<ul class=\"signs\">\n");
	for (; signs->look; signs++)
		text_add(out,
		         "<li><svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" viewBox=\"0 0 28 16\" "
		         "aria-hidden=\"true\">%s</svg>%s</li>\n",
		         signs->look, signs->drawing, signs->meaning);
	text_add(out, "</ul>\n");
}

static bool is_wanted(const struct fact *fact, const char *section)
{
	return section ? !strcmp(fact->section, section) : strcmp(fact->section, "self-tests") != 0;
}

static void add_fact(const struct fact *fact, struct text *out)
{
	text_add(out, "<tr><td class=\"words\">");
	html_add(out, fact->name);
	text_add(out, "</td><td class=\"words long\">");
	html_add(out, fact->value);
	text_add(out, "</td></tr>\n");
}

void page_facts(const struct results *results, const char *section, struct text *out)
{
	const char *before = NULL;

	for (const struct fact *fact = results->facts; fact; fact = fact->next) {
		if (!is_wanted(fact, section))
			continue;
		if (!before || strcmp(before, fact->section) != 0) {
			text_add(out, "%s", before ? "</table></div>\n" : "");
			if (!section)
				page_tag(out, "h3", fact->section);
			text_add(out, "<div class=\"scroll\"><table class=\"facts\">\n");
			before = fact->section;
		}
		add_fact(fact, out);
	}
	if (before)
		text_add(out, "</table></div>\n");
}

void page_marks(unsigned marks, struct text *out)
{
	text_add(out, "<ul>\n");
	for (const struct mark_kind *kind = mark_kinds; kind->name; kind++) {
		if (marks & kind->mark)
			text_add(out, "<li><b>%s</b>: %s</li>\n", kind->name, kind->help);
	}
	text_add(out, "</ul>\n");
}

static void add_cell(struct text *out, enum unit unit, double value)
{
	text_add(out, "<td");
	draw_data(out, "value", value);
	text_add(out, ">");
	if (isfinite(value))
		add_value(out, unit, value);
	text_add(out, "</td>");
}

static void add_row(const struct result_point *point, unsigned words, bool has_rate, bool has_overlap,
                    struct arena *arena, struct text *out)
{
	const struct sample_summary *summary = &point->summary;

	text_add(out, "<tr>");
	add_cell(out, UNIT_BYTES, (double)point->bytes);
	text_add(out, "<td>%d</td>", point->ranks);
	if (words) {
		text_add(out, "<td class=\"words\">");
		html_add(out, traits_name(point, words, arena));
		text_add(out, "</td>");
	}
	text_add(out, "<td>%zu</td><td>%zu</td><td>%zu</td>", point->runs, summary->count, summary->kept);
	add_cell(out, UNIT_SECONDS, summary->mean);
	add_cell(out, UNIT_SECONDS, summary->half_width);
	add_cell(out, UNIT_SECONDS, summary->min);
	add_cell(out, UNIT_SECONDS, summary->median);
	add_cell(out, UNIT_SECONDS, summary->q95);
	add_cell(out, UNIT_SECONDS, summary->max);
	add_cell(out, UNIT_SECONDS, point->clock_error);
	if (has_rate)
		add_cell(out, UNIT_RATE, point->rate);
	if (has_overlap)
		add_cell(out, UNIT_PERCENT, point->overlap);
	text_add(out, "<td class=\"words\">");
	text_add_marks(out, point->marks, ", ");
	text_add(out, "</td></tr>\n");
}

void page_table(const struct point_group *operation, struct arena *arena, struct text *out)
{
	unsigned words = traits_that_differ(operation) & ~(1U << TRAIT_RANKS | 1U << TRAIT_BYTES);
	bool has_rate = false, has_overlap = false;

	for (size_t i = 0; i < operation->count; i++) {
		has_rate |= isfinite(operation->points[i]->rate);
		has_overlap |= isfinite(operation->points[i]->overlap);
	}
	text_add(
		out,
		"<details%s><summary>Numbers</summary>\n<div class=\"scroll\"><table>\n<tr><th>size</th><th>ranks</th>%s",
		operation->count < 4 ? " open=\"open\"" : "", words ? "<th class=\"words\">with</th>" : "");
	text_add(
		out,
		"<th>runs</th><th>right</th><th>kept</th><th>mean</th><th>±</th><th>min</th><th>median</th><th>95 %%</th>"
		"<th>max</th><th>clock error</th>%s%s<th class=\"words\">with care</th></tr>\n",
		has_rate ? "<th>bandwidth</th>" : "", has_overlap ? "<th>overlap</th>" : "");
	for (size_t i = 0; i < operation->count; i++)
		add_row(operation->points[i], words, has_rate, has_overlap, arena, out);
	text_add(out, "</table></div></details>\n");
}
