/* What the back ends of the report share. */
#ifndef TARRY_REPORT_PARTS_H
#define TARRY_REPORT_PARTS_H

#include "report/report.h"

/* Part of the time of all processes together, from 0 to 1. */
double share_of_run(const struct report *report, int64_t ns);

/* Of times that are not negative; what a rule divides by 0 is as long as a time can be, and so is its sum. */
static inline int64_t sum_of_ns(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* "rank 3", "ranks 0-2,7". */
void add_ranks(const struct reader *reader, const struct process_list *list, struct text *out);

struct spot spot_of(struct report *report, const struct action *action);

/* The back ends for programs. */
void report_json(struct report *report, struct text *out);

/* Fills report->notes. */
void collect_notes(struct report *report);

#endif
