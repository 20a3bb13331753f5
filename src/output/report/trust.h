/* Whether the findings of an analysis can be relied on, and if not, why: a table of conditions (trust.c), each of which looks
 * at the trace and the analysis.
 *
 *	collect_trust(report);
 *	if (report->trust.verdict == TRUST_NONE) … the findings mean nothing …
 *	else if (!report->trust.can_judge) … findings are real, but others may be missing …
 *
 * Reasons are ordered by verdict, the most severe first. */
#ifndef TARRY_OUTPUT_REPORT_TRUST_H
#define TARRY_OUTPUT_REPORT_TRUST_H

#include "analysis/rules/functions.h"
#include "base/arena.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>

struct report;

enum trust_verdict { TRUST_FULL, TRUST_LIMITED, TRUST_NONE, TRUST_VERDICTS };

/* The value of a limit that is not exceeded: findings may be missing. */
enum hiding {
	HIDES_NOTHING, /* at most findings in parts of the run that the user did not ask about */
	HIDES_SOME,    /* findings of some problems: may_be_hidden() */
	HIDES_ANY
};

struct trust_reason {
	const char *id; /* "oversubscribed" */
	enum trust_verdict verdict;
	enum hiding hides;
	const char *text;   /* in a few words, for one line */
	const char *detail; /* the consequence, and a remedy: sentences; "" */
};

struct report_trust {
	enum trust_verdict verdict; /* the most severe of the reasons */
	bool can_judge;             /* a limit that is not crossed is kept, whatever it is about */
	/* The recorded functions; NULL: no function was excluded. */
	const struct recorded_functions *functions;
	struct trust_reason *reasons;
	size_t reason_count;
};

/* In reports for programs. */
extern const char *const trust_names[TRUST_VERDICTS];

/* Fills report->trust. */
void collect_trust(struct report *report);

/* Which findings may be missing because the user excluded calls (--only, --not).
 *
 *	const struct recorded_functions *functions = recorded_functions_of(reader, &arena);
 *	if (functions && may_be_hidden(functions, book, problem)) … that nothing was found proves nothing …
 *
 * A problem needs functions (analysis/rules/functions.h); which were recorded is in the trace. --minimal records what the rules need, and
 * so hides nothing of them. Completions of requests hide nothing if no request that matters was begun. */

struct recorded_functions {
	bool recorded[SELECTABLE]; /* if they are called */
	bool called[ALL_CALLS];    /* of those that begin requests */
	bool has_mpi, has_upc;
};

bool may_be_hidden(const struct recorded_functions *functions, const struct rulebook *book,
                   const struct problem *problem);

#endif
