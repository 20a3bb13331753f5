#include "statistics/distribution.h"

#include <float.h>
#include <math.h>

enum { STEPS_MAX = 200 };

double normal_below(double value)
{
	return 0.5 * erfc(-value * M_SQRT1_2);
}

/* For a probability up to one half. The logarithm of normal_below() is concave, so Newton's steps from the
 * left of the solution cannot miss it; the bound exp(-x²/2) / 2 gives the start. */
static double normal_lower_quantile(double probability)
{
	double x = -sqrt(-2 * log(probability));

	for (int i = 0; i < STEPS_MAX; i++) {
		double below = normal_below(x);
		double density = exp(-0.5 * x * x) / sqrt(2 * M_PI);
		double step = (log(below) - log(probability)) * below / density;

		x -= step;
		if (!(fabs(step) > 4 * DBL_EPSILON * fabs(x)))
			break;
	}
	return x;
}

double normal_quantile(double probability)
{
	if (!(probability > 0 && probability < 1))
		return probability == 0 ? -INFINITY : probability == 1 ? INFINITY : NAN;
	if (probability == 0.5)
		return 0;
	return probability < 0.5 ? normal_lower_quantile(probability)
	                         : -normal_lower_quantile(1 - probability);
}

/* gamma(a + 1/2) / gamma(a); as a series where the functions overflow. */
static double gamma_ratio(double a)
{
	if (a < 80)
		return tgamma(a + 0.5) / tgamma(a);
	double r = 1 / a;

	return sqrt(a) *
	       (1 + r * (-1.0 / 8 +
	                 r * (1.0 / 128 + r * (5.0 / 1024 + r * (-21.0 / 32768 - r * 399.0 / 262144)))));
}

/* The continued fraction of the incomplete beta function, by Lentz's method; x below (a + 1) / (a + b +
 * 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;

	for (int m = 1; m <= STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		value *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		value *= c * d;
		if (fabs(c * d - 1) < DBL_EPSILON)
			break;
	}
	return value;
}

/* The probability of a value above t, which is not negative. */
static double student_above(double t, double degrees)
{
	double a = degrees / 2, b = 0.5, square = t * t / degrees;
	double x = 1 / (1 + square), y = square / (1 + square);
	/* x^a y^b / B(a, b), with B(a, 1/2) = gamma(a) sqrt(pi) / gamma(a + 1/2) */
	double front = exp(-a * log1p(square)) * sqrt(y / M_PI) * gamma_ratio(a);

	if (x < (a + 1) / (a + b + 2))
		return 0.5 * front * beta_fraction(a, b, x) / a;
	return 0.5 - 0.5 * front * beta_fraction(b, a, y) / b;
}

static double student_density(double t, double degrees)
{
	double shape = (degrees + 1) / 2;

	return gamma_ratio(degrees / 2) / sqrt(degrees * M_PI) * exp(-shape * log1p(t * t / degrees));
}

/* The logarithm of student_above() over log(t) is concave (increasing generalised failure rate), so
 * Newton's steps approach the solution from the right after the first. */
static double student_upper_quantile(double above, double degrees)
{
	double t = normal_lower_quantile(above) * -1;

	for (int i = 0; i < STEPS_MAX; i++) {
		double now = student_above(t, degrees);
		double step = (log(now) - log(above)) * now / (t * student_density(t, degrees));

		t *= exp(step);
		if (!(fabs(step) > 8 * DBL_EPSILON))
			break;
	}
	return t;
}

/* The first terms of the series in 1 / degrees: accurate where the continued fraction would take too many
 * steps. */
static double student_by_normal(double probability, double degrees)
{
	double z = normal_quantile(probability), square = z * z;
	double first = (square + 1) / 4;
	double second = ((5 * square + 16) * square + 3) / 96;
	double third = (((3 * square + 19) * square + 17) * square - 15) / 384;

	return z * (1 + (first + (second + third / degrees) / degrees) / degrees);
}

double student_quantile(double probability, double degrees)
{
	if (!(degrees > 0))
		return NAN;
	if (!(probability > 0 && probability < 1) || probability == 0.5)
		return normal_quantile(probability);
	if (degrees > 1e5)
		return student_by_normal(probability, degrees);
	return probability < 0.5 ? -student_upper_quantile(probability, degrees)
	                         : student_upper_quantile(1 - probability, degrees);
}
