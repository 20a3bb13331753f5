/* Results for people and for programs. */
#ifndef TARRY_BENCH_RESULTS_OUTPUT_H
#define TARRY_BENCH_RESULTS_OUTPUT_H

#include "base/text.h"
#include "bench/results/results.h"

/* The table on the terminal, printed while points are measured: header, a line per point, footer. */
struct result_table {
	bool coloured;
	char title[160];   /* of the previous line: a different title starts a table */
	double unit;       /* of its times, in seconds */
	const char *extra; /* name of an extra last column, or NULL */
};

void table_head(const struct results *results, struct text *out);
void table_row(struct result_table *table, const struct result_point *point, struct text *out);
void table_end(const struct results *results, struct text *out);
/* The whole table. */
void results_table(const struct results *results, bool coloured, struct text *out);

void results_json(const struct results *results, struct text *out);
/* The same for a page: no runs of single processes, and a sample of very many values. */
void results_page_json(const struct results *results, struct text *out);
void results_csv(const struct results *results, struct text *out);
/* A self-contained page: times over sizes and ranks, spread of runs, processes, memory. */
void results_page(const struct results *results, struct text *out);

/* The user's output files; NULL: not wanted. */
struct output_files {
	const char *json;
	const char *csv;
	const char *page;
};

/* Checks before the measurement that they can be written. */
enum status output_files_check(const struct output_files *files) MUST_CHECK;

/* Each file appears complete or not at all, and replaces that of an earlier call. */
enum status results_write(const struct results *results, const struct output_files *files) MUST_CHECK;

/* The same for any text. */
enum status write_whole(const char *path, const struct text *text) MUST_CHECK;

/* Reads a file of results_json(); its content is validated. */
enum status results_read(const char *path, struct results *results) MUST_CHECK;
/* Reads a folder of such files, one per job, or a single file: for each point the median of each job.
 * Effects that all runs of a job share, such as the placement of processes and memory, then appear as
 * scatter between jobs. */
enum status results_read_jobs(const char *path, struct results *results) MUST_CHECK;
/* From text. */
enum status results_parse(const char *bytes, size_t size, struct results *results) MUST_CHECK;

#endif
