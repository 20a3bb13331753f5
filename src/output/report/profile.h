/* What a report shows of the figures of a run (model/figures.h): tables by function and by the way to the call, sizes, who sends to whom, and
 * which processes stand out. */
#ifndef TARRY_OUTPUT_REPORT_PROFILE_H
#define TARRY_OUTPUT_REPORT_PROFILE_H

#include "analysis/model/data_flow.h"
#include "output/report/figures_output.h"
#include "output/report/report.h"

/* Calls of one function, or of one function at one place. */
struct profile_row {
	const char *call;
	struct call_place at; /* of a place, as what follows */
	struct action sample; /* one of its calls, without times */
	const char *path;     /* the way to it, outermost first; "": not recorded */
	const char *identity; /* for the order of rows that cost the same */
	uint64_t calls;
	int64_t inside_ns;
	int64_t run_ns; /* of that, in the run: its share is of this */
	bool is_local;  /* its time is computing */
	uint64_t bytes; /* sent; by accesses of UPC, also read */
	/* of the process that spent most in it */
	uint32_t top_process;
	int64_t top_ns;
	/* while it is added up */
	uint32_t process;
	int64_t process_ns;
};

struct profile_table {
	struct profile_row *rows; /* by time, the longest first */
	size_t count;
};

struct profile {
	const struct figures *figures;
	struct profile_table functions, places;
	struct data_flow *flow;
	int64_t *waiting_ns; /* by process: what findings with a partner charge it with */
};

/* Lives as long as the report. */
struct profile *profile_new(struct report *report);
void profile_free(struct profile *profile);
struct shown_figures profile_shown(const struct report *report);

#endif
