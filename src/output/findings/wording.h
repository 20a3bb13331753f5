/* The words around findings, in the languages of checks. Those of checks themselves are in mpi.checks. */
#ifndef TARRY_OUTPUT_FINDINGS_WORDING_H
#define TARRY_OUTPUT_FINDINGS_WORDING_H

#include "base/arena.h"
#include "base/text.h"
#include "check/checks/checks.h"

#include <stdint.h>

enum findings_word {
	WORD_ERROR,
	WORD_WARNING,
	WORD_RANK,
	WORD_RANKS,
	WORD_OF_WORLD,
	WORD_BEFORE_INIT,
	WORD_MORE,
	WORD_WITH,
	WORD_CALLED_FROM,
	WORD_WHY,
	WORD_FIX,
	WORD_STANDARD,
	WORD_SEEN,
	WORD_TIMES_ON,
	WORD_NEAR,
	WORD_NOTHING,
	WORD_NOTHING_SO_FAR,
	WORD_FOUND,
	WORD_AND,
	WORD_HIDDEN,
	WORD_UNUSED,
	WORD_NOTE,
	WORD_COMPLETE,
	WORD_INCOMPLETE,
	WORD_NOT_CHECKED,
	WORD_NO_LOGS,
	WORD_NO_PROCESS,
	WORD_LOST_ANALYSER,
	WORD_DAMAGED,
	WORD_INTERRUPTED,
	WORD_VANISHED,
	WORD_ENDED_BY_ERROR,
	WORD_ABORTED,
	WORD_EXITED,
	WORD_UNCHECKED,
	WORD_MISSING,
	WORD_STILL_RUNNING,
	WORD_SUPPRESSIONS,
	WORD_CREATED, /* notes of calls */
	WORD_FREED,
	WORD_SENT,
	WORD_RECEIVED,
	WORD_OTHER,
	WORD_EARLIER,
	FINDINGS_WORDS_END,
};

enum findings_noun { FINDINGS_ERROR, FINDINGS_WARNING, FINDINGS_PROCESS, FINDINGS_NOUNS_END };

const char *findings_word(enum findings_word word, enum check_language language);
/* With values for "$1" and "$2". */
const char *fill_findings_word(enum findings_word word, enum check_language language, struct arena *arena,
                               const char *first, const char *second);
/* "2 errors", "5 ошибок". */
void add_findings_counted(struct text *out, uint64_t number, enum findings_noun noun,
                          enum check_language language);
/* What a call has to do with a finding, by its NOTE_…; "": it is the call that is wrong. */
const char *findings_note(const char *note, enum check_language language);

#endif
