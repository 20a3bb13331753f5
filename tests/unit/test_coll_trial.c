/* Which algorithm is chosen: with planted times the same ones always are, with planted noise nearly always. */
#include "coll/choice/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Runs a trial in which each candidate always takes the time that is planted, the first time four times as long; returns how many calls it took. */
static int run_trial(struct coll_trial *trial, int candidates, const double *seconds)
{
	bool seen[TRIAL_CANDIDATES] = {false};
	int calls = 0;

	trial_begin(trial, candidates);
	while (!trial_is_decided(trial)) {
		const int candidate = trial_next(trial);

		assert_in_range(candidate, 0, candidates - 1);
		if (trial_add(trial, seconds[candidate] * (seen[candidate] ? 1 : 4))) {
			assert_in_range(trial_count(trial), 1, TRIAL_TIMES);
			trial_evaluate(trial);
		}
		seen[candidate] = true;
		assert_true(++calls < 100);
	}
	return calls;
}

static void test_the_fastest_wins(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 4, (const double[]){1e-3, 9e-4, 5e-4, 2e-3});
	assert_int_equal(trial.chosen, 2);
	assert_float_equal(trial.library_s, 1e-3, 1e-6);
	assert_float_equal(trial.rival_s, 5e-4, 1e-6);
	assert_int_equal(trial_next(&trial), 2);
}

static void test_the_library_wins_unless_beaten_clearly(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 3, (const double[]){1e-3, 1.1e-3, 1.2e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 1e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 0.98e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 0.94e-3});
	assert_int_equal(trial.chosen, 1);
}

static void test_the_library_alone_needs_no_trial(void **state)
{
	struct coll_trial trial;

	(void)state;
	assert_int_equal(run_trial(&trial, 1, (const double[]){1}), 0);
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
}

static void test_a_trial_is_short(void **state)
{
	struct coll_trial trial;

	(void)state;
	/* Each once without counting and once more; then all are far slower. */
	assert_int_equal(run_trial(&trial, 4, (const double[]){1e-3, 5e-3, 5e-3, 5e-3}), 8);
	/* One rival is left after that: four pairs. */
	assert_int_equal(run_trial(&trial, 4, (const double[]){4e-3, 1e-3, 5e-3, 5e-3}), 16);
	assert_int_equal(run_trial(&trial, 2, (const double[]){4e-3, 2e-3}), 12);
	/* All are equally fast: all rounds. */
	assert_int_equal(run_trial(&trial, 5, (const double[]){4e-3, 2e-3, 2e-3, 2e-3, 2e-3}), 33);
}

/* A root that leaves the barrier late finds all data there: the library's first call seems to take no time. */
static void test_the_first_round_does_not_count(void **state)
{
	const double seconds[] = {4.8e-3, 2.8e-3, 4.6e-3};
	struct coll_trial trial;
	int calls = 0;

	(void)state;
	trial_begin(&trial, 3);
	while (!trial_is_decided(&trial)) {
		const double time = calls++ ? seconds[trial_next(&trial)] : 3.6e-5;

		if (trial_add(&trial, time))
			trial_evaluate(&trial);
	}
	assert_int_equal(trial.chosen, 1);
}

/* A bad candidate does two calls, however many the others do. */
static void test_bad_candidates_are_not_tried_long(void **state)
{
	const double seconds[] = {1e-3, 0.9e-3, 0.8e-3, 20e-3, 30e-3};
	int calls[TRIAL_CANDIDATES] = {0};
	struct coll_trial trial;

	(void)state;
	trial_begin(&trial, 5);
	while (!trial_is_decided(&trial)) {
		const int candidate = trial_next(&trial);

		calls[candidate]++;
		if (trial_add(&trial, seconds[candidate]))
			trial_evaluate(&trial);
	}
	assert_int_equal(trial.chosen, 2);
	assert_int_equal(calls[3], 2);
	assert_int_equal(calls[4], 2);
}

/* A candidate that fails is never chosen, even if all others are slow. */
static void test_who_fails_is_not_chosen(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 3, (const double[]){1e3, (double)TRIAL_FAILED, (double)TRIAL_FAILED});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
}

/* One disturbed call of the library does not make an algorithm win, and neither does one lucky
 * call of the algorithm. */
static void test_single_times_decide_nothing(void **state)
{
	struct coll_trial trial;

	(void)state;
	for (int lucky = 0; lucky < 2; lucky++) {
		int finals = 0;

		trial_begin(&trial, 2);
		while (!trial_is_decided(&trial)) {
			const int candidate = trial_next(&trial);
			double seconds = candidate == TRIAL_LIBRARY ? 1.00e-3 : 0.99e-3;

			if (trial.phase == TRIAL_FINAL && candidate == (lucky ? 1 : TRIAL_LIBRARY) &&
			    finals++ == 0)
				seconds *= lucky ? 0.1 : 10;
			if (trial_add(&trial, seconds))
				trial_evaluate(&trial);
		}
		assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	}
}

/* One or two disturbed calls make the final longer, but do not hide a candidate that is twice as fast. */
static void test_disturbed_calls_hide_no_winner(void **state)
{
	struct coll_trial trial;

	(void)state;
	for (int disturbed = 1; disturbed <= 2; disturbed++) {
		int finals = 0;

		trial_begin(&trial, 2);
		while (!trial_is_decided(&trial)) {
			const bool is_rival = trial_next(&trial) != TRIAL_LIBRARY;
			double seconds = is_rival ? 2.2e-3 : 4.4e-3;

			if (trial.phase == TRIAL_FINAL && is_rival && finals++ < disturbed)
				seconds *= 11;
			if (trial_add(&trial, seconds))
				trial_evaluate(&trial);
		}
		assert_int_equal(trial.chosen, 1);
	}
}

/* Processes that agree on their times reach the same decision, whatever each has measured. */
static void test_agreed_times_give_the_same_decision(void **state)
{
	struct coll_trial one, other;
	uint32_t random = 1;

	(void)state;
	trial_begin(&one, 4);
	trial_begin(&other, 4);
	while (!trial_is_decided(&one)) {
		bool is_over[2];

		assert_int_equal(trial_next(&one), trial_next(&other));
		random = random * 1664525 + 1013904223;
		is_over[0] = trial_add(&one, 1e-9 * (random >> 8));
		random = random * 1664525 + 1013904223;
		is_over[1] = trial_add(&other, 1e-9 * (random >> 8));
		assert_int_equal(is_over[0], is_over[1]);
		if (!is_over[0])
			continue;
		for (int i = 0; i < trial_count(&one); i++) {
			if (one.seconds[i] < other.seconds[i])
				one.seconds[i] = other.seconds[i];
			other.seconds[i] = one.seconds[i];
		}
		trial_evaluate(&one);
		trial_evaluate(&other);
	}
	assert_int_equal(other.phase, TRIAL_DECIDED);
	assert_int_equal(one.chosen, other.chosen);
}

static void test_size_classes(void **state)
{
	(void)state;
	assert_int_equal(size_class(0), 0);
	assert_int_equal(size_class(1), 1);
	assert_int_equal(size_class(8), 1);
	assert_int_equal(size_class(9), 2);
	assert_int_equal(size_class(64), 2);
	assert_int_equal(size_class(65), 3);
	assert_int_equal(size_class(128), 3);
	assert_int_equal(size_class(129), 4);
	assert_int_equal(size_class(1 << 20), 16);
	assert_int_equal(size_class(UINT64_MAX), SIZE_CLASSES - 1);
	for (uint64_t bytes = 1; bytes; bytes <<= 1)
		assert_true(size_class(bytes) <= size_class(bytes + 1));
}

static void test_logarithms(void **state)
{
	(void)state;
	for (double value = 1e-9; value < 1e9; value *= 1.37)
		assert_float_equal(trial_log(value), log(value), 1e-9);
	assert_true(trial_log(0) < -600 && trial_log((double)TRIAL_FAILED) > 60);
}

/* Noise */

struct noise {
	const char *name;
	double sigma;                        /* of the logarithm of each time */
	double outlier_part, outlier_factor; /* share of disturbed calls, of any candidate, and the factor */
	double drift;                        /* the machine becomes slower and faster, by this factor */
};

struct planted_case {
	const struct noise *noise;
	int candidates;
	double seconds[TRIAL_CANDIDATES];
	double tail_part[TRIAL_CANDIDATES],
		tail_factor; /* calls in which this candidate is slow by its own nature */
	uint64_t random;
	int64_t calls;
	double spent; /* mean time of the used candidates, over all calls */
};

static double next_random(uint64_t *random)
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return (double)(*random >> 11) / 9007199254740992.0;
}

static double next_normal(uint64_t *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += next_random(random);
	return sum;
}

static double draw_time(struct planted_case *c, int candidate)
{
	double seconds = c->seconds[candidate] * exp(c->noise->sigma * next_normal(&c->random));

	if (next_random(&c->random) < c->tail_part[candidate])
		seconds *= c->tail_factor;
	if (next_random(&c->random) < c->noise->outlier_part)
		seconds *= c->noise->outlier_factor;
	return seconds * (1 + c->noise->drift * (1 + sin((double)c->calls / 30)));
}

/* The mean time of the candidate, without common disturbances. */
static double mean_of(const struct planted_case *c, int candidate)
{
	return c->seconds[candidate] * (1 + c->tail_part[candidate] * (c->tail_factor - 1));
}

/* A program that makes many calls. */
static void make_calls(struct planted_case *c, struct coll_trial *trial, int64_t calls)
{
	for (const int64_t end = c->calls + calls; c->calls < end; c->calls++) {
		int candidate;

		if (!trial_is_measuring(trial)) {
			c->spent += mean_of(c, trial->chosen);
			continue;
		}
		candidate = trial_next(trial);
		c->spent += mean_of(c, candidate);
		if (trial_add(trial, draw_time(c, candidate)))
			trial_evaluate(trial);
	}
}

static const struct noise noises[] = {
	{"quiet", 0.02, 0, 1, 0},         {"usual", 0.1, 0.02, 5, 0.2},      {"busy", 0.25, 0.05, 5, 0.5},
	{"very busy", 0.5, 0.1, 10, 0.5}, {"interrupted", 0.02, 0.1, 20, 0},
};
enum { CASES = 300, CALLS = 2500 };

/* The library and other ways to do it, which take from e^`from` to e^`to` times as long. A fifth of them are slow now and then. */
static struct planted_case draw_case(const struct noise *noise, int number, double from, double to)
{
	struct planted_case c = {
		.noise = noise, .random = 1000003U * (uint64_t)number + 17, .tail_factor = 5};

	for (int i = 0; i < 4; i++)
		next_random(&c.random);
	c.candidates = 2 + (int)(next_random(&c.random) * (TRIAL_CANDIDATES - 1));
	for (int i = 0; i < c.candidates; i++) {
		c.seconds[i] = 1e-3;
		if (i == TRIAL_LIBRARY)
			continue;
		c.seconds[i] *= exp(from + (to - from) * next_random(&c.random));
		if (next_random(&c.random) < 0.2)
			c.tail_part[i] = 0.2 * next_random(&c.random);
	}
	return c;
}

struct planted_sums {
	int harmed;   /* cases in which the final choice is more than 3 % slower than the library */
	int slower;   /* in which the whole program is, trials included */
	double worst; /* such a program, against the library */
	double spent, library, best;
};

static void add_case(struct planted_sums *sums, struct planted_case *c)
{
	const double library = mean_of(c, TRIAL_LIBRARY);
	double best = library;
	struct coll_trial trial;

	trial_begin(&trial, c->candidates);
	make_calls(c, &trial, CALLS);
	assert_true(trial_is_decided(&trial));
	for (int i = 1; i < c->candidates; i++)
		best = fmin(best, mean_of(c, i));
	sums->harmed += mean_of(c, trial.chosen) > 1.03 * library;
	sums->slower += c->spent > 1.03 * CALLS * library;
	sums->worst = fmax(sums->worst, c->spent / CALLS / library);
	sums->spent += c->spent / CALLS;
	sums->library += library;
	sums->best += best;
}

static struct planted_sums run_cases(double from, double to, bool with_tails)
{
	struct planted_sums sums = {0};

	for (size_t n = 0; n < sizeof noises / sizeof *noises; n++)
		for (int i = 0; i < CASES; i++) {
			struct planted_case c = draw_case(&noises[n], i, from, to);

			if (!with_tails)
				memset(c.tail_part, 0, sizeof c.tail_part);
			add_case(&sums, &c);
		}
	return sums;
}

static const int ALL_CASES = CASES * (int)(sizeof noises / sizeof *noises);

/* Where algorithms are not faster the library stays, and trials cost almost nothing. */
static void test_noise_harms_nobody(void **state)
{
	const struct planted_sums slow = run_cases(0, 1.5, true), same = run_cases(-0.05, 0.05, true);

	(void)state;
	assert_int_equal(slow.harmed, 0);
	assert_true(slow.spent < 1.008 * slow.library);
	assert_true(slow.worst < 1.05);
	assert_true(1000 * same.harmed < 5 * ALL_CASES);
	assert_true(same.spent < 1.003 * same.library);
}

/* Candidates that differ much or little, some of which are slow occasionally: 99.5 % of the decisions are
 * right, and the others do not cost much. */
static void test_decisions_in_noise_are_right(void **state)
{
	static const double ranges[][2] = {{-1.5, 1.5}, {-0.3, 0.3}};

	(void)state;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		const struct planted_sums steady = run_cases(ranges[i][0], ranges[i][1], false),
					  all = run_cases(ranges[i][0], ranges[i][1], true);

		assert_true(1000 * steady.harmed < ALL_CASES);
		assert_true(steady.worst < 1.05);
		assert_true(1000 * all.harmed < 5 * ALL_CASES);
		assert_true(100 * all.slower < ALL_CASES);
		assert_true(all.worst < 1.5);
		assert_true(all.spent < all.library && all.spent < 1.15 * all.best);
	}
}

/* Much faster ways are found, also where the machine is busy. */
static void test_gains_in_noise_are_found(void **state)
{
	const struct planted_sums sums = run_cases(-3, -0.7, true);

	(void)state;
	assert_int_equal(sums.harmed, 0);
	assert_true(sums.spent < 0.2 * sums.library);
	assert_true(sums.spent < 1.25 * sums.best);
}

/* Calls until something else is chosen, after times have changed. */
static int64_t calls_until_change(struct planted_case *c, struct coll_trial *trial)
{
	const int64_t start = c->calls;
	const int before = trial->chosen;

	while (trial->chosen == before && c->calls - start < 1000000)
		make_calls(c, trial, 1);
	return c->calls - start;
}

/* An algorithm that becomes slow is replaced by the library, and returns once it is fast again. */
static void test_rechecks_see_changes(void **state)
{
	struct planted_case c = {.noise = &noises[1],
	                         .random = 5,
	                         .candidates = 3,
	                         .seconds = {1e-3, 2e-3, 0.5e-3},
	                         .tail_factor = 1};
	struct coll_trial trial;

	(void)state;
	trial_begin(&trial, c.candidates);
	make_calls(&c, &trial, 1000);
	assert_int_equal(trial.chosen, 2);
	c.seconds[2] = 1.1e-3;
	assert_true(calls_until_change(&c, &trial) < 4 * RECHECK_LAST);
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	c.seconds[2] = 0.5e-3;
	assert_true(calls_until_change(&c, &trial) < 20 * RECHECK_LAST);
	assert_int_equal(trial.chosen, 2);
}

/* Of many calls few are measured, and none if the library is far ahead. */
static void test_rechecks_are_rare(void **state)
{
	const double rival[] = {0.5e-3, 1.1e-3, 3e-3};
	const int most[] = {200, 200, 20};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct planted_case c = {.noise = &noises[0],
		                         .random = 5,
		                         .candidates = 2,
		                         .seconds = {1e-3, rival[i]},
		                         .tail_factor = 1};
		struct coll_trial trial;
		int measured = 0;

		trial_begin(&trial, 2);
		for (int call = 0; call < 100000; call++) {
			if (!trial_is_measuring(&trial))
				continue;
			measured++;
			if (trial_add(&trial, draw_time(&c, trial_next(&trial))))
				trial_evaluate(&trial);
		}
		assert_in_range(measured, 1, most[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_fastest_wins),
		cmocka_unit_test(test_the_library_wins_unless_beaten_clearly),
		cmocka_unit_test(test_the_library_alone_needs_no_trial),
		cmocka_unit_test(test_a_trial_is_short),
		cmocka_unit_test(test_the_first_round_does_not_count),
		cmocka_unit_test(test_bad_candidates_are_not_tried_long),
		cmocka_unit_test(test_who_fails_is_not_chosen),
		cmocka_unit_test(test_single_times_decide_nothing),
		cmocka_unit_test(test_disturbed_calls_hide_no_winner),
		cmocka_unit_test(test_agreed_times_give_the_same_decision),
		cmocka_unit_test(test_logarithms),
		cmocka_unit_test(test_noise_harms_nobody),
		cmocka_unit_test(test_decisions_in_noise_are_right),
		cmocka_unit_test(test_gains_in_noise_are_found),
		cmocka_unit_test(test_rechecks_see_changes),
		cmocka_unit_test(test_rechecks_are_rare),
		cmocka_unit_test(test_size_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
