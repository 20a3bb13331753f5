/* The part that a call has in a finding, as the reader sees it. */
#ifndef TARRY_OUTPUT_FINDINGS_CALL_NOTES_H
#define TARRY_OUTPUT_FINDINGS_CALL_NOTES_H

#include "check/protocol/finding.h"

/* The words for a NOTE_…; "": it is the call that is wrong. */
const char *findings_note(const char *note, const char *lang);
/* The function that was called; "": none, the program used memory there. */
const char *findings_function(const struct check_call *call);

#endif
