/* How single runs are spread: boxes and dots for many points side by side, a histogram for one. */
#ifndef TARRY_BENCH_RESULTS_PLOT_RUNS_H
#define TARRY_BENCH_RESULTS_PLOT_RUNS_H

#include "bench/results/plot.h"
#include "bench/statistics/sample.h"

struct run_column {
	const char *label;
	const double *times; /* summary->count of them */
	const struct sample_summary *summary;
};

enum { RUN_COLUMNS_MAX = 24 };

/* Of each column, times relative to its median. */
void runs_draw(const char *title, const char *x_title, const struct run_column *columns, size_t count,
               struct text *out);
/* Times of one, with mean and interval. */
void histogram_draw(const char *title, const double *times, const struct sample_summary *summary,
                    struct text *out);

#endif
