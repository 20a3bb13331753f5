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
/* The first figure of an entry: "saves 901 ms, 42 % of the run", or if that is not predictable, "ranks lose 1.80 s, 45 % of their time". */
void sheet_price(const struct sheet *sheet, const struct report_entry *entry, struct text *words);
/* "rank 3", "ranks 0-2,7". */
void sheet_ranks(const struct sheet *sheet, struct text *words, const struct number_list *list);

/* "rank 3", "ranks 0-2", "ranks 0,5 and 6 more". */
void sheet_ranks_in_short(const struct sheet *sheet, struct text *words, const struct number_list *list);

/* "2 findings hidden (ranks lose 178 us); --all shows them", from so many on. False: none is hidden. */
bool sheet_hidden_findings(const struct sheet *sheet, size_t shown, struct text *words);

/* Words in at most so many lines of 80 columns, in a colour that may be NULL; they are released. Words that are too long lose their middle, and what
 * there is no room for is cut off at the end. */
void sheet_clipped(const struct sheet *sheet, const char *colour, size_t lines, struct text *words);
/* Words in lines of the terminal's width; they are released. Whatever came from the trace can do no harm. */
void sheet_paragraph(const struct sheet *sheet, size_t indent, struct text *words);
/* After a word that names them. */
void sheet_labelled(const struct sheet *sheet, const char *label, struct text *words);
/* A heading. */
void sheet_title(const struct sheet *sheet, const char *title);

/* Text in a column: filled up on its right, or on its left; cut if it is too long. */
void sheet_left(const struct sheet *sheet, const char *text, size_t width);
void sheet_right(const struct sheet *sheet, const char *text, size_t width);
/* A gap and a bar, for a part from 0 to 1 of so many columns; nothing where no bars are wanted. */
void sheet_bar(const struct sheet *sheet, double part, size_t width);

/* The beginning of a text (report_screen.c): its trust, in a line or with all reasons; the run; a summary of the findings
 * where they do not speak for themselves, behind `before`. */
void add_trust(const struct sheet *sheet);
void add_trust_in_full(const struct sheet *sheet);
void add_what_ran(const struct sheet *sheet);
void add_headline(const struct sheet *sheet, const char *before);
/* In which calls processes were when the trace ends, in sentences of at most so many lines of 80 columns; the last, which says what that
 * means, may have one more. */
void add_open_calls(const struct sheet *sheet, size_t lines);

/* The profile as text (report_summary.c): three figures and their formulas, then time, messages, traffic. */
struct profile;
void add_efficiency(const struct sheet *sheet, const struct profile *profile);
void add_summary(const struct sheet *sheet, struct report *report);

#endif
