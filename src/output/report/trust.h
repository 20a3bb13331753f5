/* Whether the findings of an analysis can be relied on, and if not, why: a table of conditions (trust.c), each of which looks
 * at the trace and the analysis.
 *
 *	collect_trust(report);
 *	if (report->trust.verdict == TRUST_NONE) … the findings mean nothing …
 *	else if (!report->trust.can_judge) … what is found is true, but findings may be missing …
 *
 * Reasons are ordered by verdict, the most severe first. */
#ifndef TARRY_OUTPUT_REPORT_TRUST_H
#define TARRY_OUTPUT_REPORT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

struct report;

enum trust_verdict { TRUST_FULL, TRUST_LIMITED, TRUST_NONE, TRUST_VERDICTS };

/* What a limit that is not crossed may be worth: findings may be missing. */
enum hiding {
	HIDES_NOTHING, /* at most what the user does not ask about: another part of the run */
	HIDES_SOME,    /* findings of some problems: may_be_hidden() of hidden.h */
	HIDES_ANY
};

struct trust_reason {
	const char *id; /* "oversubscribed" */
	enum trust_verdict verdict;
	enum hiding hides;
	const char *text;   /* in a few words, for one line */
	const char *detail; /* what follows from it, and what to do: sentences; "" */
};

struct report_trust {
	enum trust_verdict verdict; /* the most severe of the reasons */
	bool can_judge;             /* a limit that is not crossed is kept, whatever it is about */
	/* What was recorded; NULL: no function was excluded. */
	const struct recorded_functions *functions;
	struct trust_reason *reasons;
	size_t reason_count;
};

/* In reports for programs. */
extern const char *const trust_names[TRUST_VERDICTS];

/* Fills report->trust. */
void collect_trust(struct report *report);

#endif
