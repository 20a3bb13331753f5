/* Words of findings for people: texts of checks, the part of a call in a finding, lists of ranks. */
#ifndef TARRY_OUTPUT_FINDINGS_WORDS_H
#define TARRY_OUTPUT_FINDINGS_WORDS_H

#include "output/findings/findings.h"

/* The texts of a check with the values of a finding in place of {value}. Every finding also has:
 *
 *	{function}, {rank}          of its first call
 *	{other}, {other_rank}       of its second
 *	{last}                      the last number of those that {size} or {partitions} counts
 *
 * {value:one/# of many} is the first form if the value is 1, otherwise the second with the value in place of '#'.
 *
 * What the finding does not have becomes a question mark. */
void message_fill(struct text *out, const char *text, const struct check_finding *finding, const char *lang);

/* Values of communicators and datatypes that have no name say how they were made. */
#define MADE_BY "made by "

/* The words for a NOTE_…; "": it is the call that is wrong. */
const char *findings_note(const char *note, const char *lang);
/* The function that was called; "": none, the program used memory there. */
const char *findings_function(const struct check_call *call);

/* Lists of ranks for people: "rank 3", "ranks 0-2, 7". */
enum { RANK_RUNS_SHOWN = 8 };

/* The numbers alone: at most `most` runs of neighbours, then how many more there are. */
void rank_list_numbers(const struct findings *findings, const struct finding_ranks *list, size_t most,
                       struct text *out);
/* With the word before them. */
void rank_list_describe(const struct findings *findings, const struct finding_ranks *list, struct text *out);

void rank_list_add(struct findings *findings, struct finding_ranks *list, const struct check_call *call);
/* Do its processes have ranks? They have none before MPI_Init. */
bool rank_list_is_known(const struct finding_ranks *list);
/* In order, each once. */
void rank_list_sort(struct finding_ranks *list);
/* All of `part`; both are sorted. */
bool rank_list_contains(const struct finding_ranks *list, const struct finding_ranks *part);
bool rank_list_equal(const struct finding_ranks *a, const struct finding_ranks *b);

#endif
