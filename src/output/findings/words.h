/* Words of findings for people: texts of checks, the role of a call in a finding, lists of ranks. */
#ifndef TARRY_OUTPUT_FINDINGS_WORDS_H
#define TARRY_OUTPUT_FINDINGS_WORDS_H

#include "output/findings/findings.h"

/* Fills the values of a finding into {value} in the texts of a check. Every finding also has:
 *
 *	{function}, {rank}          of its first call
 *	{other}, {other_rank}       of its second
 *	{last}                      the last number below {size} or {partitions}
 *
 * {value:one/# of many} is the first form if the value is 1, otherwise the second with the
 * value instead of '#'.
 *
 * Missing values become a question mark. */
void message_fill(struct text *out, const char *text, const struct check_finding *finding, const char *lang);

/* Values of unnamed communicators and datatypes say how they were created. */
#define MADE_BY "made by "

/* The words for a NOTE_…; "": the wrong call. */
const char *findings_note(const char *note, const char *lang);
/* The called function; "": none, the program used memory there. */
const char *findings_function(const struct check_call *call);

/* Lists of ranks for people: "rank 3", "ranks 0-2, 7". */
enum { RANK_RUNS_SHOWN = 8 };

/* Only the numbers: at most `most` ranges, then how many more there are. */
void rank_list_numbers(const struct findings *findings, const struct finding_ranks *list, size_t most,
                       struct text *out);
/* With the word before them. */
void rank_list_describe(const struct findings *findings, const struct finding_ranks *list, struct text *out);

void rank_list_add(struct findings *findings, struct finding_ranks *list, const struct check_call *call);
/* True if its processes have ranks. They have none before MPI_Init. */
bool rank_list_is_known(const struct finding_ranks *list);
/* Sorts them, each once. */
void rank_list_sort(struct finding_ranks *list);
/* True if it contains all of `part`; both are sorted. */
bool rank_list_contains(const struct finding_ranks *list, const struct finding_ranks *part);
bool rank_list_equal(const struct finding_ranks *a, const struct finding_ranks *b);

#endif
