/* The report's own words in the languages that it speaks. What rules say is theirs (rules/rulebook.h).
 *
 *	const struct language *words = language_of("ru", PARADIGM_MPI);
 *	language_phrase(words, PHRASE_WHERE)
 *	add_counted(&text, words, 5, NOUN_CALL);      5 вызовов */
#ifndef TARRY_OUTPUT_REPORT_PHRASES_H
#define TARRY_OUTPUT_REPORT_PHRASES_H

#include "analysis/model/paradigm.h"
#include "base/units.h"

enum wording {
	PHRASE_IN_TIME,
	PHRASE_ON_NODES,
	PHRASE_OF_ALL_TIME,
	PHRASE_LIKELY,
	PHRASE_SUSPICION,
	PHRASE_RANK,
	PHRASE_RANKS,
	PHRASE_AND,
	PHRASE_MORE,
	PHRASE_AT_PLACE,
	PHRASE_THREAD,
	PHRASE_WHERE,
	PHRASE_PARTNER,
	PHRASE_PATH,
	PHRASE_COST,
	PHRASE_SPREAD,
	PHRASE_WHAT,
	PHRASE_ADVICE,
	PHRASE_MEAN,
	PHRASE_WORST,
	PHRASE_AT_TIME,
	PHRASE_REST,
	PHRASE_SEE_ALL,
	PHRASE_NOTHING_THAT_MATTERS,
	PHRASE_NOTHING,
	PHRASE_NO_PROBLEM,
	PHRASE_NOTE,
	PHRASE_PARALLEL_EFFICIENCY,
	PHRASE_LOAD_BALANCE,
	PHRASE_COMMUNICATION_EFFICIENCY,
	PHRASE_PARALLEL_FORMULA,
	PHRASE_BALANCE_FORMULA,
	PHRASE_COMMUNICATION_FORMULA,
	PHRASE_TIME_BY_FUNCTION,
	PHRASE_TIME_BY_PLACE,
	PHRASE_COMPUTING,
	PHRASE_MESSAGE_SIZES,
	PHRASE_EMPTY,
	PHRASE_FROM,
	PHRASE_MATRIX,
	PHRASE_EACH_LETTER,
	PHRASE_TIMES_RANKS,
	NOTE_PARTS,
	NOTE_ONLY,
	NOTE_OF,
	NOTE_OTHERS_MISSING,
	NOTE_SELECTION,
	NOTE_SELECTION_REST,
	NOTE_UNTRACED,
	NOTE_UNTRACED_REST,
	NOTE_STOLEN,
	NOTE_STOLEN_SHARE,
	NOTE_STOLEN_OF_THEM,
	NOTE_STOLEN_LEFT_OUT,
	NOTE_STOLEN_CROWDED,
	NOTE_STOLEN_SHARED,
	PHRASES_END,
};

/* Behind a number; those of notes are whole sentences. */
enum noun {
	NOUN_PROCESS,
	NOUN_NODE, /* behind PHRASE_ON_NODES */
	NOUN_CALL,
	NOUN_FINDING,
	NOUN_MORE_FINDING,
	NOUN_TIME, /* how often */
	NOUN_MESSAGE,
	NOUN_LINE,
	NOUN_PLACE,
	NOUN_CORE, /* behind NOTE_STOLEN_OF_THEM */
	NOTED_BLIND,
	NOTED_UNFINISHED,
	NOTED_ORDER,
	NOTED_SENDS,
	NOTED_RECEIVES,
	NOTED_INCOMPLETE,
	NOTED_MIXED,
	NOTED_FORCED,
	NOTED_PASSED_OVER,
	NOUNS_END,
};

/* Of one, of few and of many; where a language has no few, the same as many. */
struct noun_forms {
	const char *one, *few, *many;
};

/* Where a phrase or noun of it is missing, it is that of `otherwise`. */
struct language {
	const char *lang;
	const struct language *otherwise;
	const char *phrases[PHRASES_END];
	struct noun_forms nouns[NOUNS_END];
	const char *(*form)(const struct noun_forms *forms, uint64_t number);
};

/* English if `lang` is NULL or there are no words for it. Processes that are threads of UPC are called so. */
const struct language *language_of(const char *lang, enum paradigm paradigm);
const char *language_phrase(const struct language *language, enum wording number);

void add_counted(struct text *out, const struct language *language, uint64_t number, enum noun noun);

#endif
