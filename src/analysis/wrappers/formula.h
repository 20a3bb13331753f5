/* Expressions of a tracing rule as C: arithmetic over the arguments of a function and what it returned. */
#ifndef TARRY_ANALYSIS_WRAPPERS_FORMULA_H
#define TARRY_ANALYSIS_WRAPPERS_FORMULA_H

#include "analysis/rules/rulebook.h"
#include "base/text.h"

/* Arguments are a0, a1, …, the result is `result`. Real numbers are doubles, all others int64_t. Fails with the place and the
 * reason if only an analysis can know the value. */
enum status formula_write(const struct expr *expr, struct text *out) MUST_CHECK;

#endif
