/* The critical path of a report: what was done on it, by place. Internal to the report.
 *
 *	report_path_new(report, causes_take_path(causes));       fills report->path; the path may be NULL
 *	add_critical_path(&sheet);                               a paragraph, if it says something
 *	report_path_free(report->path); */
#ifndef TARRY_OUTPUT_REPORT_REPORT_PATH_H
#define TARRY_OUTPUT_REPORT_REPORT_PATH_H

#include "output/report/sheet.h"

struct path_place {
	struct report_cause what; /* its part of the path: kind, processes, places and time */
	/* Computing: how much more that is than processes compute there on average, over the whole run. */
	int64_t excess_ns;
};

struct report_path {
	struct critical_path *path;
	struct path_place *places; /* the largest first */
	size_t place_count;
	struct cause_part *ranks; /* time on it of each process that has any, the longest first */
	size_t rank_count;
};

void report_path_new(struct report *report, struct critical_path *path);
void report_path_free(struct report_path *path);
/* A part of the path's length, from 0 to 1. */
double share_of_path(const struct report_path *path, int64_t ns);
/* In a paragraph, or in one line. */
void add_critical_path(const struct sheet *sheet);
void add_critical_path_line(const struct sheet *sheet);
/* Of the notes: what of it is not known. False: this is. */
enum path_doubt { PATH_CUT, PATH_MISSED_WAITS, PATH_DOUBTS };
bool path_in_doubt(const struct report *report, enum path_doubt doubt, struct text *words);

#endif
