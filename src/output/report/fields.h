/* Fields of the records of a report, each declared once (fields.c). JSON is written from these tables; tests/report/schema.py compares
 * them with docs/report.schema.json and docs/report-format.md. A new field is one line there, one in the schema and one in the docs. */
#ifndef TARRY_OUTPUT_REPORT_FIELDS_H
#define TARRY_OUTPUT_REPORT_FIELDS_H

#include "base/json.h"

extern const struct json_field efficiency_fields[], run_fields[], run_sum_fields[], run_edge_fields[],
	rank_time_fields[], rank_fields[], phase_fields[], iteration_fields[], iteration_group_fields[],
	iteration_outlier_fields[], collective_fields[], traffic_fields[], profile_fields[], local_fields[],
	action_fields[], cost_fields[], partner_fields[], cause_fields[], metric_fields[], path_fields[],
	reason_fields[];

#endif
