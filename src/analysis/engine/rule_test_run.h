/* Runs the tests in rule files: the calls of a test become a trace, which is analysed, and the findings are
 * compared with the expected ones.
 *
 *	struct text complaints = {0};
 *	TRY(rule_test_run(book, book->tests[i], &complaints));
 *	passed = !complaints.length; */
#ifndef TARRY_ANALYSIS_ENGINE_RULE_TEST_RUN_H
#define TARRY_ANALYSIS_ENGINE_RULE_TEST_RUN_H

#include "analysis/rules/rule_test.h"
#include "base/text.h"

/* Adds a line for each finding that is missing, wrong or not expected. FAILED: the test could not be run. */
enum status rule_test_run(const struct rulebook *book, const struct rule_test *test,
                          struct text *complaints) MUST_CHECK;

/* The trace of a test as text for trace_assemble(). */
void rule_test_trace(const struct rulebook *book, const struct rule_test *test, struct text *out);

/* Fails if a call of the test has an invalid field or value, with the line in the rule file. */
enum status rule_test_fields(const struct rulebook *book, const struct rule_test *test) MUST_CHECK;

#endif
