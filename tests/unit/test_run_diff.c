/* Differences of reports that were made by hand. */
#include "base/memory.h"
#include "output/diff/run_diff.h"
#include "output/report/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SECOND = 1000000000 };

static struct problem late = {.id = "late-sender", .name = "Late Sender"};
static struct problem nameless = {.id = "barrier-wait", .number = 1};
static struct process processes[4];
static const struct outline outline = {.name = "MPI_Recv"};
static const struct call receive = {.outline = &outline};

/* A run with this many processes and seconds. */
struct made_run {
	struct reader reader;
	struct figures figures;
	struct analysis analysis;
	struct profile profile;
	struct report report;
	struct report_entry entries[4];
	struct profile_row rows[4];
	struct phase_figures phases[2];
};

static struct made_run *made_run_new(size_t process_count, int seconds)
{
	struct made_run *side = memory_new(1, sizeof *side);

	side->reader = (struct reader){
		.path = "run.tarry", .processes = processes, .process_count = process_count};
	side->figures.phases = side->phases;
	side->analysis = (struct analysis){.reader = &side->reader,
	                                   .figures = &side->figures,
	                                   .run_figures = {[RUN_LENGTH] = (double)seconds * SECOND}};
	side->profile.figures = &side->figures;
	side->profile.places.rows = side->rows;
	side->report = (struct report){.analysis = &side->analysis,
	                               .source = symbols_new(),
	                               .entries = side->entries,
	                               .profile = &side->profile};
	return side;
}

static void made_run_free(struct made_run *side)
{
	symbols_free(side->report.source);
	free(side);
}

static struct call_place place_at(const char *file, int line, const char *text)
{
	return (struct call_place){"MPI_Recv", {.file = file, .line = line, .function = "exchange"}, text};
}

static void add_finding(struct made_run *side, const struct problem *problem, int line, double seconds)
{
	side->entries[side->report.shown++] = (struct report_entry){
		.problem = problem,
		.at = place_at("src/halo.c", line, "halo.c"),
		.count = 3,
		.total_ns = (int64_t)(seconds * SECOND),
		.answer.doubt = DOUBT_CROWDED};
}

static void make_predictable(struct made_run *side, double saves)
{
	struct report_entry *last = &side->entries[side->report.shown - 1];

	last->answer = (struct whatif_answer){.saves_ns = (int64_t)(saves * SECOND)};
}

static void add_call(struct made_run *side, const char *file, double seconds)
{
	side->rows[side->profile.places.count++] = (struct profile_row){
		.at = place_at(file, 42, "halo.c:42"),
		.sample = {.call = &receive},
		.calls = 7,
		.run_ns = (int64_t)(seconds * SECOND)};
}

static void add_phase(struct made_run *side, const char *path, double seconds)
{
	side->phases[side->figures.phase_count++] = (struct phase_figures){
		.name = path, .path = path, .times = 1, .length_ns = (int64_t)(seconds * SECOND)};
}

static void assert_row(const struct diff_row *row, enum diff_change change, double before, double after)
{
	assert_string_equal(diff_change_names[row->change], diff_change_names[change]);
	assert_true(row->sides[DIFF_BEFORE].is_there == (change != DIFF_NEW));
	assert_true(row->sides[DIFF_AFTER].is_there == (change != DIFF_GONE));
	assert_float_equal(row->sides[DIFF_BEFORE].seconds, before, 1e-9);
	assert_float_equal(row->sides[DIFF_AFTER].seconds, after, 1e-9);
}

static void findings_are_aligned_without_lines(void **state)
{
	struct made_run *before = made_run_new(2, 10), *after = made_run_new(4, 10);
	struct run_diff *diff;

	(void)state;
	add_finding(before, &late, 42, 6);
	add_finding(before, &nameless, 9, 2);
	add_finding(after, &late, 57, 4);
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->findings.count, 2);
	/* Times are those of a process: 6 s of two, 4 s of four. */
	assert_row(&diff->findings.items[0], DIFF_LESS, 3, 1);
	assert_string_equal(diff->findings.items[0].name, "Late Sender");
	assert_row(&diff->findings.items[1], DIFF_GONE, 1, 0);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

static void savings_are_compared_if_all_are_predictable(void **state)
{
	struct made_run *before = made_run_new(2, 10), *after = made_run_new(2, 10);
	struct run_diff *diff;

	(void)state;
	add_finding(before, &late, 42, 6);
	make_predictable(before, 4);
	add_finding(after, &late, 42, 6);
	make_predictable(after, 2);
	diff = run_diff_new(&before->report, &after->report);
	assert_true(diff->compares_savings);
	assert_row(&diff->findings.items[0], DIFF_LESS, 4, 2);
	assert_true(diff->findings.items[0].sides[DIFF_BEFORE].share == 0.4);
	run_diff_free(diff);
	add_finding(after, &nameless, 9, 4);
	diff = run_diff_new(&before->report, &after->report);
	assert_false(diff->compares_savings);
	assert_row(&diff->findings.items[0], DIFF_NEW, 0, 2);
	assert_row(&diff->findings.items[1], DIFF_SAME, 3, 3);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

static void several_of_one_kind_come_in_their_order(void **state)
{
	struct made_run *before = made_run_new(1, 10), *after = made_run_new(1, 10);
	struct run_diff *diff;

	(void)state;
	add_finding(before, &late, 1, 5);
	add_finding(before, &late, 2, 1);
	add_finding(after, &late, 3, 5);
	add_finding(after, &late, 4, 3);
	add_finding(after, &late, 5, 0.5);
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->findings.count, 3);
	assert_row(&diff->findings.items[0], DIFF_MORE, 1, 3);
	assert_row(&diff->findings.items[1], DIFF_NEW, 0, 0.5);
	assert_row(&diff->findings.items[2], DIFF_SAME, 5, 5);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

/* The order of the report is that of costs, which may change. */
static void equal_calls_keep_their_lines(void **state)
{
	struct made_run *before = made_run_new(1, 10), *after = made_run_new(1, 10);
	struct run_diff *diff;

	(void)state;
	add_call(before, "halo.c", 5);
	add_call(before, "halo.c", 4);
	add_call(after, "halo.c", 6);
	add_call(after, "halo.c", 4);
	before->rows[0].at.where.line = after->rows[1].at.where.line = 17;
	before->rows[1].at.where.line = after->rows[0].at.where.line = 18;
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->calls.count, 2);
	assert_row(&diff->calls.items[0], DIFF_MORE, 4, 6);
	assert_row(&diff->calls.items[1], DIFF_LESS, 5, 4);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

/* Of calls that only one run has, those of the same function in another file are the same, in the order of lines. */
static void calls_of_a_renamed_file_keep_their_partners(void **state)
{
	struct made_run *before = made_run_new(1, 10), *after = made_run_new(1, 10);
	struct run_diff *diff;

	(void)state;
	add_call(before, "halo.c", 2);
	add_call(before, "halo.c", 5);
	add_call(before, "same.c", 1);
	add_call(after, "same.c", 1.01);
	add_call(after, "ring.c", 6);
	add_call(after, "ring.c", 2);
	add_call(after, "other.c", 3);
	before->rows[0].at.where.line = 17;
	before->rows[1].at.where.line = 18;
	after->rows[1].at.where.line = 31;
	after->rows[2].at.where.line = 30;
	after->rows[3].at.where.function = "setup";
	add_finding(before, &late, 42, 4);
	add_finding(after, &late, 57, 4);
	after->entries[0].at.where.file = "src/ring.c";
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->calls.count, 4);
	assert_row(&diff->calls.items[0], DIFF_NEW, 0, 3);
	assert_row(&diff->calls.items[1], DIFF_MORE, 5, 6);
	assert_row(&diff->calls.items[2], DIFF_SAME, 1, 1.01);
	assert_row(&diff->calls.items[3], DIFF_SAME, 2, 2);
	assert_int_equal(diff->findings.count, 1);
	assert_row(&diff->findings.items[0], DIFF_SAME, 4, 4);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

/* Half a percent of the first run is the limit. */
static void small_changes_are_none(void **state)
{
	struct made_run *before = made_run_new(1, 10), *after = made_run_new(1, 10);
	struct run_diff *diff;

	(void)state;
	add_call(before, "a/halo.c", 1);
	add_call(before, "b.c", 1);
	add_call(after, "elsewhere/halo.c", 1.049);
	add_call(after, "b.c", 1.051);
	before->rows[before->profile.places.count++] = (struct profile_row){.is_local = true,
	                                                                    .run_ns = SECOND};
	add_phase(before, "time loop", 8);
	add_phase(after, "time loop", 8);
	add_phase(after, "output", 1);
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->calls.count, 2);
	assert_row(&diff->calls.items[0], DIFF_MORE, 1, 1.051);
	assert_row(&diff->calls.items[1], DIFF_SAME, 1, 1.049);
	assert_int_equal(diff->phases.count, 2);
	assert_row(&diff->phases.items[0], DIFF_NEW, 0, 1);
	assert_row(&diff->phases.items[1], DIFF_SAME, 8, 8);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

static void runs_of_nothing_can_be_compared(void **state)
{
	struct made_run *before = made_run_new(0, 0), *after = made_run_new(0, 0);
	struct text out = {0};
	struct run_diff *diff;

	(void)state;
	before->analysis.figures = after->analysis.figures = NULL;
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff->findings.count + diff->calls.count + diff->phases.count, 0);
	run_diff_text(diff, &out);
	assert_true(out.length > 0);
	text_clear(&out);
	run_diff_json(diff, &out);
	assert_null(strstr(text_get(&out), "nan"));
	assert_null(strstr(text_get(&out), "inf"));
	text_release(&out);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

/* Rules of the user need no name. */
static void a_problem_without_a_name_has_its_id(void **state)
{
	struct made_run *before = made_run_new(1, 10), *after = made_run_new(1, 10);
	struct diff_limit limit;
	struct text out = {0};
	struct run_diff *diff;

	(void)state;
	add_finding(after, &nameless, 9, 2);
	diff = run_diff_new(&before->report, &after->report);
	run_diff_text(diff, &out);
	assert_non_null(strstr(text_get(&out), "barrier-wait"));
	text_clear(&out);
	assert_int_equal(diff_limit_parse("new>1%", &limit), OK);
	assert_true(diff_limit_is_crossed(&limit, diff, &out));
	assert_string_equal(
		text_get(&out),
		"new>1%: new finding barrier-wait at halo.c: ranks lose 2.00 s, 20 % of their time\n");
	text_release(&out);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

static void limits_are_read(void **state)
{
	static const char *const wrong[] = {"",           "slower", "slower>", "slower>x", "slower>-1%",
	                                    "slowest>5%", "new<1%", ">5%",     "new >1%",  "slower>nan"};
	struct diff_limit limit;

	(void)state;
	assert_int_equal(diff_limit_parse("slower>5%", &limit), OK);
	assert_int_equal(limit.kind, LIMIT_SLOWER);
	assert_float_equal(limit.share, 0.05, 1e-12);
	assert_int_equal(diff_limit_parse("new>0", &limit), OK);
	assert_int_equal(limit.kind, LIMIT_NEW);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (diff_limit_parse(wrong[i], &limit) == OK)
			fail_msg("'%s' is taken for a limit", wrong[i]);
}

static void limits_are_kept_or_crossed(void **state)
{
	struct made_run *before = made_run_new(1, 100), *after = made_run_new(1, 106);
	struct run_diff *diff;
	struct diff_limit limit;
	struct text out = {0};

	(void)state;
	add_finding(before, &late, 1, 1);
	add_finding(after, &late, 1, 50);
	add_finding(after, &late, 2, 2.12);
	diff = run_diff_new(&before->report, &after->report);
	assert_int_equal(diff_limit_parse("slower>6%", &limit), OK);
	assert_false(diff_limit_is_crossed(&limit, diff, &out));
	assert_int_equal(diff_limit_parse("slower>5%", &limit), OK);
	assert_true(diff_limit_is_crossed(&limit, diff, &out));
	/* An existing finding is not new, however much more it costs. */
	assert_int_equal(diff_limit_parse("new>2%", &limit), OK);
	assert_false(diff_limit_is_crossed(&limit, diff, &out));
	assert_int_equal(diff_limit_parse("new>1.9%", &limit), OK);
	assert_true(diff_limit_is_crossed(&limit, diff, &out));
	assert_string_equal(
		text_get(&out),
		"slower>5%: the run takes 106 s instead of 100 s\n"
		"new>1.9%: new finding Late Sender at halo.c: ranks lose 2.12 s, 2 % of their time\n");
	text_release(&out);
	run_diff_free(diff);
	made_run_free(before);
	made_run_free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_are_aligned_without_lines),
		cmocka_unit_test(savings_are_compared_if_all_are_predictable),
		cmocka_unit_test(several_of_one_kind_come_in_their_order),
		cmocka_unit_test(equal_calls_keep_their_lines),
		cmocka_unit_test(calls_of_a_renamed_file_keep_their_partners),
		cmocka_unit_test(small_changes_are_none),
		cmocka_unit_test(runs_of_nothing_can_be_compared),
		cmocka_unit_test(a_problem_without_a_name_has_its_id),
		cmocka_unit_test(limits_are_read),
		cmocka_unit_test(limits_are_kept_or_crossed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
