/* A page of text: its output, the width of the terminal and the language.
 *
 *	struct sheet sheet = sheet_for(report, style, out);
 *	sheet_seconds(&sheet, &words, ns);
 *	sheet_labelled(&sheet, "where", &words); */
#ifndef TARRY_OUTPUT_REPORT_SHEET_H
#define TARRY_OUTPUT_REPORT_SHEET_H

#include "output/report/parts.h"

struct sheet {
	const struct report *report;
	const struct report_style *style;
	struct language language;
	const struct locale *locale;
	struct text *out;
};

struct sheet sheet_for(const struct report *report, const struct report_style *style, struct text *out);

static inline const char *phrase(const struct sheet *sheet, const char *words)
{
	return language_phrase(sheet->language, words);
}

void sheet_seconds(const struct sheet *sheet, struct text *words, int64_t ns);
/* A part of the time of all processes: "8.3 %". */
void sheet_share(const struct sheet *sheet, struct text *words, double share);
/* The first figure of an entry: "saves 901 ms, 42 % of the run" or, if that is not predictable, "ranks lose
 * 1.80 s, 45 % of their time". */
void sheet_price(const struct sheet *sheet, const struct report_entry *entry, struct text *words);
/* "rank 3", "ranks 0-2,7". */
void sheet_ranks(const struct sheet *sheet, struct text *words, const struct number_list *list);

/* "rank 3", "ranks 0-2", "ranks 0,5 and 6 more". */
void sheet_ranks_in_short(const struct sheet *sheet, struct text *words, const struct number_list *list);

/* "2 findings hidden (ranks lose 178 us); --all shows them", for all entries after the first `shown`. False:
 * none is hidden. */
bool sheet_hidden_findings(const struct sheet *sheet, size_t shown, struct text *words);

/* Writes words in at most this many lines of 80 columns, in a colour that may be NULL, and releases them.
 * Long words are abbreviated in the middle, and the end is cut off if there is no room for it. */
void sheet_clipped(const struct sheet *sheet, const char *colour, size_t lines, struct text *words);
/* Writes words in lines of the terminal's width, without control characters, and releases them. */
void sheet_paragraph(const struct sheet *sheet, size_t indent, struct text *words);
/* The same after a label. */
void sheet_labelled(const struct sheet *sheet, const char *label, struct text *words);
/* A heading. */
void sheet_title(const struct sheet *sheet, const char *title);

/* Text in a column, aligned to the left or to the right; cut if it is too long. */
void sheet_left(const struct sheet *sheet, const char *text, size_t width);
void sheet_right(const struct sheet *sheet, const char *text, size_t width);
/* A gap and a bar of up to `width` columns, for a part from 0 to 1; nothing if the style has no bars. */
void sheet_bar(const struct sheet *sheet, double part, size_t width);

/* The beginning of a text (report_screen.c): the trust, in a line or with all reasons; the run; and, after
 * `before`, a sentence about the findings if there are none, or if they are not reliable. */
void add_trust(const struct sheet *sheet);
void add_trust_in_full(const struct sheet *sheet);
void add_what_ran(const struct sheet *sheet);
void add_headline(const struct sheet *sheet, const char *before);
/* The open calls of processes at the end of the trace, in sentences of at most `lines` lines of 80 columns.
 * The last sentence, about the consequence, may have one more line. */
void add_open_calls(const struct sheet *sheet, size_t lines);

/* The profile as text (report_summary.c): three figures and their formulas, then time, messages, traffic. */
struct profile;
void add_efficiency(const struct sheet *sheet, const struct profile *profile);
/* Instructions per cycle, if they were counted. */
void add_counters(const struct sheet *sheet);
void add_summary(const struct sheet *sheet, struct report *report);

#endif
