/* Parts that pages of results are made of; page.c puts them in order. */
#ifndef TARRY_RESULTS_PAGE_PARTS_H
#define TARRY_RESULTS_PAGE_PARTS_H

#include "base/text.h"
#include "results/results.h"
#include "results/views.h"

void page_begin(const char *title, struct text *out);
void page_end(struct text *out);
/* <TAG>words</TAG> */
void page_tag(struct text *out, const char *tag, const char *words);

/* A table of names and values for each section of facts; NULL: all but the self-tests. */
void page_facts(const struct results *results, const char *section, struct text *out);

/* Plots of one operation: times over sizes and ranks, overlap, rates. */
void page_plots(const struct group *operation, struct arena *arena, struct text *out);
/* How its runs are spread. */
void page_runs(const struct group *operation, struct arena *arena, struct text *out);
/* The times of each process. */
void page_processes(const struct group *operation, struct arena *arena, struct text *out);
/* All numbers. */
void page_table(const struct group *operation, struct arena *arena, struct text *out);

/* One sentence for each of these marks, as a list. */
void page_marks(unsigned marks, struct text *out);

#endif
