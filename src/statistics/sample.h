/* Statistics of a sample: trimmed mean with its error, and spread.
 *
 *	struct sample_summary summary = summarize_values(values, count, 0.25, 0.95);
 *
 * Values are seconds or anything else. */
#ifndef TARRY_STATISTICS_SAMPLE_H
#define TARRY_STATISTICS_SAMPLE_H

#include <stddef.h>

struct sample_summary {
	size_t count; /* values given */
	size_t kept;  /* after trimming */
	double mean;  /* of the kept values */
	/* Standard error of the trimmed mean, from the winsorized variance (Tukey and McLaughlin): the
	 * deviation of the kept values alone would be too small without the extremes. */
	double error;
	double half_width; /* of the confidence interval around the mean: Student's factor times `error`; kept - 1 degrees */
	double min, max;                   /* of all */
	double deviation;                  /* of all, unbiased */
	double q05, q25, median, q75, q95; /* of all */
};

/* `trim`: share dropped at each end, below 0.5. Everything but counts is NAN without values, `error` and
 * `half_width` with fewer than two kept values, `deviation` with one value. */
struct sample_summary summarize_values(const double *values, size_t count, double trim, double confidence);

/* floor(trim * count), but at least one value is kept. */
size_t trimmed_at_each_end(size_t count, double trim);

/* error / mean; INFINITY if unknown. */
double relative_error(const struct sample_summary *summary);

/* sigma / sqrt(n): the error of the plain mean, not of the trimmed one. */
double plain_error(const struct sample_summary *summary);

/* Of sorted values, interpolated; NAN without values. */
double quantile(const double *sorted, size_t count, double share);

#endif
