/* What a handful of measured values say: their middle, how far it can be trusted, their spread.
 *
 *	struct sample_summary summary = summarize_values(values, count, 0.25, 0.95);
 *
 * Values are seconds or anything else; nothing here knows what was measured. */
#ifndef TARRY_BENCH_STATISTICS_SAMPLE_H
#define TARRY_BENCH_STATISTICS_SAMPLE_H

#include <stddef.h>

struct sample_summary {
	size_t count; /* values given */
	size_t kept;  /* after trimming */
	double mean;  /* of those kept */
	/* Of that trimmed mean, from the winsorized variance (Tukey and McLaughlin): the deviation of the kept ones alone
	 * would be too small, as the extremes are no longer among them. */
	double error;
	double half_width; /* of the interval of confidence around the mean: Student's factor times `error`; kept - 1 degrees */
	double min, max;                   /* of all */
	double deviation;                  /* of all, unbiased */
	double q05, q25, median, q75, q95; /* of all */
};

/* `trim`: share dropped at each end, from 0 to below 0.5. Everything but counts is NAN without values, `error` and `half_width`
 * when fewer than two are kept, `deviation` of one. */
struct sample_summary summarize_values(const double *values, size_t count, double trim, double confidence);

/* floor(trim * count), and always so few that at least one is kept. */
size_t trimmed_at_each_end(size_t count, double trim);

/* error / mean; INFINITY as long as that cannot be told. */
double relative_error(const struct sample_summary *summary);

/* sigma / sqrt(n) of all values: the error of the plain mean, which is not that of the trimmed one. */
double plain_error(const struct sample_summary *summary);

/* Of sorted values, between neighbours in proportion; NAN of none. */
double quantile(const double *sorted, size_t count, double share);

void sort_values(double *values, size_t count);

#endif
