/* A test that a rule file carries: what processes call, and what is to be found in it. */
#ifndef TARRY_ANALYSIS_RULES_RULE_TEST_H
#define TARRY_ANALYSIS_RULES_RULE_TEST_H

#include "analysis/rules/rulebook.h"

/* A field of the trace by its name there: peer=1. */
struct rule_test_field {
	const char *name;
	const char *value; /* whole numbers are decimal, units resolved: sent=1 KiB is "1024" */
};

struct rule_test_event {
	uint32_t rank, thread;
	const char *function;
	struct rule_test_field *fields; /* in the order given; a name may be there more than once */
	uint32_t field_count;
	int64_t start_ns, end_ns;
	const char *file; /* "" if it is not said */
	uint32_t line;
	struct origin origin;
};

struct rule_test_expectation {
	const char *id; /* of a problem in the book */
	bool has_rank;
	uint32_t rank;
	bool has_duration;
	int64_t duration_ns; /* of all occurrences together */
	uint32_t count;      /* occurrences; 0: at least one */
	struct origin origin;
};

/* Exactly what is expected must be found, of problems that `file` declares and those that are expected. Where nothing is, there
 * must be no finding of those that it imports either. */
struct rule_test {
	const char *name;
	const char *file;
	const char *const *visible; /* it, and what it imports, directly or through others */
	size_t visible_count;
	struct origin origin;
	struct rule_test_event *events;
	uint32_t event_count;
	struct rule_test_expectation *expectations; /* none: nothing is to be found */
	uint32_t expectation_count;
};

#endif
