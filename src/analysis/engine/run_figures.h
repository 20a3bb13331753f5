/* Figures of the whole run: run.length and others in rules.
 *
 * They have to be known before the first rule is asked: processes, nodes and the uncertainty of clocks cost nothing, length
 * and time follow from the first and last events of each thread (model/run_spans.h), and the first reading of the trace counts the calls. */
#ifndef TARRY_ANALYSIS_ENGINE_RUN_FIGURES_H
#define TARRY_ANALYSIS_ENGINE_RUN_FIGURES_H

#include "analysis/engine/rule_symbols.h"

void figures_at_once(const struct analysis_session *session, double figures[RUN_FIGURES_END]);

/* False: it is about functions of a paradigm that the run does not use. */
bool survey_concerns(const struct problem *survey, const struct reader *reader);

#endif
