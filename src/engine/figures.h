/* Figures of the whole run: what rules call run.length and so on.
 *
 * Some have to be known before the first rule is asked: processes, nodes and the uncertainty of clocks cost nothing.
 * Length, time and calls take a pass that only decodes, and are measured before the analysis if a rule uses them; otherwise
 * behind it, from the first and last events. */
#ifndef TARRY_ENGINE_FIGURES_H
#define TARRY_ENGINE_FIGURES_H

#include "engine/ground.h"

bool figures_need_pass(const struct rulebook *book);
void figures_at_once(const struct ground *ground, const struct corrected_time *time,
                     double figures[RUN_FIGURES_END]);
/* All events are read, or the first and last alone: then `calls` is not set. */
void figures_measure(struct reader *reader, const struct corrected_time *time, bool reads_all,
                     double figures[RUN_FIGURES_END]);

#endif
