/* The rules of measuring: wrong runs, the window, the end. */
#include "bench/results/results.h"
#include "bench/run/window.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define US 1000
#define SECOND 1000000000

static void a_run_in_its_window_is_right(void **state)
{
	(void)state;
	assert_false(run_is_wrong(&(struct timed_run){1000, 1000, 1900}, 1000, 10));
	assert_false(run_is_wrong(&(struct timed_run){1000, 1010, 2000}, 1000, 10));
}

static void a_run_that_starts_late_is_wrong(void **state)
{
	(void)state;
	assert_true(run_is_wrong(&(struct timed_run){1000, 1011, 1900}, 1000, 10));
}

static void a_run_that_ends_behind_its_window_is_wrong(void **state)
{
	(void)state;
	assert_true(run_is_wrong(&(struct timed_run){1000, 1000, 2001}, 1000, 10));
}

static int64_t next(int64_t wrong, int64_t window, int64_t length, int64_t longest)
{
	struct stage stage = {8, wrong, window, false, length, INT64_MAX, longest};

	return window_next(&stage, &plan_defaults);
}

static void the_warm_up_gives_the_first_window(void **state)
{
	struct stage stage = {.runs = 4, .length_ns = 400 * US, .usual_ns = 100 * US};

	(void)state;
	assert_int_equal(window_next(&stage, &plan_defaults), 110 * US);
}

static void too_many_wrong_runs_widen_the_window(void **state)
{
	(void)state;
	assert_int_equal(next(3, 100 * US, 1600 * US, 900 * US), 220 * US);
	assert_int_equal(next(2, 100 * US, 1600 * US, 900 * US), 100 * US);
}

/* One run waited 20 ms for a process without a CPU, and the following ones started late. */
static void a_run_that_was_held_up_does_not_widen_it(void **state)
{
	struct stage stage = {.runs = 8,
	                      .wrong = 8,
	                      .window_ns = 2 * US,
	                      .length_ns = 20000 * US,
	                      .longest_ns = 20000 * US};
	int64_t needed[] = {20000 * US, 2 * US, 1 * US, 1 * US, 1 * US, 1 * US, 1 * US, 2 * US};

	(void)state;
	stage.usual_ns = third_quartile(needed, 8);
	assert_int_equal(stage.usual_ns, 2 * US);
	assert_int_equal(window_next(&stage, &plan_defaults), 2200);
	stage.is_shared = true;
	assert_int_equal(window_next(&stage, &plan_defaults), 2750 * US);
}

/* It is long enough for most runs, but those after a delayed one start late. */
static void a_window_of_disturbed_runs_is_doubled(void **state)
{
	struct stage stage = {
		.runs = 8, .wrong = 4, .window_ns = 12 * US, .length_ns = 96 * US, .usual_ns = 10 * US};

	(void)state;
	assert_int_equal(window_next(&stage, &plan_defaults), 24 * US);
	stage.window_ns = 80 * US;
	assert_int_equal(window_next(&stage, &plan_defaults), 88 * US);
	stage.window_ns = 88 * US;
	assert_int_equal(window_next(&stage, &plan_defaults), 88 * US);
}

static void short_runs_shrink_it(void **state)
{
	(void)state;
	assert_int_equal(next(0, 100 * US, 800 * US, 20 * US), 22 * US);
	assert_int_equal(next(0, 100 * US, 800 * US, 50 * US), 100 * US);
}

static void wrong_runs_keep_it_from_shrinking(void **state)
{
	(void)state;
	assert_int_equal(next(1, 100 * US, 800 * US, 20 * US), 100 * US);
}

static void it_is_never_nothing(void **state)
{
	(void)state;
	assert_int_equal(next(0, 100 * US, 800 * US, 1), 1 * US);
	assert_int_equal(next(8, 1 * US, 8, 1), 2 * US);
}

/* A stage of an operation that always takes `ns`, in a window: the next window. */
static int64_t after_stage(int64_t window, int64_t ns)
{
	int64_t wrong = window < ns ? 8 : 0;

	return next(wrong, window, wrong ? 8 * ns : 7 * window + ns, ns);
}

static void it_settles_whether_runs_become_slow_or_fast(void **state)
{
	int64_t window = 1000 * US;

	(void)state;
	for (int i = 0; i < 3; i++)
		window = after_stage(window, 10 * US);
	assert_int_equal(window, 11 * US);
	for (int i = 0; i < 3; i++)
		window = after_stage(window, 500 * US);
	assert_int_equal(window, 550 * US);
}

/* Runs by the rules, with known times: which of them remain? */
struct simulation {
	uint64_t random;
	int64_t (*draw)(struct simulation *simulation);
	int64_t runs, right, slow_runs, slow_right;
};

/* 0 to 999. */
static int64_t draw_number(struct simulation *simulation)
{
	simulation->random = simulation->random * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((simulation->random >> 33) % 1000);
}

static int64_t draw_steady(struct simulation *simulation)
{
	return 10 * US + draw_number(simulation) / 5; /* 2 % */
}

/* Three of ten take twice as long. */
static int64_t draw_of_two_kinds(struct simulation *simulation)
{
	return draw_number(simulation) < 300 ? 20 * US : 10 * US;
}

static int64_t simulate_stage(struct simulation *simulation, int64_t window)
{
	struct stage stage = {.runs = 8, .window_ns = window};
	int64_t taken[8], ready = 0;

	for (int i = 0; i < 8; i++) {
		int64_t due = i * window, begin = ready > due ? ready : due;
		bool is_slow, is_wrong;

		taken[i] = simulation->draw(simulation);
		ready = begin + taken[i];
		is_slow = taken[i] >= 20 * US;
		is_wrong = run_is_wrong(&(struct timed_run){due, begin, ready}, window, 0);
		stage.wrong += is_wrong;
		simulation->right += !is_wrong;
		simulation->slow_runs += is_slow;
		simulation->slow_right += is_slow && !is_wrong;
		if (ready - due > stage.longest_ns)
			stage.longest_ns = ready - due;
	}
	simulation->runs += stage.runs;
	stage.length_ns = ready;
	stage.usual_ns = third_quartile(taken, 8);
	return window_next(&stage, &plan_defaults);
}

/* Many points. */
static struct simulation simulate(int64_t (*draw)(struct simulation *), int stages)
{
	struct simulation simulation = {.random = 1, .draw = draw};

	for (int point = 0; point < 1000; point++) {
		int64_t window = 11 * US;
		for (int i = 0; i < stages; i++)
			window = simulate_stage(&simulation, window);
	}
	return simulation;
}

/* As docs/bench.md says: discarded runs are long ones rather than random ones. */
static void discarding_favours_short_runs(void **state)
{
	struct simulation steady = simulate(draw_steady, 4), mixed = simulate(draw_of_two_kinds, 4),
			  longer = simulate(draw_of_two_kinds, 13);

	(void)state;
	assert_int_equal(steady.right, steady.runs);
	assert_in_range(100 * mixed.slow_runs / mixed.runs, 29, 30);
	assert_in_range(100 * mixed.slow_right / mixed.right, 19, 21);
	assert_in_range(100 * longer.slow_right / longer.right, 26, 28);
}

static bool is_enough(int64_t runs, int64_t right, double error, int64_t elapsed)
{
	struct progress progress = {runs, right, error, elapsed};

	return measured_enough(&progress, &plan_defaults);
}

static void it_ends_by_runs_by_right_ones_or_by_the_error(void **state)
{
	(void)state;
	assert_false(is_enough(100, 10, INFINITY, 0));
	assert_true(is_enough(101, 10, INFINITY, 0));
	assert_false(is_enough(40, 30, 0.06, 0));
	assert_true(is_enough(40, 31, 0.06, 0));
	assert_false(is_enough(16, 9, 0.01, 0));
	assert_true(is_enough(16, 10, 0.05, 0));
	assert_false(is_enough(16, 10, 0.051, 0));
}

static void it_goes_on_while_too_few_are_right(void **state)
{
	(void)state;
	assert_false(is_enough(101, 9, 0.01, 0));
	assert_false(is_enough(1000, 0, INFINITY, 0));
	assert_true(is_enough(1001, 0, INFINITY, 0));
}

static void it_ends_when_it_took_too_long(void **state)
{
	(void)state;
	assert_false(is_enough(8, 0, INFINITY, 9 * (int64_t)SECOND));
	assert_true(is_enough(8, 0, INFINITY, 10 * (int64_t)SECOND));
}

static int64_t length_of_stage(int64_t elapsed, int64_t window)
{
	struct progress progress = {.elapsed_ns = elapsed};

	return stage_length(&progress, window, &plan_defaults);
}

static void a_stage_is_cut_to_the_time_that_is_left(void **state)
{
	(void)state;
	assert_int_equal(length_of_stage(0, 1 * US), 8);
	assert_int_equal(length_of_stage(0, 2 * (int64_t)SECOND), 5);
	assert_int_equal(length_of_stage(9 * (int64_t)SECOND, 2 * (int64_t)SECOND), 1);
}

static unsigned marks_of(int64_t right, double error)
{
	struct progress progress = {.right = right, .relative_error = error};

	return progress_marks(&progress, &plan_defaults);
}

static void few_and_unsteady_runs_are_marked(void **state)
{
	(void)state;
	assert_int_equal(marks_of(10, 0.05), 0);
	assert_int_equal(marks_of(9, 0.05), MARK_FEW);
	assert_int_equal(marks_of(31, 0.06), MARK_UNSTEADY);
	assert_int_equal(marks_of(0, INFINITY), MARK_FEW | MARK_UNSTEADY);
}

static bool seem_shared(int64_t runs, int64_t right)
{
	struct progress progress = {.runs = runs, .right = right};

	return processors_seem_shared(&progress, &plan_defaults);
}

static void no_right_run_at_all_means_shared_processors(void **state)
{
	(void)state;
	assert_false(seem_shared(16, 0));
	assert_true(seem_shared(24, 0));
	assert_false(seem_shared(24, 1));
}

static void starts_are_exact_unless_processors_are_shared(void **state)
{
	(void)state;
	assert_int_equal(slack_of(100, 40 * US, false), 100);
	assert_int_equal(slack_of(100, 40 * US, true), 10 * US);
	assert_int_equal(slack_of(100, 200, true), 100);
}

static void late_first_runs_are_announced_earlier(void **state)
{
	(void)state;
	assert_int_equal(lead_next(5 * US, 5 * US, false, SECOND), 5 * US);
	assert_int_equal(lead_next(5 * US, 5 * US, true, SECOND), 10 * US);
	assert_int_equal(lead_next(800 * US, 5 * US, true, SECOND), 1000 * US);
	assert_int_equal(lead_next(800 * US, 500 * US, true, SECOND), 1600 * US);
	assert_int_equal(lead_next(21 * US, 5 * US, false, SECOND), 19 * US);
}

static void no_announcement_takes_more_than_the_time_that_is_left(void **state)
{
	(void)state;
	assert_int_equal(lead_next(800 * US, 500 * US, true, 900 * US), 900 * US);
	assert_int_equal(lead_next(800 * US, 500 * US, true, 100 * US), 500 * US);
}

static void what_computation_hides_is_a_share(void **state)
{
	(void)state;
	assert_true(fabs(hidden_part(10, 10, 12) - 0.8) < 1e-12);
	assert_true(hidden_part(10, 10, 9) == 1);
	assert_true(hidden_part(10, 10, 25) == 0);
	assert_true(isnan(hidden_part(10, 10, NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_in_its_window_is_right),
		cmocka_unit_test(a_run_that_starts_late_is_wrong),
		cmocka_unit_test(a_run_that_ends_behind_its_window_is_wrong),
		cmocka_unit_test(the_warm_up_gives_the_first_window),
		cmocka_unit_test(too_many_wrong_runs_widen_the_window),
		cmocka_unit_test(a_run_that_was_held_up_does_not_widen_it),
		cmocka_unit_test(a_window_of_disturbed_runs_is_doubled),
		cmocka_unit_test(short_runs_shrink_it),
		cmocka_unit_test(wrong_runs_keep_it_from_shrinking),
		cmocka_unit_test(it_is_never_nothing),
		cmocka_unit_test(it_settles_whether_runs_become_slow_or_fast),
		cmocka_unit_test(discarding_favours_short_runs),
		cmocka_unit_test(it_ends_by_runs_by_right_ones_or_by_the_error),
		cmocka_unit_test(it_goes_on_while_too_few_are_right),
		cmocka_unit_test(it_ends_when_it_took_too_long),
		cmocka_unit_test(a_stage_is_cut_to_the_time_that_is_left),
		cmocka_unit_test(few_and_unsteady_runs_are_marked),
		cmocka_unit_test(no_right_run_at_all_means_shared_processors),
		cmocka_unit_test(starts_are_exact_unless_processors_are_shared),
		cmocka_unit_test(late_first_runs_are_announced_earlier),
		cmocka_unit_test(no_announcement_takes_more_than_the_time_that_is_left),
		cmocka_unit_test(what_computation_hides_is_a_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
