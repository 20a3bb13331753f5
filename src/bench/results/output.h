/* Results for people and for programs. */
#ifndef TARRY_BENCH_RESULTS_OUTPUT_H
#define TARRY_BENCH_RESULTS_OUTPUT_H

#include "base/text.h"
#include "bench/results/results.h"

/* The terminal's table, which grows while it is measured: its head, a line for each point, and what belongs below. */
struct result_table {
	bool coloured;
	char title[160];   /* of the line before: another one gets a head */
	double unit;       /* of its times, in seconds */
	const char *extra; /* the name of a last column, NULL: there is none */
};

void table_head(const struct results *results, struct text *out);
void table_row(struct result_table *table, const struct result_point *point, struct text *out);
void table_end(const struct results *results, struct text *out);
/* All of it, for whoever has every point. */
void results_table(const struct results *results, bool coloured, struct text *out);

void results_json(const struct results *results, struct text *out);
/* The same for a page: of single processes no runs, and of very many runs and processes a part. */
void results_page_json(const struct results *results, struct text *out);
void results_csv(const struct results *results, struct text *out);
/* A page that needs nothing else: times over sizes and ranks, the spread of runs, processes, memory. */
void results_page(const struct results *results, struct text *out);

/* Where a user wants them; NULL: not there. */
struct output_files {
	const char *json;
	const char *csv;
	const char *page;
};

/* Before anything is measured: whether they can be written. */
enum status output_files_check(const struct output_files *files) MUST_CHECK;

/* Each file appears whole or not at all, and replaces what an earlier call wrote. */
enum status results_write(const struct results *results, const struct output_files *files) MUST_CHECK;

/* The same for any text. */
enum status write_whole(const char *path, const struct text *text) MUST_CHECK;

/* Of a file that results_json() made; nothing in it is trusted. */
enum status results_read(const char *path, struct results *results) MUST_CHECK;
/* Of a folder with such files, of one job each, or of one file: for each point the median of each job that has it. What runs of one
 * job have in common, such as where its processes and memory came to lie, then shows as scatter between jobs. */
enum status results_read_jobs(const char *path, struct results *results) MUST_CHECK;
/* Of its text. */
enum status results_parse(const char *bytes, size_t size, struct results *results) MUST_CHECK;

#endif
