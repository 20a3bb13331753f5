/* The words around findings, in the languages of checks. Those of checks themselves are in mpi.checks. */
#ifndef TARRY_OUTPUT_FINDINGS_WORDING_H
#define TARRY_OUTPUT_FINDINGS_WORDING_H

#include "base/arena.h"
#include "base/text.h"
#include "check/checks/checks.h"
#include "check/protocol/finding.h"

#include <stdint.h>

enum findings_word {
	WORD_ERROR,
	WORD_WARNING,
	WORD_NOTE_FOUND,
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
	WORD_AND_OTHERS,
	WORD_NEAR,
	WORD_NOTHING,
	WORD_NOTHING_SO_FAR,
	WORD_FOUND,
	WORD_COMMA,
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
	WORD_LIVING_ANALYSER,
	WORD_DAMAGED,
	WORD_INTERRUPTED,
	WORD_VANISHED,
	WORD_ENDED_BY_ERROR,
	WORD_ENDED_BY_MPI,
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
	WORD_WAITS,
	WORD_BEHIND,
	WORD_ENDED,
	WORD_LATE,
	WORD_RUNS,
	WORD_BEGAN,
	WORD_READ,
	WORD_WRITTEN,
	WORD_WAITS_FOR_MESSAGE, /* "$1" is who, by enum wait_form */
	WORD_WAITS_FOR_RECEIVE,
	WORD_WAITS_FOR_COLLECTIVE, /* "$2" is the function */
	WORD_WAITS_FOR_SAME_CALL,
	WORD_WAITS_FOR_EXPOSURE,
	WORD_WAITS_FOR_ACCESS,
	WORD_WAITS_FOR_LOCK,
	WORD_WAITS_FOR,
	WORD_EACH,
	WORD_ANY_OF_THESE,
	WORD_ALL_OF_THESE,
	WORD_HAS_FINISHED,
	WORD_REQUEST_OF,
	WORD_LAST_CALL,
	WORD_LAST_CALL_OF_LATE,
	WORD_IS_LATE,
	WORD_MORE_OF_CYCLE,
	WORD_MORE_PROCESSES,
	WORD_WAIT_FOR_THESE,
	WORD_ALSO_BEHIND,
	WORD_WHERE_ALL_ARE,
	WORD_ENDED_AFTER_DEADLOCK,
	WORD_ENDED_AFTER_HANG,
	WORD_STOPPED,
	WORD_NO_DEADLOCK,
	FINDINGS_WORDS_END,
};

enum findings_noun {
	FINDINGS_ERROR,
	FINDINGS_WARNING,
	FINDINGS_NOTE,
	FINDINGS_PROCESS,
	FINDINGS_OTHER_PATH,
	FINDINGS_NOUNS_END
};

/* Who is waited for, as the sentence needs it: "(of) any of ranks 1-3", "ranks 1-3 call". */
enum wait_form { FORM_OF, FORM_CALLS, FORM_RECEIVES, FORM_UNLOCKS, WAIT_FORMS_END };
enum wait_number { NUMBER_ONE, NUMBER_EACH, NUMBER_ANY, WAIT_NUMBERS_END };

const char *wait_partner(enum wait_form form, enum wait_number number, enum check_language language,
                         const char *ranks, struct arena *arena);

const char *findings_word(enum findings_word word, enum check_language language);
/* With values for "$1" and "$2". */
const char *fill_findings_word(enum findings_word word, enum check_language language, struct arena *arena,
                               const char *first, const char *second);
/* "2 errors", "5 ошибок". */
void add_findings_counted(struct text *out, uint64_t number, enum findings_noun noun,
                          enum check_language language);
/* What a call has to do with a finding, by its NOTE_…; "": it is the call that is wrong. */
const char *findings_note(const char *note, enum check_language language);
/* The function that was called; "": nothing was, memory was used there. */
const char *findings_function(const struct check_call *call);

#endif
