/* Are two sets of values different, and by how much? Nothing is assumed of their distribution. */
#ifndef TARRY_STATISTICS_COMPARE_H
#define TARRY_STATISTICS_COMPARE_H

#include <stddef.h>

struct comparison {
	double ratio; /* of the second's typical value to the first's: Hodges and Lehmann's estimate, of logarithms */
	double low, high; /* the interval of confidence that belongs to it */
	double p;         /* two-sided, of the test of Mann and Whitney: exact for few values without ties */
};

/* Values must be above 0. */
struct comparison compare_samples(const double *first, size_t first_count, const double *second,
                                  size_t second_count, double confidence);

#endif
