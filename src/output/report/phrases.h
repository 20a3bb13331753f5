/* The report's own words in the languages that it is_reported. The texts of rules are in rule files (rules/rulebook.h).
 *
 *	const struct language *words = language_of("ru", PARADIGM_MPI);
 *	language_phrase(words, PHRASE_WHERE)
 *	add_counted(&text, words, 5, NOUN_CALL);      5 вызовов */
#ifndef TARRY_OUTPUT_REPORT_PHRASES_H
#define TARRY_OUTPUT_REPORT_PHRASES_H

#include "analysis/model/processes.h"
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
	PHRASE_RANGE,
	PHRASE_WHAT,
	PHRASE_ADVICE,
	PHRASE_MEAN,
	PHRASE_WORST,
	PHRASE_AT_TIME,
	PHRASE_REST,
	PHRASE_SEE_ALL,
	PHRASE_NOTHING,
	PHRASE_NO_PROBLEM,
	PHRASE_NOTE,
	PHRASE_FOUND,
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
	PHRASE_CAUSE,
	CAUSE_COMPUTING_SHORT,
	CAUSE_COMPUTING_LONG,
	CAUSE_CALL_SHORT,
	CAUSE_CALL_LONG,
	CAUSE_NOISE_SHORT,
	CAUSE_NOISE_LONG,
	CAUSE_TRANSFER_SHORT,
	CAUSE_TRANSFER_LONG,
	CAUSE_OTHER_SHORT,
	CAUSE_OTHER_LONG,
	CAUSE_UNKNOWN_SHORT,
	CAUSE_UNKNOWN_LONG,
	CAUSE_IN_REGION,
	CAUSE_MEAN_SHORT,
	CAUSE_MEAN_LONG,
	CAUSE_INSTANCES,
	PHRASE_TRUST,
	PHRASE_TRUST_FULL, /* in the order of enum trust_verdict */
	PHRASE_TRUST_LIMITED,
	PHRASE_TRUST_NONE,
	PHRASE_COMPLETE,
	PHRASE_MORE_REASONS,
	PHRASE_UNRELIABLE,
	PHRASE_NOTHING_CONCLUDED,
	PHRASE_NOTHING_RECORDED,
	PHRASE_UNEXPLAINED,
	PHRASE_EXPLAINED_IN_PART,
	REASON_EMPTY,
	REASON_EMPTY_DETAIL,
	REASON_PARTS,
	REASON_PARTS_DETAIL,
	REASON_INCOMPLETE,
	REASON_INCOMPLETE_FROM,
	REASON_INCOMPLETE_DETAIL,
	REASON_MISSING,
	REASON_MISSING_DETAIL,
	REASON_LOST,
	REASON_LOST_DETAIL,
	REASON_DAMAGED,
	REASON_DAMAGED_DETAIL,
	REASON_CPU_UNKNOWN,
	REASON_CPU_CROWDED,
	REASON_CPU_SHARED,
	REASON_CPU_DETAIL,
	REASON_CPU_SHARED_DETAIL,
	REASON_SELECTION,
	REASON_PAUSED,
	REASON_SELECTION_DETAIL,
	REASON_UNTRACED,
	REASON_UNTRACED_DETAIL,
	REASON_LEFT_OUT,
	REASON_LEFT_OUT_DETAIL,
	REASON_CLOCKS_APART,
	REASON_CLOCKS_UNCOMPARED,
	REASON_CLOCKS_DETAIL,
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
	NOUN_CORE,         /* behind a word for "on" */
	NOUN_OF_PROCESSES, /* behind a word for "of" */
	NOUN_LOSING,
	NOUN_DAMAGE,
	NOTED_ORDER,
	NOTED_SENDS,
	NOTED_RECEIVES,
	NOTED_INCOMPLETE,
	NOTED_MIXED,
	NOTED_FORCED,
	NOTED_SKIPPED,
	NOUNS_END,
};

/* A language and what the processes of a trace are called in it. */
struct language {
	const char *lang;
	size_t number;
	enum paradigm paradigm;
};

/* English if `lang` is NULL or there are no words for it. Threads of UPC are called so. */
const struct language *language_of(const char *lang, enum paradigm paradigm);
const char *language_phrase(const struct language *language, enum wording wording);
/* The phrase with values for "$1", "$2" and so on. */
void add_filled_phrase(struct text *out, const struct language *language, enum wording wording,
                       const char *const *values);
void add_counted(struct text *out, const struct language *language, uint64_t number, enum noun noun);

#endif
