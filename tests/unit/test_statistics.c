/* Statistics against values worked out elsewhere: with exact fractions, by enumeration, or by quadrature with 40 digits. */
#include "random_numbers.h"
#include "statistics/compare.h"
#include "statistics/distribution.h"
#include "statistics/line.h"
#include "statistics/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void assert_near(double value, double expected, double relative)
{
	if (!(fabs(value - expected) <= relative * fabs(expected)))
		fail_msg("%.17g instead of %.17g", value, expected);
}

static void student_has_its_quantiles(void **state)
{
	static const struct {
		double probability, degrees, value;
	} known[] = {
		{0.975, 1, 12.70620473617470464},    {0.6, 1, 0.32491969623290632616},
		{0.95, 2, 2.919985580353725686},     {0.975, 2.5, 3.574654842003683218},
		{0.975, 9, 2.262157162798205542},    {0.995, 15.7, 2.928173326076259564},
		{0.9995, 3, 12.92397863668748306},   {0.975, 30, 2.042272456301238309},
		{0.95, 159.5, 1.654463106502275405}, {0.975, 160.5, 1.974854679205628251},
		{0.975, 1000, 1.962339080826408484}, {0.975, 1e15, 1.959963984540054236},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		double found = student_quantile(known[i].probability, known[i].degrees);

		assert_near(found, known[i].value, 1e-12);
		assert_near(student_quantile(1 - known[i].probability, known[i].degrees), -found, 1e-12);
	}
	assert_true(student_quantile(0.5, 7) == 0);
	assert_true(isnan(student_quantile(0.5, 0)));
	assert_true(isnan(student_quantile(1.5, 3)));
}

/* With one degree and with two it can be written down. */
static void student_is_right_far_out(void **state)
{
	(void)state;
	for (double tail = 0.4; tail > 1e-14; tail /= 3) {
		double share = 1 - 2 * tail;

		assert_near(student_quantile(tail, 1), -1 / tan(M_PI * tail), 1e-12);
		assert_near(student_quantile(tail, 2), -share * sqrt(1 / (2 * tail * (1 - tail))), 1e-12);
	}
}

/* The ways to compute it meet where one takes over from the other. */
static void student_has_no_seams(void **state)
{
	static const double seams[] = {160, 1e5};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(seams); i++)
		for (double p = 0.51; p < 1; p += 0.007)
			assert_near(student_quantile(p, seams[i] * (1 - 1e-13)),
			            student_quantile(p, seams[i] * (1 + 1e-13)), 1e-11);
}

static void normal_has_its_quantiles(void **state)
{
	(void)state;
	assert_near(normal_quantile(0.975), 1.959963984540054236, 1e-14);
	assert_near(normal_quantile(0.005), -2.575829303548900761, 1e-14);
	assert_near(normal_quantile(1e-300), -37.04709629936119, 1e-13);
	assert_near(normal_below(1.959963984540054236), 0.975, 1e-15);
	assert_true(normal_quantile(0.5) == 0);
	assert_true(normal_quantile(0) == -INFINITY);
	assert_true(normal_quantile(1) == INFINITY);
	assert_true(isnan(normal_quantile(-1)));
}

static void trims_as_said(void **state)
{
	(void)state;
	assert_int_equal(trimmed_at_each_end(12, 0.25), 3);
	assert_int_equal(trimmed_at_each_end(11, 0.25), 2);
	assert_int_equal(trimmed_at_each_end(100, 0.29), 29);
	assert_int_equal(trimmed_at_each_end(3, 0.25), 0);
	assert_int_equal(trimmed_at_each_end(2, 0.4999999999), 0);
	assert_int_equal(trimmed_at_each_end(1, 0.25), 0);
	assert_int_equal(trimmed_at_each_end(0, 0.25), 0);
}

static void summarizes(void **state)
{
	static const double values[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
	struct sample_summary summary = summarize_values(values, COUNT_OF(values), 0.25, 0.95);

	(void)state;
	assert_int_equal(summary.count, 12);
	assert_int_equal(summary.kept, 6);
	assert_near(summary.mean, 25.0 / 6, 1e-15);
	/* SSD of the winsorized ones is 131 / 12 */
	assert_near(summary.error, 0.60323203569512860, 1e-14);
	assert_near(summary.half_width, 1.5506573136318151, 1e-12);
	assert_near(summary.deviation, 2.534608929251695, 1e-14);
	assert_true(summary.min == 1 && summary.max == 9);
	assert_near(summary.q05, 1, 1e-14);
	assert_near(summary.q25, 2.75, 1e-14);
	assert_near(summary.median, 4.5, 1e-14);
	assert_near(summary.q75, 5.25, 1e-14);
	assert_near(summary.q95, 8.45, 1e-14);
	assert_near(relative_error(&summary), 0.60323203569512860 / (25.0 / 6), 1e-14);
	assert_near(plain_error(&summary), 2.534608929251695 / sqrt(12), 1e-14);
}

static void without_trimming_it_is_the_plain_mean(void **state)
{
	static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct sample_summary summary = summarize_values(values, COUNT_OF(values), 0, 0.95);

	(void)state;
	assert_int_equal(summary.kept, 8);
	assert_near(summary.mean, 5, 1e-15);
	assert_near(summary.error, plain_error(&summary), 1e-15);
}

static void says_what_few_values_cannot_tell(void **state)
{
	double values[] = {4, 6};
	struct sample_summary none = summarize_values(NULL, 0, 0.25, 0.95);
	struct sample_summary one = summarize_values(values, 1, 0.25, 0.95);
	struct sample_summary two = summarize_values(values, 2, 0.25, 0.95);

	(void)state;
	assert_int_equal(none.count, 0);
	assert_true(isnan(none.mean) && isnan(none.error) && isnan(none.median) && isnan(none.min));
	assert_true(isinf(relative_error(&none)));
	assert_true(one.mean == 4 && one.median == 4 && one.q95 == 4 && one.kept == 1);
	assert_true(isnan(one.error) && isnan(one.half_width) && isnan(one.deviation));
	assert_true(isinf(relative_error(&one)));
	assert_near(two.half_width, 12.706204736174705, 1e-12);
}

static void equal_values_have_no_error(void **state)
{
	static const double values[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
	struct sample_summary summary = summarize_values(values, COUNT_OF(values), 0.25, 0.95);

	(void)state;
	assert_true(summary.mean == 0.1 && summary.error == 0 && summary.half_width == 0);
	assert_true(relative_error(&summary) == 0);
}

/* How often the interval holds the truth, in many measurements of values that are drawn at random. */
static double uniform(struct random_numbers *numbers)
{
	return (random_below(numbers, 1u << 31) + 0.5) / 2147483648.0;
}

static double draw_normal(struct random_numbers *numbers)
{
	return sqrt(-2 * log(uniform(numbers))) * cos(2 * M_PI * uniform(numbers));
}

/* As times are: none below a bound, a few far above. */
static double draw_exponential(struct random_numbers *numbers)
{
	return -log(uniform(numbers));
}

/* One in ten comes from another source, which scatters ten times as much. */
static double draw_disturbed(struct random_numbers *numbers)
{
	return draw_normal(numbers) * (random_below(numbers, 10) ? 1 : 10);
}

enum { DRAWN = 30 };

/* Of the exponential distribution's values in order: 1/n + 1/(n - 1) + … is expected of each. */
static double expected_of_exponential(double trim)
{
	size_t dropped = trimmed_at_each_end(DRAWN, trim);
	double sum = 0, value = 0;

	for (size_t i = 0; i < DRAWN - dropped; i++) {
		value += 1.0 / (double)(DRAWN - i);
		sum += i >= dropped ? value : 0;
	}
	return sum / (double)(DRAWN - 2 * dropped);
}

struct coverage {
	double ours, plain; /* of the interval with our error, and of that with sigma / sqrt(n) */
	double wider;       /* how much the second is wider than the first on average */
};

static struct coverage cover(double (*draw)(struct random_numbers *), double truth)
{
	enum { TIMES = 4000 };
	struct random_numbers numbers = {20240229};
	struct coverage coverage = {0, 0, 0};
	double factor = student_quantile(0.975, DRAWN - 1), ours = 0, plain = 0;

	for (int i = 0; i < TIMES; i++) {
		double values[DRAWN];

		for (int j = 0; j < DRAWN; j++)
			values[j] = draw(&numbers);
		struct sample_summary summary = summarize_values(values, DRAWN, 0.25, 0.95);
		double distance = fabs(summary.mean - truth);

		coverage.ours += (distance <= summary.half_width) / (double)TIMES;
		coverage.plain += (distance <= factor * plain_error(&summary)) / (double)TIMES;
		ours += summary.half_width;
		plain += factor * plain_error(&summary);
	}
	coverage.wider = plain / ours;
	print_message("covered: %.3f; by sigma / sqrt(n): %.3f, %.2f times as wide\n", coverage.ours,
	              coverage.plain, coverage.wider);
	return coverage;
}

static void interval_holds_the_truth(void **state)
{
	struct coverage normal = cover(draw_normal, 0);
	struct coverage exponential = cover(draw_exponential, expected_of_exponential(0.25));
	struct coverage disturbed = cover(draw_disturbed, 0);

	(void)state;
	assert_true(normal.ours > 0.94 && normal.ours < 0.97);
	assert_true(exponential.ours > 0.93 && exponential.ours < 0.97);
	assert_true(disturbed.ours > 0.94 && disturbed.ours < 0.97);
	/* The error of the plain mean belongs to another estimate: it promises too much, or far too little. */
	assert_true(normal.plain < normal.ours);
	assert_true(disturbed.plain > 0.99 && disturbed.wider > 1.5);
}

/* Two-sided p by trying all ways to share out the ranks. */
struct enumeration {
	int m, n, statistic;
	long all, as_far;
};

static void enumerate(struct enumeration *e, int m, int n, int statistic)
{
	if (m + n == 0) {
		e->all++;
		e->as_far += abs(2 * statistic - e->m * e->n) >= abs(2 * e->statistic - e->m * e->n);
		return;
	}
	if (m)
		enumerate(e, m - 1, n, statistic + n);
	if (n)
		enumerate(e, m, n - 1, statistic);
}

static void compares_by_enumeration(void **state)
{
	struct random_numbers numbers = {11};

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct enumeration e = {.m = (int)random_between(&numbers, 1, 7),
		                        .n = (int)random_between(&numbers, 1, 7)};
		double values[2][7];

		for (int i = 0; i < 2; i++)
			for (int j = 0; j < 7; j++)
				values[i][j] = 1 + random_below(&numbers, 1u << 30) + i * 2e8;
		for (int i = 0; i < e.m; i++)
			for (int j = 0; j < e.n; j++)
				e.statistic += values[1][j] > values[0][i];
		enumerate(&e, e.m, e.n, 0);
		assert_near(compare_samples(values[0], (size_t)e.m, values[1], (size_t)e.n, 0.95).p,
		            (double)e.as_far / (double)e.all, 1e-12);
	}
}

static void compares_with_interval(void **state)
{
	static const double first[] = {7.7, 1.1, 2.9, 2.3, 3.1}, second[] = {9.1, 2.5, 3.3, 5.2, 4.1, 8.8};
	struct sample_comparison found = compare_samples(first, 5, second, 6, 0.95);
	struct sample_comparison back = compare_samples(second, 6, first, 5, 0.95);

	(void)state;
	assert_near(found.p, 29.0 / 231, 1e-14);
	assert_near(found.ratio, 1.729214367332964, 1e-13);
	assert_near(found.low, 0.6753246753246752, 1e-13);
	assert_near(found.high, 3.9565217391304355, 1e-13);
	assert_near(back.p, found.p, 1e-14);
	assert_near(back.ratio, 1 / found.ratio, 1e-13);
	assert_near(back.low, 1 / found.high, 1e-13);
}

/* Of samples whose true ratio is known: how often the interval holds it, and how often chance is taken for a difference. */
static void comparison_holds_the_truth(void **state)
{
	enum { TIMES = 1000, FIRST = 15, SECOND = 12 };
	struct random_numbers numbers = {77};
	int held = 0, alarms = 0;

	(void)state;
	for (int i = 0; i < TIMES; i++) {
		double first[FIRST], second[SECOND], slower[SECOND];

		for (int j = 0; j < FIRST; j++)
			first[j] = 1 + draw_exponential(&numbers);
		for (int j = 0; j < SECOND; j++) {
			second[j] = 1 + draw_exponential(&numbers);
			slower[j] = 1.3 * second[j];
		}
		struct sample_comparison found = compare_samples(first, FIRST, slower, SECOND, 0.95);

		held += found.low <= 1.3 && found.high >= 1.3;
		alarms += compare_samples(first, FIRST, second, SECOND, 0.95).p < 0.05;
	}
	assert_in_range(held, TIMES * 94 / 100, TIMES * 97 / 100);
	assert_in_range(alarms, TIMES * 3 / 100, TIMES * 6 / 100);
}

static void compares_with_ties(void **state)
{
	static const double first[] = {1, 2, 2, 3, 4, 4, 4}, second[] = {2, 3, 4, 5, 5, 6};
	static const double same[] = {3, 3, 3, 3, 3, 3, 3, 3};
	struct sample_comparison equal = compare_samples(same, 8, same, 7, 0.95);

	(void)state;
	assert_near(compare_samples(first, 7, second, 6, 0.95).p, 0.12500621852933802, 1e-12);
	assert_true(equal.p == 1 && equal.ratio == 1 && equal.low == 1 && equal.high == 1);
}

static void too_few_values_have_no_interval(void **state)
{
	static const double first[] = {1, 2, 3}, second[] = {10, 20, 30};
	struct sample_comparison found = compare_samples(first, 3, second, 3, 0.95);
	struct sample_comparison none = compare_samples(first, 0, second, 3, 0.95);

	(void)state;
	assert_near(found.p, 0.1, 1e-14);
	assert_near(found.ratio, 10, 1e-13);
	assert_true(found.low == 0 && isinf(found.high));
	assert_true(isnan(none.p) && isnan(none.ratio));
}

/* One tie, which changes no rank of the other sample, turns the exact distribution into the normal one. */
static void exact_and_normal_agree(void **state)
{
	enum { VALUES = 50 };
	struct random_numbers numbers = {3};
	double first[VALUES], second[VALUES];

	(void)state;
	for (int i = 0; i < VALUES; i++) {
		first[i] = 1000 + random_below(&numbers, 1u << 30) / 4e7;
		second[i] = 1003 + random_below(&numbers, 1u << 30) / 4e7;
	}
	first[0] = 998;
	first[1] = 999;
	struct sample_comparison exact = compare_samples(first, VALUES, second, VALUES, 0.95);

	first[1] = 998;
	struct sample_comparison normal = compare_samples(first, VALUES, second, VALUES, 0.95);

	assert_true(exact.p > 0.001 && exact.p < 0.5);
	assert_true(exact.p != normal.p);
	assert_near(normal.p, exact.p, 0.12);
	assert_near(normal.low, exact.low, 1e-4);
	assert_near(normal.high, exact.high, 1e-4);
}

static void holm_corrects(void **state)
{
	double p[] = {0.01, NAN, 0.04, 0.03, 0.005, 0.9};

	(void)state;
	holm_correction(p, COUNT_OF(p));
	assert_near(p[0], 0.04, 1e-14);
	assert_true(isnan(p[1]));
	assert_near(p[2], 0.09, 1e-14);
	assert_near(p[3], 0.09, 1e-14);
	assert_near(p[4], 0.025, 1e-14);
	assert_near(p[5], 0.9, 1e-14);
	holm_correction(NULL, 0);
}

static void fits_a_line_to_late_times(void **state)
{
	enum { POINTS = 40 };
	double x[POINTS], y[POINTS];

	(void)state;
	for (int i = 0; i < POINTS; i++) {
		x[i] = 1.7e18 + i * 1048576.0;
		/* a drift of 12 ppm, and errors of ±0.5 that do not tilt it */
		y[i] = 5e6 + 12e-6 * (x[i] - 1.7e18) + (i % 4 == 0 || i % 4 == 3 ? 0.5 : -0.5);
	}
	struct fitted_line line = line_fit(x, y, NULL, POINTS);

	assert_near(line.slope, 12e-6, 1e-6);
	assert_near(line.offset + line.slope * x[7], 5e6 + 12e-6 * 7 * 1048576.0, 1e-8);
}

static void fits_few_points(void **state)
{
	static const double x[] = {2, 2, 2}, y[] = {1, 5, 6};
	struct fitted_line none = line_fit(x, y, NULL, 0), one = line_fit(x, y, NULL, 1),
			   upright = line_fit(x, y, NULL, 3);

	(void)state;
	assert_true(none.slope == 0 && none.offset == 0);
	assert_true(one.slope == 0 && one.offset == 1);
	assert_true(upright.slope == 0 && upright.offset == 4);
}

static void heavy_points_count_more(void **state)
{
	static const double x[] = {0, 1, 2, 3}, y[] = {1, 3, 5, 100}, weights[] = {1, 1, 1, 1e-12};
	struct fitted_line weighted = line_fit(x, y, weights, 4), plain = line_fit(x, y, NULL, 4);

	(void)state;
	assert_near(weighted.slope, 2, 1e-6);
	assert_near(weighted.offset, 1, 1e-6);
	assert_true(plain.slope > 20);
}

/* By hand: residuals 1/6, -1/3, 1/6, so that the error is sqrt(1/6 / 1 / 2). */
static void a_slope_has_its_error(void **state)
{
	static const double x[] = {0, 1, 2}, y[] = {0, 0, 1};

	(void)state;
	assert_near(line_fit(x, y, NULL, 3).slope_error, 0.28867513459481287, 1e-12);
	assert_true(isinf(line_fit(x, y, NULL, 2).slope_error));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_has_its_quantiles),
		cmocka_unit_test(student_is_right_far_out),
		cmocka_unit_test(student_has_no_seams),
		cmocka_unit_test(normal_has_its_quantiles),
		cmocka_unit_test(trims_as_said),
		cmocka_unit_test(summarizes),
		cmocka_unit_test(without_trimming_it_is_the_plain_mean),
		cmocka_unit_test(says_what_few_values_cannot_tell),
		cmocka_unit_test(equal_values_have_no_error),
		cmocka_unit_test(interval_holds_the_truth),
		cmocka_unit_test(compares_by_enumeration),
		cmocka_unit_test(compares_with_interval),
		cmocka_unit_test(comparison_holds_the_truth),
		cmocka_unit_test(compares_with_ties),
		cmocka_unit_test(too_few_values_have_no_interval),
		cmocka_unit_test(exact_and_normal_agree),
		cmocka_unit_test(holm_corrects),
		cmocka_unit_test(fits_a_line_to_late_times),
		cmocka_unit_test(fits_few_points),
		cmocka_unit_test(heavy_points_count_more),
		cmocka_unit_test(a_slope_has_its_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
