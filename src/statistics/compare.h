/* Whether two samples differ, and by how much, without an assumption about their distribution. */
#ifndef TARRY_STATISTICS_COMPARE_H
#define TARRY_STATISTICS_COMPARE_H

#include <stddef.h>

struct sample_comparison {
	double ratio;     /* second / first: the Hodges-Lehmann estimate, of logarithms */
	double low, high; /* its confidence interval; 0 and INFINITY with too few values */
	double p;         /* two-sided Mann-Whitney test: exact for few values without ties */
};

/* Values must be positive; everything is NAN if a sample is empty. */
struct sample_comparison compare_samples(const double *first, size_t first_count, const double *second,
                                         size_t second_count, double confidence);

/* Holm's correction for several tests, in place: rejecting at these values limits the probability of any
 * false rejection. NAN is skipped. */
void holm_correction(double *p, size_t count);

#endif
