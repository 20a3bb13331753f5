/* Fields of the records of a report, each declared once (fields.c, and finding_fields.def for findings). JSON
 * and databases are written from these tables. tests/report/schema.py compares them with
 * docs/report.schema.json and docs/report-format.md, and adds new fields there (--repair). */
#ifndef TARRY_OUTPUT_REPORT_FIELDS_H
#define TARRY_OUTPUT_REPORT_FIELDS_H

#include "base/json.h"
#include "output/report/report.h"

extern const struct json_field efficiency_fields[], hybrid_fields[], communication_fields[], counted_fields[],
	run_fields[], run_sum_fields[], run_edge_fields[], rank_time_fields[], rank_fields[], phase_fields[],
	iteration_fields[], iteration_group_fields[], iteration_outlier_fields[], collective_fields[],
	traffic_fields[], profile_fields[], local_fields[], action_fields[], cost_fields[], partner_fields[],
	cause_fields[], metric_fields[], path_fields[], reason_fields[], file_fields[], transfer_fields[],
	mpi_file_fields[];

/* The fields of findings, whose values are computed. */
extern const struct json_field finding_fields[];
/* Labels for people, in English; NULL: not shown. */
extern const char *const finding_labels[];

struct finding_value {
	bool is_unknown;
	union {
		const char *text; /* NULL: none */
		int64_t number;   /* a count, or nanoseconds */
		double share;
		bool is_true;
	};
};

/* `field` is an index in finding_fields. */
struct finding_value finding_field_value(const struct report *report, const struct report_entry *entry,
                                         size_t field);

#endif
