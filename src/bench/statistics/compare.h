/* Are two sets of values different, and by how much? Nothing is assumed of their distribution. */
#ifndef TARRY_BENCH_STATISTICS_COMPARE_H
#define TARRY_BENCH_STATISTICS_COMPARE_H

#include <stddef.h>

struct sample_comparison {
	double ratio; /* of the second's typical value to the first's: Hodges and Lehmann's estimate, of logarithms */
	double low,
		high; /* the interval of confidence that belongs to it; 0 and INFINITY if there are too few values */
	double p; /* two-sided, of the test of Mann and Whitney: exact for few values without ties */
};

/* Values must be above 0; all is NAN when a sample is empty. */
struct sample_comparison compare_samples(const double *first, size_t first_count, const double *second,
                                         size_t second_count, double confidence);

/* Holm's correction for many tests: in place, each p becomes that at which its own hypothesis could be rejected so that the
 * chance of even one false rejection among all stays below it. NAN is left out. */
void holm_correction(double *p, size_t count);

#endif
