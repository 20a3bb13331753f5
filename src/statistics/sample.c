#include "statistics/sample.h"

#include "base/memory.h"
#include "base/sort.h"
#include "statistics/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double quantile(const double *sorted, size_t count, double share)
{
	if (!count)
		return NAN;
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i] - values[0];
	return values[0] + sum / (double)count;
}

/* Sum of squared deviations from the mean. */
static double squares_of(const double *values, size_t count)
{
	double mean = mean_of(values, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

size_t trimmed_at_each_end(size_t count, double trim)
{
	/* 0.29 * 100 must give 29, though it is slightly less in binary. */
	size_t dropped = (size_t)(trim * (double)count + 1e-9);
	size_t most = count ? (count - 1) / 2 : 0;

	return dropped < most ? dropped : most;
}

/* Each dropped value counts as the nearest kept one. */
static void winsorize(double *sorted, size_t count, size_t dropped)
{
	for (size_t i = 0; i < dropped; i++) {
		sorted[i] = sorted[dropped];
		sorted[count - 1 - i] = sorted[count - 1 - dropped];
	}
}

static void describe(struct sample_summary *summary, const double *sorted)
{
	size_t count = summary->count;

	summary->min = sorted[0];
	summary->max = sorted[count - 1];
	summary->deviation = count > 1 ? sqrt(squares_of(sorted, count) / (double)(count - 1)) : NAN;
	summary->q05 = quantile(sorted, count, 0.05);
	summary->q25 = quantile(sorted, count, 0.25);
	summary->median = quantile(sorted, count, 0.5);
	summary->q75 = quantile(sorted, count, 0.75);
	summary->q95 = quantile(sorted, count, 0.95);
}

/* Tukey and McLaughlin: t = (mean - truth) / sqrt(SSD_w / (h (h - 1))) is approximately Student's with h -
 * 1 degrees, where h values are kept and SSD_w is the sum of squares of the winsorized values. Overwrites
 * the sorted values. */
static void trust(struct sample_summary *summary, double *sorted, size_t dropped, double confidence)
{
	double kept = (double)summary->kept;

	summary->mean = mean_of(sorted + dropped, summary->kept);
	if (summary->kept < 2)
		return;
	winsorize(sorted, summary->count, dropped);
	summary->error = sqrt(squares_of(sorted, summary->count) / (kept * (kept - 1)));
	summary->half_width = student_quantile((1 + confidence) / 2, kept - 1) * summary->error;
}

struct sample_summary summarize_values(const double *values, size_t count, double trim, double confidence)
{
	size_t dropped = trimmed_at_each_end(count, trim);
	struct sample_summary summary = {
		.count = count,
		.kept = count - 2 * dropped,
		.mean = NAN,
		.error = NAN,
		.half_width = NAN,
		.min = NAN,
		.max = NAN,
		.deviation = NAN,
		.q05 = NAN,
		.q25 = NAN,
		.median = NAN,
		.q75 = NAN,
		.q95 = NAN,
	};

	if (!count)
		return summary;
	double *sorted = memory_new(count, sizeof *sorted);

	memcpy(sorted, values, count * sizeof *sorted);
	sort_doubles(sorted, count);
	describe(&summary, sorted);
	trust(&summary, sorted, dropped, confidence);
	free(sorted);
	return summary;
}

double relative_error(const struct sample_summary *summary)
{
	return summary->mean > 0 && summary->error >= 0 ? summary->error / summary->mean : INFINITY;
}

double plain_error(const struct sample_summary *summary)
{
	return summary->deviation / sqrt((double)summary->count);
}
