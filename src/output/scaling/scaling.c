#include "output/scaling/scaling.h"

#include "statistics/distribution.h"
#include "statistics/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scaling_factor_names[SCALING_FACTORS] = {
	[FACTOR_BALANCE] = "load balance",
	[FACTOR_COMMUNICATION] = "communication",
	[FACTOR_SERIALISATION] = "serialisation",
	[FACTOR_TRANSFER] = "transfer",
	[FACTOR_OPENMP] = "OpenMP efficiency",
	[FACTOR_COMPUTATION] = "computation scaling",
	[FACTOR_INSTRUCTIONS] = "the number of instructions",
	[FACTOR_CYCLES] = "instructions per cycle",
	[FACTOR_FREQUENCY] = "the clock frequency",
};

enum status scaling_add(struct scaling *scaling, const struct scaling_run *run)
{
	struct scaling_run copy = *run;

	if (!run->ranks || run->threads < run->ranks || !(run->length_s > 0) || !(run->longest_s > 0))
		return fail("'%s' does not show how long its ranks compute: record all of its calls",
		            run->name);
	copy.name = arena_text(&scaling->arena, run->name);
	copy.program = arena_text(&scaling->arena, run->program);
	copy.doubt = run->doubt ? arena_text(&scaling->arena, run->doubt) : NULL;
	arena_add(&scaling->arena, scaling->runs, scaling->count, copy);
	return OK;
}

void scaling_release(struct scaling *scaling)
{
	arena_release(&scaling->arena);
}

static int by_size(const void *left, const void *right)
{
	const struct scaling_run *a = left, *b = right;

	return (a->threads > b->threads) - (a->threads < b->threads);
}

static enum status check_runs(const struct scaling *scaling)
{
	const struct scaling_run *known = NULL;

	if (scaling->count < 2)
		return fail(
			"one run does not show how a program scales: give runs with different numbers of ranks");
	for (size_t i = 0; i < scaling->count; i++) {
		const struct scaling_run *run = &scaling->runs[i];

		if (i && run->threads == run[-1].threads)
			return fail("'%s' and '%s' both have %llu %s: give one run of each size",
			            run[-1].name, run->name, (unsigned long long)run->threads,
			            scaling->is_hybrid ? "threads" : "ranks");
		if (known && *run->program && strcmp(run->program, known->program) != 0)
			return fail("'%s' is a run of '%s', and '%s' of '%s': give runs of one program",
			            known->name, known->program, run->name, run->program);
		known = *run->program ? run : known;
	}
	return OK;
}

/* Seconds of all threads together. */
static double useful_s(const struct scaling_run *run)
{
	return run->computing_s * (double)run->threads / (double)run->ranks * run->factors[FACTOR_OPENMP];
}

/* Computing of all threads together stays the same, or grows with them. */
static enum scaling_kind detect_kind(const struct scaling *scaling)
{
	const struct scaling_run *first = &scaling->runs[0], *last = &scaling->runs[scaling->count - 1];
	double growth = log(useful_s(last) / useful_s(first)) /
	                log((double)last->threads / (double)first->threads);

	return growth > 0.5 ? SCALING_WEAK : SCALING_STRONG;
}

bool has_counters(const struct scaling_run *run)
{
	return run->counted_s > 0 && run->cycles > 0 && run->instructions > 0;
}

static double at_most_1(double value)
{
	return value < 1 ? value : 1;
}

/* Counts cover most of the computing, so they stand for all of it. */
static void divide_computation(const struct scaling_run *first, struct scaling_run *run)
{
	double instructions = run->instructions / run->counted_s, cycles = run->cycles / run->counted_s;
	double first_instructions = first->instructions / first->counted_s;
	double first_cycles = first->cycles / first->counted_s;

	run->factors[FACTOR_FREQUENCY] = cycles / first_cycles;
	run->factors[FACTOR_CYCLES] = instructions / cycles / (first_instructions / first_cycles);
	run->factors[FACTOR_INSTRUCTIONS] = run->factors[FACTOR_COMPUTATION] * first_instructions /
	                                    instructions;
}

static void find_factors(const struct scaling *scaling, struct scaling_run *run)
{
	const struct scaling_run *first = &scaling->runs[0];
	double times = scaling->kind == SCALING_WEAK ? (double)run->threads / (double)first->threads : 1;
	double *factors = run->factors;

	factors[FACTOR_BALANCE] = at_most_1(run->computing_s / (double)run->ranks / run->longest_s);
	factors[FACTOR_COMMUNICATION] = at_most_1(run->longest_s / run->length_s);
	factors[FACTOR_TRANSFER] = factors[FACTOR_SERIALISATION] = NAN;
	if (run->ideal_length_s > 0) {
		factors[FACTOR_TRANSFER] = at_most_1(run->ideal_length_s / run->length_s);
		factors[FACTOR_SERIALISATION] = at_most_1(factors[FACTOR_COMMUNICATION] /
		                                          factors[FACTOR_TRANSFER]);
	}
	factors[FACTOR_COMPUTATION] = useful_s(first) / useful_s(run) * times;
	factors[FACTOR_INSTRUCTIONS] = factors[FACTOR_CYCLES] = factors[FACTOR_FREQUENCY] = NAN;
	if (scaling->is_counted)
		divide_computation(first, run);
	run->parallel = factors[FACTOR_BALANCE] * factors[FACTOR_COMMUNICATION] * factors[FACTOR_OPENMP];
	run->global = run->parallel * factors[FACTOR_COMPUTATION];
	run->speed_up = first->length_s / run->length_s * times;
}

bool scaling_has_factor(const struct scaling *scaling, enum scaling_factor factor)
{
	if (factor == FACTOR_COMMUNICATION)
		return !scaling->is_divided;
	if (factor == FACTOR_SERIALISATION || factor == FACTOR_TRANSFER)
		return scaling->is_divided;
	if (factor == FACTOR_OPENMP)
		return scaling->is_hybrid;
	if (factor == FACTOR_COMPUTATION)
		return !scaling->is_counted;
	if (factor > FACTOR_COMPUTATION)
		return scaling->is_counted;
	return true;
}

enum scaling_factor scaling_limit(const struct scaling *scaling, const struct scaling_run *run)
{
	enum scaling_factor limit = FACTOR_BALANCE;

	for (enum scaling_factor i = 0; i < SCALING_FACTORS; i++)
		if (scaling_has_factor(scaling, i) && run->factors[i] < run->factors[limit])
			limit = i;
	return limit;
}

/* Extrapolation. The cost 1 / efficiency grows with the logarithm of the number of ranks, as trees of messages do, in proportion to it, as in Amdahl's
 * law, or to its square, if communication grows while the work of a rank shrinks. All are fitted. What fits better weighs more, and the interval
 * includes all that the runs do not exclude. */

enum { MODEL_LOGARITHM, MODEL_LINEAR, MODEL_SQUARE, MODELS };

/* Each size is measured once, so its cost is taken to be uncertain by at least this part. */
static const double noise = 0.01;
/* A model that fits so much worse than the best one is excluded. */
static const double worse_by = 10;
static const double interval_end = 0.95; /* of a 90 % interval */

/* Costs by number of threads. */
struct cost_points {
	double *sizes, *costs, *x; /* `x`: scratch */
	size_t count;
};

struct cost_model {
	double cost, half_width; /* at the wanted size */
	double residual;         /* mean square, with the noise */
};

static double basis_of(int model, double size)
{
	return model == MODEL_LOGARITHM ? log2(size) : model == MODEL_LINEAR ? size : size * size;
}

static struct cost_model fit_model(int model, const struct cost_points *points, double size)
{
	double x = basis_of(model, size), mean = 0, spread = 0, squares = 0, width, degrees;
	size_t count = points->count;
	struct cost_model fitted;
	struct fitted_line line;

	for (size_t i = 0; i < count; i++) {
		points->x[i] = basis_of(model, points->sizes[i]);
		mean += points->x[i] / (double)count;
	}
	line = line_fit(points->x, points->costs, NULL, count);
	for (size_t i = 0; i < count; i++) {
		double off = points->costs[i] - line.offset - line.slope * points->x[i];
		squares += off * off;
		spread += (points->x[i] - mean) * (points->x[i] - mean);
	}
	fitted.cost = line.offset + line.slope * x;
	fitted.residual = squares / (double)count + noise * noise;
	degrees = (double)count - 2;
	width = noise * points->costs[count - 1] * normal_quantile(interval_end);
	if (degrees > 0)
		width = fmax(width, sqrt(squares / degrees) * student_quantile(interval_end, degrees));
	fitted.half_width = width * sqrt(1 + 1 / (double)count + (x - mean) * (x - mean) / spread);
	return fitted;
}

/* A cost that grew from each run to the next does not shrink again. Others are at least 1, or the value of the best run. */
static double min_cost(const struct cost_points *points)
{
	double min = fmin(points->costs[0], 1);

	for (size_t i = 1; i < points->count; i++)
		min = fmin(min, points->costs[i]);
	for (size_t i = 1; i < points->count; i++)
		if (points->costs[i] < points->costs[i - 1] * (1 + noise))
			return min;
	return points->costs[points->count - 1];
}

static struct scaling_estimate extrapolate(const struct cost_points *points, double size)
{
	double min = min_cost(points);
	double cost = 0, weights = 0, low = INFINITY, high = 0, best = INFINITY;
	struct cost_model models[MODELS];

	for (int i = 0; i < MODELS; i++) {
		models[i] = fit_model(i, points, size);
		best = fmin(best, models[i].residual);
	}
	for (int i = 0; i < MODELS; i++) {
		double weight = 1 / models[i].residual;

		if (models[i].residual > worse_by * best)
			continue;
		cost += weight * models[i].cost;
		weights += weight;
		low = fmin(low, models[i].cost - models[i].half_width);
		high = fmax(high, models[i].cost + models[i].half_width);
	}
	return (struct scaling_estimate){.value = 1 / fmax(cost / weights, min),
	                                 .low = 1 / fmax(high, min),
	                                 .high = 1 / fmax(low, min)};
}

/* On an ideal network a run takes no longer than one rank would take for all computing. */
static struct scaling_estimate at_least(struct scaling_estimate estimate, double min)
{
	return (struct scaling_estimate){fmax(estimate.value, min), fmax(estimate.low, min),
	                                 fmax(estimate.high, min)};
}

/* Factors err independently of each other. */
static struct scaling_estimate product_of(struct scaling_estimate a, struct scaling_estimate b)
{
	double value = a.value * b.value;

	return (struct scaling_estimate){
		.value = value,
		.low = value * exp(-hypot(log(a.value / a.low), log(b.value / b.low))),
		.high = value * exp(hypot(log(a.high / a.value), log(b.high / b.value)))};
}

static void predict(const struct scaling *scaling, struct cost_points *points,
                    struct scaling_prediction *prediction)
{
	const struct scaling_run *first = &scaling->runs[0];
	double ranks = (double)prediction->ranks, size = (double)prediction->threads;
	double work_s = useful_s(first) / (scaling->kind == SCALING_WEAK ? (double)first->threads : size);

	prediction->parallel = prediction->global = (struct scaling_estimate){1, 1, 1};
	for (enum scaling_factor factor = 0; factor < SCALING_FACTORS; factor++) {
		struct scaling_estimate *estimate = &prediction->factors[factor];

		*estimate = (struct scaling_estimate){NAN, NAN, NAN};
		if (!scaling_has_factor(scaling, factor))
			continue;
		for (size_t i = 0; i < scaling->count; i++)
			points->costs[i] = 1 / scaling->runs[i].factors[factor];
		*estimate = extrapolate(points, size);
		if (factor == FACTOR_BALANCE || factor == FACTOR_SERIALISATION)
			*estimate = at_least(*estimate, 1 / ranks);
		if (factor == FACTOR_OPENMP)
			*estimate = at_least(*estimate, ranks / size);
		if (factor < FACTOR_COMPUTATION)
			prediction->parallel = product_of(prediction->parallel, *estimate);
		prediction->global = product_of(prediction->global, *estimate);
	}
	prediction->length_s = (struct scaling_estimate){.value = work_s / prediction->global.value,
	                                                 .low = work_s / prediction->global.high,
	                                                 .high = work_s / prediction->global.low};
}

/* Without the efficiency of one run, the runs can be compared by their ranks only. */
static void find_sizes(struct scaling *scaling)
{
	bool is_known = true;

	for (size_t i = 0; i < scaling->count; i++)
		is_known &= scaling->runs[i].openmp > 0;
	for (size_t i = 0; i < scaling->count; i++) {
		struct scaling_run *run = &scaling->runs[i];

		run->threads = is_known ? run->threads : run->ranks;
		run->factors[FACTOR_OPENMP] = is_known ? at_most_1(run->openmp) : 1;
		scaling->is_hybrid |= run->threads > run->ranks;
	}
	if (scaling->count)
		qsort(scaling->runs, scaling->count, sizeof *scaling->runs, by_size);
}

enum status scaling_finish(struct scaling *scaling, enum scaling_kind kind)
{
	static const uint64_t times[SCALING_PREDICTIONS] = {2, 4, 16};
	struct cost_points points = {.sizes = arena_array(&scaling->arena, double, scaling->count),
	                             .costs = arena_array(&scaling->arena, double, scaling->count),
	                             .x = arena_array(&scaling->arena, double, scaling->count),
	                             .count = scaling->count};

	find_sizes(scaling);
	TRY(check_runs(scaling));
	scaling->kind = kind == SCALING_DETECT ? detect_kind(scaling) : kind;
	scaling->is_divided = scaling->is_counted = true;
	for (size_t i = 0; i < scaling->count; i++)
		scaling->is_counted &= has_counters(&scaling->runs[i]);
	for (size_t i = 0; i < scaling->count; i++) {
		find_factors(scaling, &scaling->runs[i]);
		scaling->is_divided &= scaling->runs[i].ideal_length_s > 0;
		points.sizes[i] = (double)scaling->runs[i].threads;
	}
	for (size_t i = 0; i < SCALING_PREDICTIONS; i++) {
		scaling->predictions[i].ranks = times[i] * scaling->runs[scaling->count - 1].ranks;
		scaling->predictions[i].threads = times[i] * scaling->runs[scaling->count - 1].threads;
		predict(scaling, &points, &scaling->predictions[i]);
	}
	return OK;
}
