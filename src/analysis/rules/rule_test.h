/* A test inside a rule file: calls of processes, and the expected findings. */
#ifndef TARRY_ANALYSIS_RULES_RULE_TEST_H
#define TARRY_ANALYSIS_RULES_RULE_TEST_H

#include "analysis/rules/rulebook.h"

/* A field of the trace by its name: peer=1. */
struct rule_test_field {
	const char *name;
	const char *value; /* whole numbers are decimal, with units resolved: sent=1 KiB is "1024" */
};

struct rule_test_event {
	uint32_t rank, thread;
	const char *function;
	struct rule_test_field *fields; /* in the order given; a name may occur repeatedly */
	uint32_t field_count;
	int64_t start_ns, end_ns;
	const char *file; /* "": not given */
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

/* Exactly the expected findings must be found, among the problems that `file` declares and those that are
 * expected. If none are expected, its imports must have no findings either. */
struct rule_test {
	const char *name;
	const char *file;
	const char *const *visible; /* the file and its direct and indirect imports */
	size_t visible_count;
	struct origin origin;
	struct rule_test_event *events;
	uint32_t event_count;
	struct rule_test_expectation *expectations; /* empty: nothing must be found */
	uint32_t expectation_count;
};

#endif
