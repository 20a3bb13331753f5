/* Assertions of windows that several processes break together, in executions that are written here. */
#include "execution_script.h"

#include "check/execution/window_races.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TAG = 5, LINE = 30, OTHER = 31, ANY = -1 };

static struct execution_script script;
static struct window_assertions *assertions;

static int open_two(void **state)
{
	(void)state;
	script_open(&script, 2);
	assertions = window_assertions_new(script.execution, script.ordering, NULL);
	return 0;
}

static int open_three(void **state)
{
	(void)state;
	script_open(&script, 3);
	assertions = window_assertions_new(script.execution, script.ordering, NULL);
	return 0;
}

static int close_script(void **state)
{
	struct execution *execution = script.execution;

	(void)state;
	script.execution = execution_new(&script.known);
	execution_free(execution);
	window_assertions_free(assertions);
	script_close(&script);
	return 0;
}

static void window_of(uint32_t rank, enum window_operation operation, uint32_t assertion, uint32_t flags,
                      int32_t peer, uint32_t line)
{
	int64_t ranks[] = {peer};
	struct message_writer body = {0};
	const bool has_group = operation == WINDOW_POST || operation == WINDOW_START;

	put_number(&body, script_call(&script, rank,
	                              (struct distinct_check_call){.operation = OPERATION_WINDOW,
	                                                           .window = operation,
	                                                           .flags = flags,
	                                                           .tag = (int32_t)assertion,
	                                                           .call = {.function = CALL_Win_post},
	                                                           .peer = peer,
	                                                           .rank_count = has_group,
	                                                           .ranks = ranks},
	                              line));
	put_number(&body, 0);
	script_change(&script, rank, CHANGE_WINDOW, &body);
}

static void message(uint32_t from, uint32_t to)
{
	script_begins(&script, from, script_message(&script, from, OPERATION_SEND, 0, (int32_t)to, TAG, 1));
	script_begins(&script, to, script_message(&script, to, OPERATION_RECEIVE, 0, (int32_t)from, TAG, 1));
}

static void end(void)
{
	script_end(&script);
	window_assertions_end(assertions);
}

static void locks_exclude_each_other(void **state)
{
	(void)state;
	window_of(0, WINDOW_LOCK, 0, 0, 0, OTHER);
	window_of(0, WINDOW_UNLOCK, 0, 0, 0, OTHER);
	window_of(1, WINDOW_LOCK, ASSERTION_NOCHECK, 0, 0, LINE);
	window_of(1, WINDOW_UNLOCK, 0, 0, 0, LINE);
	end();
	assert_int_equal(script_races(LINE), 1);
}

static void messages_keep_locks_apart(void **state)
{
	(void)state;
	window_of(0, WINDOW_LOCK, 0, 0, 0, OTHER);
	window_of(0, WINDOW_UNLOCK, 0, 0, 0, OTHER);
	message(0, 1);
	window_of(1, WINDOW_LOCK, ASSERTION_NOCHECK, 0, 0, LINE);
	window_of(1, WINDOW_UNLOCK, 0, 0, 0, LINE);
	end();
	assert_int_equal(script_races(LINE), 0);
}

/* Process 1 had the lock after process 0, and sends a message to process 2. */
static void a_third_process_had_the_lock(enum window_operation lock, enum window_operation unlock)
{
	window_of(0, WINDOW_LOCK, 0, 0, 0, OTHER);
	window_of(0, WINDOW_UNLOCK, 0, 0, 0, OTHER);
	window_of(1, lock, 0, CHECK_CALL_SHARED, lock == WINDOW_LOCK ? 0 : ANY, OTHER);
	window_of(1, unlock, 0, CHECK_CALL_SHARED, lock == WINDOW_LOCK ? 0 : ANY, OTHER);
	message(1, 2);
	window_of(2, WINDOW_LOCK, ASSERTION_NOCHECK, 0, 0, LINE);
	window_of(2, WINDOW_UNLOCK, 0, 0, 0, LINE);
	end();
	assert_int_equal(script_races(LINE), 0);
}

static void locks_order_processes(void **state)
{
	(void)state;
	a_third_process_had_the_lock(WINDOW_LOCK, WINDOW_UNLOCK);
}

static void locks_of_all_do_so_too(void **state)
{
	(void)state;
	a_third_process_had_the_lock(WINDOW_LOCK_ALL, WINDOW_UNLOCK_ALL);
}

static void shared_locks_do_not(void **state)
{
	(void)state;
	window_of(0, WINDOW_LOCK_ALL, ASSERTION_NOCHECK, CHECK_CALL_SHARED, ANY, OTHER);
	window_of(1, WINDOW_LOCK, ASSERTION_NOCHECK, CHECK_CALL_SHARED, 0, LINE);
	window_of(1, WINDOW_UNLOCK, 0, CHECK_CALL_SHARED, 0, LINE);
	window_of(1, WINDOW_LOCK, 0, 0, 1, LINE); /* and this one excludes all */
	end();
	assert_int_equal(script_races(LINE), 0);
	assert_int_equal(script_races(OTHER), 1);
}

static void starts_come_behind_posts(void **state)
{
	(void)state;
	window_of(0, WINDOW_POST, ASSERTION_NOCHECK, 0, 1, OTHER);
	window_of(1, WINDOW_START, ASSERTION_NOCHECK, 0, 0, LINE);
	window_of(1, WINDOW_COMPLETE, 0, 0, ANY, 1);
	window_of(0, WINDOW_WAIT, 0, 0, ANY, 1);
	end();
	assert_int_equal(script_races(LINE), 1);
}

static void messages_put_them_there(void **state)
{
	(void)state;
	window_of(0, WINDOW_POST, ASSERTION_NOCHECK, 0, 1, OTHER);
	message(0, 1);
	window_of(1, WINDOW_START, ASSERTION_NOCHECK, 0, 0, LINE);
	window_of(1, WINDOW_COMPLETE, 0, 0, ANY, 1);
	window_of(0, WINDOW_WAIT, 0, 0, ANY, 1);
	end();
	assert_int_equal(script_races(LINE), 0);
}

static void both_sides_say_it(void **state)
{
	(void)state;
	window_of(0, WINDOW_POST, ASSERTION_NOCHECK, 0, 1, OTHER);
	message(0, 1);
	window_of(1, WINDOW_START, 0, 0, 0, LINE);
	end();
	assert_int_equal(script_races(LINE), 1);
}

static void fence(uint32_t first, uint32_t second)
{
	const uint32_t given[] = {first, second};

	for (uint32_t rank = 0; rank < 2; rank++)
		script_begins(&script, rank,
		              script_call(&script, rank,
		                          (struct distinct_check_call){.operation = OPERATION_COLLECTIVE,
		                                                       .tag = (int32_t)given[rank],
		                                                       .call = {.function = CALL_Win_fence},
		                                                       .peer = -1,
		                                                       .peer_in_world = -1,
		                                                       .root = -1},
		                          LINE + rank));
}

static void fences_agree(void **state)
{
	(void)state;
	fence(ASSERTION_NOPRECEDE, ASSERTION_NOPRECEDE | ASSERTION_NOPUT);
	assert_int_equal(script_races(LINE) + script_races(OTHER), 0);
	fence(0, ASSERTION_NOSUCCEED);
	assert_int_equal(script_races(LINE), 0);
	fence(0, 0);
	assert_int_equal(script_races(LINE), 1);
	end();
	assert_int_equal(script_races(OTHER), 0);
}

static void fences_differ_at_the_end(void **state)
{
	(void)state;
	fence(0, ASSERTION_NOSUCCEED);
	end();
	assert_int_equal(script_races(LINE), 1);
}

/* The process itself has reported the access that breaks the assertion. */
static void broken_assertions_are_known(void **state)
{
	(void)state;
	fence(ASSERTION_NOSUCCEED, 0);
	fence(ASSERTION_BROKEN, 0);
	fence(ASSERTION_NOPRECEDE | ASSERTION_BROKEN, 0);
	end();
	assert_int_equal(script_races(LINE) + script_races(OTHER), 0);
}

static void stores_break_a_promise(void **state)
{
	(void)state;
	fence(ASSERTION_NOSTORE, ASSERTION_NOSTORE);
	fence(ASSERTION_NOSTORE, ASSERTION_NOSTORE | ASSERTION_STORED);
	end();
	assert_int_equal(script_races(LINE), 0);
	assert_int_equal(script_races(OTHER), 1);
}

static void what_others_put_does_not(void **state)
{
	(void)state;
	fence(0, 0);
	window_of(0, WINDOW_PUT, 0, 0, 1, 1);
	fence(0, ASSERTION_NOSTORE | ASSERTION_STORED);
	end();
	assert_int_equal(script_races(OTHER), 0);
}

#define COURSE_TEST(function) cmocka_unit_test_setup_teardown(function, open_two, close_script)
#define TEST_OF_THREE(function) cmocka_unit_test_setup_teardown(function, open_three, close_script)

int main(void)
{
	const struct CMUnitTest tests[] = {
		COURSE_TEST(locks_exclude_each_other),
		COURSE_TEST(messages_keep_locks_apart),
		TEST_OF_THREE(locks_order_processes),
		TEST_OF_THREE(locks_of_all_do_so_too),
		COURSE_TEST(shared_locks_do_not),
		COURSE_TEST(starts_come_behind_posts),
		COURSE_TEST(messages_put_them_there),
		COURSE_TEST(both_sides_say_it),
		COURSE_TEST(fences_agree),
		COURSE_TEST(fences_differ_at_the_end),
		COURSE_TEST(broken_assertions_are_known),
		COURSE_TEST(stores_break_a_promise),
		COURSE_TEST(what_others_put_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
