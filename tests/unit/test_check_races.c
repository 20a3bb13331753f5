/* Vector clocks, the order of events, and message races of calls that are written here.
 * Rank 0 mostly receives. */
#include "execution_script.h"

#include "check/execution/message_races.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TAG = 5, FIRST = 10, SECOND = 11, THIRD = 12, SEND = 20, ANY = -1 };

static struct execution_script script;

/* Calls and their events in one */

static void send_of(uint32_t rank, uint32_t flags, int32_t dest, int32_t tag)
{
	script_begins(&script, rank,
	              script_message(&script, rank, OPERATION_SEND, flags, dest, tag, SEND + rank));
}

static void receive_of(uint32_t rank, int32_t source, int32_t tag, uint32_t line, uint32_t taken)
{
	script_begins(&script, rank, script_message(&script, rank, OPERATION_RECEIVE, 0, source, tag, line));
	if (source < 0 || tag < 0)
		script_takes(&script, rank, 1, taken, tag < 0 ? TAG : tag);
}

static void post_of(uint32_t rank, int32_t source, int32_t tag, uint32_t line)
{
	script_begins(
		&script, rank,
		script_message(&script, rank, OPERATION_RECEIVE, CHECK_CALL_NONBLOCKING, source, tag, line));
}

static void wait_of(uint32_t rank, uint32_t distance, uint32_t taken)
{
	script_waits(&script, rank, distance);
	script_takes(&script, rank, distance, taken, TAG);
}

static void collective_of(uint32_t function, int32_t root)
{
	for (uint32_t rank = 0; rank < script.ranks; rank++)
		script_begins(&script, rank, script_collective(&script, rank, function, root, 30));
}

static int open_three(void **state)
{
	(void)state;
	script_open(&script, 3);
	return 0;
}

static int close_script(void **state)
{
	(void)state;
	script_close(&script);
	return 0;
}

/* Clocks */

static void clocks_share_what_is_equal(void **state)
{
	struct vector_clock *a = NULL, *b = NULL;

	(void)state;
	clock_raise(&a, 3, 7);
	clock_raise(&a, 100, 1);
	clock_join(&b, a);
	assert_ptr_equal(a, b);
	clock_raise(&b, 100, 2);
	assert_ptr_not_equal(a, b);
	assert_ptr_equal(a->chunks[0], b->chunks[0]);
	assert_int_equal(clock_get(a, 100), 1);
	assert_int_equal(clock_get(b, 100), 2);
	assert_int_equal(clock_get(b, 3), 7);
	assert_int_equal(clock_get(b, 100000), 0);
	clock_raise(&a, 3, 8);
	clock_join(&a, b);
	assert_int_equal(clock_get(a, 3), 8);
	assert_int_equal(clock_get(a, 100), 2);
	assert_int_equal(clock_get(b, 3), 7);
	clock_join(&b, a);
	assert_ptr_equal(a, b);
	clock_drop(a);
	clock_drop(b);
}

/* Messages */

static void two_senders_race(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	send_of(2, 0, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 2);
	receive_of(0, ANY, TAG, SECOND, 1);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
	assert_int_equal(script_races(SECOND), 0);
}

static void messages_of_one_sender_do_not(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		send_of(1, 0, 0, TAG);
	receive_of(0, ANY, ANY, FIRST, 1);
	receive_of(0, ANY, ANY, SECOND, 1);
	script_end(&script);
	assert_int_equal(script_races(FIRST) + script_races(SECOND), 0);
}

static void other_tags_do_not(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	send_of(2, 0, 0, TAG + 1);
	receive_of(0, ANY, TAG, FIRST, 1);
	receive_of(0, ANY, TAG + 1, SECOND, 2);
	script_end(&script);
	assert_int_equal(script_races(FIRST) + script_races(SECOND), 0);
}

static void what_is_sent_after_an_answer_does_not(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 1);
	send_of(0, 0, 2, TAG);
	receive_of(2, 0, TAG, THIRD, 0);
	send_of(2, 0, 0, TAG);
	receive_of(0, ANY, TAG, SECOND, 2);
	script_end(&script);
	assert_int_equal(script_races(FIRST) + script_races(SECOND), 0);
}

static void what_is_sent_after_another_message_does(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	send_of(1, 0, 2, TAG);
	receive_of(2, 1, TAG, THIRD, 1);
	send_of(2, 0, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 1);
	receive_of(0, ANY, TAG, SECOND, 2);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
}

static void synchronous_sends_order(void **state)
{
	(void)state;
	send_of(1, CHECK_CALL_SYNCHRONOUS, 0, TAG);
	send_of(1, 0, 2, TAG);
	receive_of(2, 1, TAG, THIRD, 1);
	send_of(2, 0, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 1);
	receive_of(0, ANY, TAG, SECOND, 2);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 0);
}

/* A receive of rank 0, a collective call, and a later send of rank 2. */
static uint32_t races_around(uint32_t function, int32_t root)
{
	send_of(1, 0, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 1);
	collective_of(function, root);
	send_of(2, 0, 0, TAG);
	receive_of(0, ANY, TAG, SECOND, 2);
	script_end(&script);
	return script_races(FIRST);
}

static void barriers_order(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Barrier, -1), 0);
}

static void broadcasts_order_behind_the_root(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Bcast, 0), 0);
}

static void broadcasts_of_others_do_not(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Bcast, 1), 1);
}

static void reductions_order_at_the_root(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Reduce, 2), 0);
}

static void reductions_to_others_do_not(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Reduce, 0), 1);
}

static void scans_order_upwards(void **state)
{
	(void)state;
	assert_int_equal(races_around(CALL_Scan, -1), 0);
}

/* Both are posted; the second is waited for first. */
static void receives_may_end_in_any_order(void **state)
{
	(void)state;
	post_of(0, ANY, TAG, FIRST);
	post_of(0, ANY, TAG, SECOND);
	send_of(1, 0, 0, TAG);
	send_of(2, 0, 0, TAG);
	wait_of(0, 1, 1);
	wait_of(0, 2, 2);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
	assert_int_equal(script_races(SECOND), 0);
}

/* The second can only have ended because the first had its message: later sends are too late for both. */
static void the_end_of_a_later_receive_orders(void **state)
{
	(void)state;
	post_of(0, ANY, TAG, FIRST);
	post_of(0, ANY, TAG, SECOND);
	send_of(1, 0, 0, TAG);
	send_of(1, 0, 0, TAG);
	wait_of(0, 1, 1);
	send_of(0, 0, 2, TAG);
	receive_of(2, 0, TAG, THIRD, 0);
	send_of(2, 0, 0, TAG);
	receive_of(0, 2, TAG, THIRD, 2);
	wait_of(0, 4, 1);
	script_end(&script);
	assert_int_equal(script_races(FIRST) + script_races(SECOND), 0);
}

static void messages_that_nobody_received_count(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	send_of(2, CHECK_CALL_NONBLOCKING, 0, TAG);
	receive_of(0, ANY, TAG, FIRST, 1);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
}

static void matched_probes_take(void **state)
{
	(void)state;
	send_of(1, 0, 0, TAG);
	send_of(2, 0, 0, TAG);
	script_begins(&script, 0, script_message(&script, 0, OPERATION_MATCHED_PROBE, 0, ANY, ANY, FIRST));
	script_takes(&script, 0, 1, 2, TAG);
	receive_of(0, 1, TAG, SECOND, 1);
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
}

/* A loop: one finding, and memory that does not grow. */
static void a_line_gives_one_finding(void **state)
{
	enum { ROUNDS = 3000 };
	const uint32_t call = script_message(&script, 0, OPERATION_RECEIVE, 0, ANY, TAG, FIRST);
	uint32_t sends[3] = {0};

	(void)state;
	for (uint32_t rank = 1; rank < 3; rank++)
		sends[rank] = script_message(&script, rank, OPERATION_SEND, 0, 0, TAG, SEND + rank);
	for (uint32_t i = 0; i < ROUNDS; i++)
		for (uint32_t rank = 1; rank < 3; rank++)
			script_begins(&script, rank, sends[rank]);
	for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
		struct ordered_process *process;
		script_begins(&script, 0, call);
		script_takes(&script, 0, 1, 1 + i % 2, TAG);
		process = executed_process_of(script.execution, script.processes[0])->ordering;
		assert_true(process->channels.items[0]->receives.count <= 4);
		assert_int_equal(process->channels.items[0]->taken.count, 0);
	}
	script_end(&script);
	assert_int_equal(script_races(FIRST), 1);
	assert_int_equal(script_sends[FIRST], 2);
	assert_int_equal(script_times[FIRST], 2 * ROUNDS - 1);
}

/* For other listeners */

static bool is_before(uint32_t earlier, uint64_t count, uint32_t later)
{
	return ordering_is_before(script.ordering,
	                          executed_process_of(script.execution, script.processes[earlier]), count,
	                          executed_process_of(script.execution, script.processes[later]));
}

static uint64_t count_of(uint32_t rank)
{
	return ordering_count(script.ordering, executed_process_of(script.execution, script.processes[rank]));
}

static void messages_order_events(void **state)
{
	uint64_t early, late;

	(void)state;
	collective_of(CALL_Barrier, -1);
	early = count_of(1);
	send_of(1, 0, 2, TAG);
	assert_false(is_before(1, early, 2));
	receive_of(2, 1, TAG, THIRD, 1);
	late = count_of(1);
	assert_true(is_before(1, early, 2));
	assert_false(is_before(1, late, 2));
	assert_false(is_before(1, early, 0));
	assert_true(is_before(1, late, 1));
	collective_of(CALL_Barrier, -1);
	assert_true(is_before(1, late, 2));
	assert_true(is_before(1, late, 0));
	script_end(&script);
}

static void window_of_rank(uint32_t rank, enum window_operation operation, uint32_t flags, int32_t peer)
{
	int64_t ranks[] = {peer};
	struct message_writer body = {0};
	const bool has_group = operation == WINDOW_POST || operation == WINDOW_START;

	put_number(&body, script_call(&script, rank,
	                              (struct distinct_check_call){.operation = OPERATION_WINDOW,
	                                                           .window = operation,
	                                                           .flags = flags,
	                                                           .call = {.function = CALL_Win_post},
	                                                           .peer = peer,
	                                                           .rank_count = has_group,
	                                                           .ranks = ranks},
	                              30));
	put_number(&body, 0);
	script_change(&script, rank, CHANGE_WINDOW, &body);
}

static void windows_order_events(void **state)
{
	uint64_t posted, accessed;

	(void)state;
	collective_of(CALL_Barrier, -1);
	posted = count_of(0);
	window_of_rank(0, WINDOW_POST, 0, 1);
	assert_false(is_before(0, posted, 1));
	window_of_rank(1, WINDOW_START, 0, 0);
	assert_true(is_before(0, posted, 1));
	accessed = count_of(1);
	window_of_rank(1, WINDOW_COMPLETE, 0, ANY);
	assert_false(is_before(1, accessed, 0));
	window_of_rank(0, WINDOW_WAIT, 0, ANY);
	assert_true(is_before(1, accessed, 0));
	assert_false(is_before(1, accessed, 2));
	script_end(&script);
}

static void locks_order_events_unless_shared(void **state)
{
	uint64_t accessed;

	(void)state;
	collective_of(CALL_Barrier, -1);
	window_of_rank(1, WINDOW_LOCK, CHECK_CALL_SHARED, 0);
	accessed = count_of(1);
	window_of_rank(1, WINDOW_UNLOCK, CHECK_CALL_SHARED, 0);
	window_of_rank(2, WINDOW_LOCK, CHECK_CALL_SHARED, 0);
	assert_false(is_before(1, accessed, 2));
	window_of_rank(2, WINDOW_UNLOCK, CHECK_CALL_SHARED, 0);
	window_of_rank(2, WINDOW_LOCK, 0, 0);
	assert_true(is_before(1, accessed, 2));
	window_of_rank(2, WINDOW_UNLOCK, 0, 0);
	script_end(&script);
}

#define RACE_TEST(function) cmocka_unit_test_setup_teardown(function, open_three, close_script)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_share_what_is_equal),
		RACE_TEST(two_senders_race),
		RACE_TEST(messages_of_one_sender_do_not),
		RACE_TEST(other_tags_do_not),
		RACE_TEST(what_is_sent_after_an_answer_does_not),
		RACE_TEST(what_is_sent_after_another_message_does),
		RACE_TEST(synchronous_sends_order),
		RACE_TEST(barriers_order),
		RACE_TEST(broadcasts_order_behind_the_root),
		RACE_TEST(broadcasts_of_others_do_not),
		RACE_TEST(reductions_order_at_the_root),
		RACE_TEST(reductions_to_others_do_not),
		RACE_TEST(scans_order_upwards),
		RACE_TEST(receives_may_end_in_any_order),
		RACE_TEST(the_end_of_a_later_receive_orders),
		RACE_TEST(messages_that_nobody_received_count),
		RACE_TEST(matched_probes_take),
		RACE_TEST(a_line_gives_one_finding),
		RACE_TEST(messages_order_events),
		RACE_TEST(windows_order_events),
		RACE_TEST(locks_order_events_unless_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
