#include "statistics/compare.h"

#include "base/memory.h"
#include "base/sort.h"
#include "statistics/distribution.h"
#include "statistics/sample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Larger samples use the normal approximation, because exact tables take time with the fourth power. */
enum { EXACT_MAX = 50 };

/* Two samples, sorted. */
struct sample_pair {
	double *first, *second;
	size_t m, n; /* how many */
};

/* Distribution of U if both samples have the same distribution. */
struct null_distribution {
	double *below; /* below[u]: probability of at most u, for u up to m n / 2; NULL: normal approximation */
	double deviation; /* of the normal approximation, corrected for ties */
	double products;  /* m n */
};

static double *logarithms(const double *values, size_t count)
{
	double *sorted = memory_new(count, sizeof *sorted);

	for (size_t i = 0; i < count; i++)
		sorted[i] = log(values[i]);
	sort_doubles(sorted, count);
	return sorted;
}

/* For each value of both samples, in order: the number of equal values. */
static size_t next_group(const struct sample_pair *pair, size_t *i, size_t *j)
{
	bool is_first = *j == pair->n || (*i < pair->m && pair->first[*i] <= pair->second[*j]);
	double value = is_first ? pair->first[*i] : pair->second[*j];
	size_t count = 0;

	for (; *i < pair->m && pair->first[*i] == value; (*i)++)
		count++;
	for (; *j < pair->n && pair->second[*j] == value; (*j)++)
		count++;
	return count;
}

/* Sum of t³ - t over groups of t equal values: 0 without ties. */
static double ties_of(const struct sample_pair *pair)
{
	double sum = 0;

	for (size_t i = 0, j = 0; i < pair->m || j < pair->n;) {
		double t = (double)next_group(pair, &i, &j);

		sum += t * t * t - t;
	}
	return sum;
}

/* Pairs in which the second is larger, plus half of the equal ones. */
static double statistic_of(const struct sample_pair *pair)
{
	double sum = 0;

	for (size_t j = 0, smaller = 0, not_larger = 0; j < pair->n; j++) {
		while (smaller < pair->m && pair->first[smaller] < pair->second[j])
			smaller++;
		while (not_larger < pair->m && pair->first[not_larger] <= pair->second[j])
			not_larger++;
		sum += 0.5 * (double)(smaller + not_larger);
	}
	return sum;
}

/* P(u; m, n) = m / (m + n) P(u - n; m - 1, n) + n / (m + n) P(u; m, n - 1): the largest value belongs to
 * one of the samples. Row by row for m, in place: table[j] is the distribution for (m, j). */
static void add_row(double *table, size_t room, size_t m, size_t n)
{
	for (size_t j = 1; j <= n; j++) {
		double *now = table + j * room, *shorter = now - room;
		double first = (double)m / (double)(m + j), second = (double)j / (double)(m + j);
		size_t end = m * j + 1 < room ? m * j + 1 : room; /* U is at most m j */

		for (size_t u = end; u-- > 0;)
			now[u] = (u >= j ? first * now[u - j] : 0) + second * shorter[u];
	}
}

static double *exact_distribution(size_t m, size_t n)
{
	size_t room = m * n / 2 + 1;
	double *table = memory_new((n + 1) * room, sizeof *table);

	for (size_t j = 0; j <= n; j++)
		table[j * room] = 1;
	for (size_t i = 1; i <= m; i++)
		add_row(table, room, i, n);

	double *below = memory_new(room, sizeof *below);
	double sum = 0;

	for (size_t u = 0; u < room; u++)
		below[u] = sum += table[n * room + u];
	free(table);
	return below;
}

static struct null_distribution null_distribution(const struct sample_pair *pair)
{
	double m = (double)pair->m, n = (double)pair->n, all = m + n, ties = ties_of(pair);
	bool is_exact = pair->m <= EXACT_MAX && pair->n <= EXACT_MAX && ties == 0;

	return (struct null_distribution){
		.below = is_exact ? exact_distribution(pair->m, pair->n) : NULL,
		.deviation = sqrt(m * n / 12 * (all + 1 - ties / (all * (all - 1)))),
		.products = m * n,
	};
}

/* Two-sided. */
static double probability_of(const struct null_distribution *null, double statistic)
{
	double smaller = fmin(statistic, null->products - statistic);

	if (null->below)
		return fmin(1, 2 * null->below[(size_t)smaller]);
	double distance = null->products / 2 - smaller - 0.5;

	return distance > 0 ? fmin(1, 2 * normal_below(-distance / null->deviation)) : 1;
}

/* The number of sorted differences outside of the interval at each end: the largest c with P(U < c) <= (1
 * - confidence) / 2. 0: too few values for an interval. */
static double outside(const struct null_distribution *null, double confidence)
{
	double tail = (1 - confidence) / 2, half = null->products / 2;

	if (!null->below)
		return fmax(0, floor(half + normal_quantile(tail) * null->deviation + 0.5));
	size_t c = 0;

	while ((double)c + 1 <= half && null->below[c] <= tail)
		c++;
	return (double)c;
}

/* Number of differences second - first up to `limit`. */
static double count_up_to(const struct sample_pair *pair, double limit)
{
	double count = 0;

	for (size_t i = 0, j = 0; i < pair->m; i++) {
		while (j < pair->n && pair->second[j] - pair->first[i] <= limit)
			j++;
		count += (double)j;
	}
	return count;
}

/* The k-th smallest difference, k from 1, by bisection of the value: all m n of them might not fit into
 * memory. */
static double difference(const struct sample_pair *pair, double k)
{
	double low = pair->second[0] - pair->first[pair->m - 1];
	double high = pair->second[pair->n - 1] - pair->first[0];

	if (count_up_to(pair, low) >= k)
		return low;
	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			return high;
		if (count_up_to(pair, middle) >= k)
			high = middle;
		else
			low = middle;
	}
}

static double median_difference(const struct sample_pair *pair)
{
	double products = (double)pair->m * (double)pair->n;

	return 0.5 *
	       (difference(pair, floor((products + 1) / 2)) + difference(pair, ceil((products + 1) / 2)));
}

static struct sample_comparison compare_pair(const struct sample_pair *pair, double confidence)
{
	struct null_distribution null = null_distribution(pair);
	double c = outside(&null, confidence);
	struct sample_comparison comparison = {
		.ratio = exp(median_difference(pair)),
		.low = c > 0 ? exp(difference(pair, c)) : 0,
		.high = c > 0 ? exp(difference(pair, null.products + 1 - c)) : INFINITY,
		.p = probability_of(&null, statistic_of(pair)),
	};

	free(null.below);
	return comparison;
}

struct sample_comparison compare_samples(const double *first, size_t first_count, const double *second,
                                         size_t second_count, double confidence)
{
	if (!first_count || !second_count)
		return (struct sample_comparison){.ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
	struct sample_pair pair = {logarithms(first, first_count), logarithms(second, second_count),
	                           first_count, second_count};
	struct sample_comparison comparison = compare_pair(&pair, confidence);

	free(pair.first);
	free(pair.second);
	return comparison;
}

/* A test and its position. */
struct ranked {
	double p;
	size_t place;
};

static int by_p(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

void holm_correction(double *p, size_t count)
{
	struct ranked *ranked = memory_new(count + 1, sizeof *ranked);
	size_t known = 0;
	double least = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			ranked[known++] = (struct ranked){p[i], i};
	qsort(ranked, known, sizeof *ranked, by_p);
	for (size_t i = 0; i < known; i++) {
		least = fmax(least, fmin(1, ranked[i].p * (double)(known - i)));
		p[ranked[i].place] = least;
	}
	free(ranked);
}
