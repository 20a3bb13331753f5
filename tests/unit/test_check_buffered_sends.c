/* The attached buffers of calls that are written here: rank 0 sends, and has room for two messages. */
#include "execution_script.h"

#include "check/execution/ordering.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TAG = 5, ANSWER = 6, NEEDED = 50, SIZE = 2 * NEEDED + 1, PLAIN = 1 };

static struct execution_script script;
static struct buffered_sends *sends;

static void bsend_with(uint32_t flags, int32_t dest, int64_t needed, int64_t size, uint32_t line)
{
	int64_t buffer[] = {needed, size};

	script_begins(&script, 0,
	              script_call(&script, 0,
	                          (struct distinct_check_call){.operation = OPERATION_SEND,
	                                                       .flags = CHECK_CALL_BUFFERED | flags,
	                                                       .call = {.function = CALL_Bsend},
	                                                       .peer = dest,
	                                                       .peer_in_world = dest,
	                                                       .tag = TAG,
	                                                       .root = -1,
	                                                       .rank_count = 2,
	                                                       .ranks = buffer},
	                          line));
}

static void bsend(int32_t dest, uint32_t line)
{
	bsend_with(0, dest, NEEDED, SIZE, line);
}

static void message(uint32_t rank, enum check_operation operation, uint32_t flags, int32_t peer, int32_t tag)
{
	script_begins(&script, rank, script_message(&script, rank, operation, flags, peer, tag, PLAIN));
}

static void receive(uint32_t rank, int32_t source, int32_t tag)
{
	message(rank, OPERATION_RECEIVE, 0, source, tag);
}

static void send(uint32_t rank, int32_t dest)
{
	message(rank, OPERATION_SEND, 0, dest, ANSWER);
}

static int open_three(void **state)
{
	(void)state;
	script_open(&script, 3);
	sends = buffered_sends_new(script.execution, script.ordering, NULL);
	return 0;
}

static int close_script(void **state)
{
	struct execution *execution = script.execution;

	(void)state;
	script.execution = execution_new(&script.known);
	execution_free(execution);
	buffered_sends_free(sends);
	script_close(&script);
	return 0;
}

static void third_message_has_no_room(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(2, 11);
	bsend(1, 12);
	bsend(1, 13); /* those before are not counted twice */
	assert_int_equal(script_found[10] + script_found[11] + script_found[13], 0);
	assert_int_equal(script_found[12], 1);
}

static void received_is_not_enough(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	receive(1, 0, TAG);
	receive(1, 0, TAG);
	send(1, 2); /* rank 0 does not hear of it */
	bsend(1, 12);
	assert_int_equal(script_found[12], 1);
}

static void answer_makes_room(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	receive(1, 0, TAG);
	send(1, 0);
	receive(0, 1, ANSWER);
	bsend(1, 12);
	bsend(1, 13);
	assert_int_equal(script_found[12], 0);
	assert_int_equal(script_found[13], 1);
}

static void answer_through_another_process(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	receive(1, 0, TAG);
	send(1, 2);
	receive(2, 1, ANSWER);
	send(2, 0);
	receive(0, 2, ANSWER);
	bsend(1, 12);
	assert_int_equal(script_found[12], 0);
}

static void early_answer_makes_no_room(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	send(1, 0);
	receive(0, 1, ANSWER);
	receive(1, 0, TAG);
	bsend(1, 12);
	assert_int_equal(script_found[12], 1);
}

static void barrier_makes_room(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(2, 11);
	receive(1, 0, TAG);
	for (uint32_t rank = 0; rank < script.ranks; rank++)
		script_begins(&script, rank, script_collective(&script, rank, CALL_Barrier, -1, PLAIN));
	bsend(1, 12);
	assert_int_equal(script_found[12], 0);
	bsend(1, 13); /* rank 2 has received nothing */
	assert_int_equal(script_found[13], 1);
}

/* A receive that was only posted. */
static void posted_is_not_received(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	message(1, OPERATION_RECEIVE, CHECK_CALL_NONBLOCKING, 0, TAG);
	send(1, 0);
	receive(0, 1, ANSWER);
	bsend(1, 12);
	assert_int_equal(script_found[12], 1);
}

static void new_buffer_is_empty(void **state)
{
	(void)state;
	bsend(1, 10);
	bsend(1, 11);
	bsend_with(CHECK_CALL_NEW_BUFFER, 1, NEEDED, SIZE, 12);
	bsend(1, 13);
	bsend(1, 14);
	assert_int_equal(script_found[12] + script_found[13], 0);
	assert_int_equal(script_found[14], 1);
}

static void messages_to_itself(void **state)
{
	(void)state;
	for (uint32_t line = 10; line < 15; line++) {
		bsend(0, line);
		receive(0, 0, TAG);
	}
	bsend(0, 20);
	bsend(0, 21);
	bsend(0, 22);
	for (uint32_t line = 10; line < 22; line++)
		assert_int_equal(script_found[line], 0);
	assert_int_equal(script_found[22], 1);
}

/* Too long by itself, of a persistent request, or rejected. */
static void others_are_left_out(void **state)
{
	struct message_writer body = {0};

	(void)state;
	bsend_with(0, 1, SIZE + 1, SIZE, 10);
	bsend_with(CHECK_CALL_PERSISTENT, 1, NEEDED, 0, 11);
	bsend_with(CHECK_CALL_NEW_BUFFER, 1, NEEDED, SIZE, 12);
	bsend_with(CHECK_CALL_NONBLOCKING, 1, NEEDED, SIZE, 13);
	put_number(&body, 1);
	put_number(&body, 1);
	script_change(&script, 0, CHANGE_DROPS, &body);
	bsend(1, 14);
	for (uint32_t line = 10; line < 15; line++)
		assert_int_equal(script_found[line], 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_three, close_script)
	const struct CMUnitTest tests[] = {
		TEST(third_message_has_no_room),  TEST(received_is_not_enough),
		TEST(answer_makes_room),          TEST(answer_through_another_process),
		TEST(early_answer_makes_no_room), TEST(barrier_makes_room),
		TEST(posted_is_not_received),     TEST(new_buffer_is_empty),
		TEST(messages_to_itself),         TEST(others_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
