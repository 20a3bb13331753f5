/* A page of text for people, shared by blocks of findings (findings_text.c) and pictures of
 * waits (wait_text.c). */
#ifndef TARRY_OUTPUT_FINDINGS_PAGE_H
#define TARRY_OUTPUT_FINDINGS_PAGE_H

#include "language/language.h"
#include "output/findings/findings.h"

struct findings_page {
	const struct findings *findings;
	const struct findings_style *style;
	struct text *out;
};

const char *page_word(const struct findings_page *page, const char *english);
/* A style that may be NULL. */
const char *page_look(const char *code);
/* Words in lines, indented; releases them. Texts of logs may contain anything, and a terminal would obey:
 * control characters are removed. */
void page_paragraph(const struct findings_page *page, size_t indent, struct text *words);
/* Words in lines with a drawing at their left, different for the first line, in this look. The first `strong`
 * bytes of the words are emphasised. Releases them. */
struct page_margin {
	const char *first, *next, *look;
	size_t strong;
};

void page_beside(const struct findings_page *page, const struct page_margin *margin, struct text *words);
/* The source line, if it is readable. */
void page_source(const struct findings_page *page, const struct stack_frame *frame);
/* The callers in one line, or all frames, one per line. */
void page_callers(const struct findings_page *page, const struct stack_frames *stack);

/* The picture of a finding, if it has one. */
void page_picture(const struct findings_page *page, const struct shown_finding *finding);
/* The source lines of its calls, with callers. */
void page_picture_calls(const struct findings_page *page, const struct shown_finding *finding);

#endif
