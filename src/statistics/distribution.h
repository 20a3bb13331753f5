/* Distributions for intervals and tests. */
#ifndef TARRY_STATISTICS_DISTRIBUTION_H
#define TARRY_STATISTICS_DISTRIBUTION_H

/* The quantile of Student's t with this many degrees of freedom. */
double student_quantile(double probability, double degrees);

double normal_quantile(double probability);
/* The standard normal distribution function. */
double normal_below(double value);

#endif
