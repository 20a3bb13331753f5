/* The tables of a history and of a report as a database: docs/history.md. Internal to this layer. */
#ifndef TARRY_OUTPUT_HISTORY_TABLES_H
#define TARRY_OUTPUT_HISTORY_TABLES_H

#include "base/json.h"

/* SQL. Statements that insert or select name their parameters and columns in the order of history_sqlite.c. */
extern const char history_schema[], history_insert_run[], history_insert_findings[], history_select_runs[],
	history_select_new_findings[];

/* A table of a report: keys of JSON objects become columns. */
struct report_table {
	const char *name;
	const char *first;                  /* columns in SQL before these */
	const struct json_field *fields[2]; /* columns; NULL: none */
	const char *
		columns; /* further ones, separated by blanks; "efficiency.parallel" is the column `parallel` */
	const char *from; /* where `item` comes from; ?1 is the report */
};

extern const struct report_table report_tables[]; /* ends without a name */

#endif
