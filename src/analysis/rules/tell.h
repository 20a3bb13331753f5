/* How the language tells what is wrong: rules/diagnostics.h, from the inside. */
#ifndef TARRY_ANALYSIS_RULES_TELL_H
#define TARRY_ANALYSIS_RULES_TELL_H

#include "analysis/rules/diagnostics.h"
#include "analysis/rules/source.h"

/* A place without a source belongs to no file. */
void tell_error(struct diagnostics *told, struct place place, const char *format, ...) PRINTF_LIKE(3, 4);
/* Adds to the error before. */
void tell_note(struct diagnostics *told, struct place place, const char *format, ...) PRINTF_LIKE(3, 4);
/* What else is wrong need not be looked for. */
static inline bool told_enough(const struct diagnostics *told)
{
	return told->error_count > DIAGNOSTICS_MAX_ERRORS;
}

/* That there are more errors, if there are. */
void tell_hidden(struct diagnostics *told);

#endif
