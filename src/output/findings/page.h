/* A page of text for people: what both the blocks of findings (findings_text.c) and pictures of waits (wait_text.c) are written with. */
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
/* Words in lines, indented; releases them. Texts of logs may hold anything, and a terminal would obey: control characters are lost. */
void page_paragraph(const struct findings_page *page, size_t indent, struct text *words);
/* Words in lines that begin with what is drawn at their left, the first otherwise than the others, in this look. The first `strong` bytes
 * of the words are emphasised. Releases them. */
struct page_margin {
	const char *first, *next, *look;
	size_t strong;
};

void page_beside(const struct findings_page *page, const struct page_margin *margin, struct text *words);
/* The line of the source, if it can be read. */
void page_source(const struct findings_page *page, const struct stack_frame *frame);
/* The callers in one line, or all frames in a line each. */
void page_callers(const struct findings_page *page, const struct stack_frames *stack);

/* The picture of a finding that has one. */
void page_picture(const struct findings_page *page, const struct shown_finding *finding);
/* The lines of its calls in the source, with callers. */
void page_picture_calls(const struct findings_page *page, const struct shown_finding *finding);

#endif
