/* A list of errors in rules: each with its place, and with notes about other places.
 *
 *	struct diagnostics errors = {0};
 *	if (rulebook_check(&options, &errors, &book) != OK)
 *		for (size_t i = 0; i < errors.count; i++)
 *			diagnostic_describe(&errors.list[i], &text);
 *	diagnostics_release(&errors);
 *
 * A description reads
 *
 *	a.rules:3:14: error: cannot add a time (s) to bytes
 *	  when late + size > 0 s
 *	       ~~~~ ^ */
#ifndef TARRY_ANALYSIS_RULES_DIAGNOSTICS_H
#define TARRY_ANALYSIS_RULES_DIAGNOSTICS_H

#include "analysis/rules/rulebook.h"
#include "base/arena.h"
#include "base/text.h"

enum severity { SEVERITY_ERROR, SEVERITY_NOTE };

/* Further errors are not reported. */
enum { DIAGNOSTICS_MAX_ERRORS = 20 };

struct diagnostic {
	enum severity severity;
	struct origin origin; /* `file` is NULL: not in a file; `line` is 0: the file as a whole */
	const char *sentence;
	const char *line; /* of the source, with tabs; NULL: none */
	uint32_t indent;  /* bytes of `line` before the place */
	uint32_t width;   /* characters of the place in this line; at least 1 */
};

struct diagnostics {
	struct arena arena;
	struct diagnostic *list;
	size_t count;
	size_t error_count;
	bool is_muted; /* the last error was above the limit, and so are its notes */
};

/* "a.rules:3:14: error: " */
void diagnostic_describe_place(const struct diagnostic *diagnostic, struct text *out);
/* The source line and the line with the caret; nothing without a source line. */
void diagnostic_describe_source(const struct diagnostic *diagnostic, struct text *out);
/* All of it, with a newline. */
void diagnostic_describe(const struct diagnostic *diagnostic, struct text *out);
void diagnostics_release(struct diagnostics *errors);

/* Like rulebook_load(), but returns the errors as a list. */
enum status rulebook_check(const struct rule_options *options, struct diagnostics *errors,
                           struct rulebook **book) MUST_CHECK;

#endif
