/* Parts that pages of results are made of; page.c puts them in order. */
#ifndef TARRY_BENCH_RESULTS_PAGE_PARTS_H
#define TARRY_BENCH_RESULTS_PAGE_PARTS_H

#include "base/text.h"
#include "bench/results/results.h"
#include "bench/results/views.h"

void page_begin(const char *title, struct text *out);
void page_end(struct text *out);
/* <TAG>words</TAG> */
void page_tag(struct text *out, const char *tag, const char *words);

/* The legend of a page: what signs in its plots mean. The list ends with NULL. */
struct page_sign {
	const char *look;    /* the class that gives its colour */
	const char *drawing; /* SVG in a field of 28 times 16 */
	const char *meaning;
};

void page_signs(const struct page_sign *signs, struct text *out);

/* A table of names and values for each section of facts; NULL: all but the self-tests. */
void page_facts(const struct results *results, const char *section, struct text *out);

/* Plots of one operation: times over sizes and ranks, overlap, rates, how runs are spread, each process. */
void page_plots(const struct point_group *operation, struct arena *arena, struct text *out);
/* One for each point. */
void page_histograms(const struct point_group *operation, struct arena *arena, struct text *out);
/* What the MPI library takes, if that was looked at. */
void page_memory(const struct results *results, struct arena *arena, struct text *out);
/* All numbers. */
void page_table(const struct point_group *operation, struct arena *arena, struct text *out);

/* One sentence for each of these marks, as a list. */
void page_marks(unsigned marks, struct text *out);

#endif
