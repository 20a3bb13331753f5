/* Which findings may be missing because the user excluded calls (--only, --not).
 *
 *	const struct recorded_functions *functions = recorded_functions_of(reader, &arena);
 *	if (functions && may_be_hidden(functions, book, problem)) … that nothing was found proves nothing …
 *
 * A problem needs functions (analysis/rules/functions.h); which were recorded is in the trace. --minimal records what the rules need, and
 * so hides nothing of them. Completions of requests hide nothing if no request that matters was begun. */
#ifndef TARRY_OUTPUT_REPORT_HIDDEN_H
#define TARRY_OUTPUT_REPORT_HIDDEN_H

#include "analysis/rules/functions.h"
#include "base/arena.h"
#include "trace/reader.h"

struct recorded_functions {
	bool recorded[SELECTABLE]; /* if they are called */
	bool called[ALL_CALLS];    /* of those that begin requests */
	bool has_mpi, has_upc;
};

/* NULL: no function was excluded. */
const struct recorded_functions *recorded_functions_of(const struct reader *reader, struct arena *arena);
bool may_be_hidden(const struct recorded_functions *functions, const struct rulebook *book,
                   const struct problem *problem);

#endif
