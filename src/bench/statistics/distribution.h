/* Distributions that intervals and tests need. */
#ifndef TARRY_BENCH_STATISTICS_DISTRIBUTION_H
#define TARRY_BENCH_STATISTICS_DISTRIBUTION_H

/* The value below which Student's t with so many degrees of freedom lies with this probability. */
double student_quantile(double probability, double degrees);

double normal_quantile(double probability);
/* Of the standard normal distribution: the probability of a smaller value. */
double normal_below(double value);

#endif
