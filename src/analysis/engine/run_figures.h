/* Figures of the whole run: run.length and others in rules.
 *
 * They must be known before the first rule is evaluated. Processes, nodes and the uncertainty of clocks are
 * known at once. Length and time follow from the first and last events of each thread (model/run_spans.h).
 * The number of calls is known after the first reading of the trace. */
#ifndef TARRY_ANALYSIS_ENGINE_RUN_FIGURES_H
#define TARRY_ANALYSIS_ENGINE_RUN_FIGURES_H

#include "analysis/engine/rule_symbols.h"

void figures_at_once(const struct analysis_session *session, double figures[RUN_FIGURES_END]);

/* False: the survey concerns functions of a paradigm that the run does not use. */
bool survey_concerns(const struct problem *survey, const struct reader *reader);

#endif
