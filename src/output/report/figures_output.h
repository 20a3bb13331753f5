/* The figures of a run (model/figures.h), for all outputs: `tarry report` and `tarry info` show the same
 * figures.
 *
 *	struct shown_figures shown = {reader, figures, flow, files, source, NULL};
 *	json_figures(&json, &shown);       members of the open object
 *	add_phases(&sheet, &shown);        tables of text; the sheet needs no report */
#ifndef TARRY_OUTPUT_REPORT_FIGURES_OUTPUT_H
#define TARRY_OUTPUT_REPORT_FIGURES_OUTPUT_H

#include "analysis/model/data_flow.h"
#include "analysis/model/file_usage.h"
#include "analysis/symbols/symbols.h"
#include "base/json.h"

struct shown_figures {
	const struct reader *reader;
	const struct figures *figures;
	const struct data_flow *flow;
	const struct file_usage *files; /* NULL: not recorded */
	struct symbols *source;
	const int64_t *waiting_ns; /* by process; NULL: unknown */
	bool is_folded;            /* without the matrix, and only the ranks that wait most */
	struct communication_parts communication;
};

void json_figures(struct json *json, const struct shown_figures *shown);

struct sheet;
/* The time for starting and ending MPI. */
void add_start_and_end(const struct sheet *sheet, const struct shown_figures *shown);
/* The user's regions and phases or, if there are none, the iteration. */
void add_phases(const struct sheet *sheet, const struct shown_figures *shown);
/* Mean, minimum and maximum of all processes, and outliers. */
void add_ranks(const struct sheet *sheet, const struct shown_figures *shown);
/* Sizes of messages and collective operations, and traffic between ranks. */
void add_data_flow(const struct sheet *sheet, const struct shown_figures *shown);

#endif
