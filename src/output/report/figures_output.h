/* The figures of a run (model/figures.h) as they are in all outputs: `tarry report` and `tarry info` show the same.
 *
 *	struct shown_figures shown = {reader, figures, flow, source, NULL};
 *	json_figures(&json, &shown);       members of an object that is open */
#ifndef TARRY_OUTPUT_REPORT_FIGURES_OUTPUT_H
#define TARRY_OUTPUT_REPORT_FIGURES_OUTPUT_H

#include "analysis/model/data_flow.h"
#include "analysis/symbols/symbols.h"
#include "base/json.h"

struct shown_figures {
	const struct reader *reader;
	const struct figures *figures;
	const struct data_flow *flow;
	struct symbols *source;
	const int64_t *waiting_ns; /* by process; NULL: not known */
};

void json_figures(struct json *json, const struct shown_figures *shown);

#endif
