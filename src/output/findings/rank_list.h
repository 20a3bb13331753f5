/* Lists of ranks for people: "rank 3", "ranks 0-2, 7". */
#ifndef TARRY_OUTPUT_FINDINGS_RANK_LIST_H
#define TARRY_OUTPUT_FINDINGS_RANK_LIST_H

#include "output/findings/findings.h"

enum { RANK_RUNS_SHOWN = 8 };

/* The numbers alone: at most `most` runs of neighbours, then how many more there are. */
void rank_list_numbers(const struct findings *findings, const struct finding_ranks *list, size_t most,
                       struct text *out);
/* With the word before them. */
void rank_list_describe(const struct findings *findings, const struct finding_ranks *list, struct text *out);

void rank_list_add(struct findings *findings, struct finding_ranks *list, const struct check_call *call);
/* In order, each once. */
void rank_list_sort(struct finding_ranks *list);
/* All of `part`; both are sorted. */
bool rank_list_contains(const struct finding_ranks *list, const struct finding_ranks *part);
bool rank_list_equal(const struct finding_ranks *a, const struct finding_ranks *b);

#endif
