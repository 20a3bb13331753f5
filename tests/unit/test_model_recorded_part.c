/* Which part of a run is in the trace. */
#include "analysis/model/recorded_part.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "from_text.h"

/* Pauses are known then. */
static void read_all(struct reader *reader)
{
	struct event_iter iter;
	struct event event;

	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++) {
			reader_events(reader, &reader->processes[i].streams[j], &iter);
			while (reader_next(&iter, &event))
				;
		}
}

static int64_t paused(const char *text, int64_t from, int64_t to)
{
	struct reader *reader = read_text(text);
	struct corrected_time *time = corrected_time_by_clocks(reader);
	size_t next = 0;
	int64_t ns;

	read_all(reader);
	ns = paused_between(&reader->processes[0].streams[0], time, 0, from, to, &next);
	corrected_time_free(time);
	reader_close(reader);
	return ns;
}

static void pauses_are_taken_off(void **state)
{
	const char *text = "clock tsc 1000000000\n"
			   "pause 5\nresume 10\n10 20 MPI_Init\npause 20\nresume 50\n"
			   "60 70 MPI_Barrier\npause 80\nresume 100\n100 110 MPI_Finalize\n";

	(void)state;
	assert_int_equal(paused(text, 20, 100), 50);
	assert_int_equal(paused(text, 30, 90), 30);
	assert_int_equal(paused(text, 55, 75), 0);
}

static void a_pause_may_never_end(void **state)
{
	(void)state;
	assert_int_equal(paused("1 2 MPI_Barrier\npause 10\n", 0, 100), 90);
	assert_int_equal(paused("1 2 MPI_Barrier\npause 10\nresume 20\npause 70\n", 0, 100), 40);
}

static void rules_are_told_once(void **state)
{
	struct reader *reader = read_text(
		"process\nproperty selection \"--only p2p\"\n1 2 MPI_Barrier\n"
		"process\nproperty selection \"--only p2p\"\n"
		"property never_came \"--from a\"\nproperty seen \"b, c\"\n1 2 MPI_Barrier\n");
	struct arena arena = {0};
	struct recorded_part part;

	(void)state;
	read_all(reader);
	part = recorded_part_of(reader, &arena);
	assert_int_equal(part.rule_count, 1);
	assert_string_equal(part.rules[0], "--only p2p");
	assert_true(part_is_left_out(&part));
	assert_false(part.has_pauses);
	assert_null(part.never_came); /* in one process it did */
	assert_null(part.seen);
	arena_release(&arena);
	reader_close(reader);
}

static void what_never_came_is_told(void **state)
{
	struct reader *reader = read_text(
		"property selection \"--from a:3\"\nproperty never_came \"--from a:3\"\n"
		"property seen \"b, c\"\n1 2 MPI_Init\npause 2\n");
	struct arena arena = {0};
	struct recorded_part part;

	(void)state;
	read_all(reader);
	part = recorded_part_of(reader, &arena);
	assert_true(part.has_pauses);
	assert_string_equal(part.never_came, "--from a:3");
	assert_string_equal(part.seen, "b, c");
	arena_release(&arena);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_are_taken_off),
		cmocka_unit_test(a_pause_may_never_end),
		cmocka_unit_test(rules_are_told_once),
		cmocka_unit_test(what_never_came_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
