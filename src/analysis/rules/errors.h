/* How the checker reports errors: rules/diagnostics.h, from the inside. */
#ifndef TARRY_ANALYSIS_RULES_ERRORS_H
#define TARRY_ANALYSIS_RULES_ERRORS_H

#include "analysis/rules/diagnostics.h"
#include "analysis/rules/source.h"

/* A place without a source belongs to no file. */
void add_error(struct diagnostics *errors, struct source_range place, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Adds to the error before. */
void add_error_note(struct diagnostics *errors, struct source_range place, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* What else is wrong need not be looked for. */
static inline bool has_enough_errors(const struct diagnostics *errors)
{
	return errors->error_count > DIAGNOSTICS_MAX_ERRORS;
}

/* That there are more errors, if there are. */
void note_hidden_errors(struct diagnostics *errors);

#endif
