/* The unsent events of a vanished process: words of its ring become the events that it would have sent. */
#include "calls/ids.h"
#include "check/analyser/unsent_replay.h"
#include "check/matching/analysis.h"
#include "check/protocol/unsent_ring.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	WORLD = 1,
	RANK = 0,
	RANKS = 4,
	SEND = 1,
	RECEIVE = 2,
	ANYBODY = 3,
	BARRIER = 4,
	WAIT = 5,
	PUT = 6,
	COMPARED_SEND = 7,
	COMPARED_RECEIVE = 8,
	FIRST = 100
};

static const uint64_t COMM = 77;

static struct {
	char folder[64];
	int descriptor;
	struct findings_log *log;
	struct checked_run *run;
	struct analysed_process *process;
	struct message_writer definitions;
	struct unsent_content content;
} replay;

static void no_note(const char *sentence)
{
	fail_msg("%s", sentence);
}

static void define_call(uint32_t number, enum check_operation operation, uint32_t flags)
{
	struct distinct_check_call call = {
		.number = number,
		.flags = flags,
		.operation = operation,
		.call = {.world = WORLD, .rank = RANK, .function = CALL_Send, .note = "", .arguments = ""},
		.window = operation == OPERATION_WINDOW ? WINDOW_PUT : WINDOW_NONE,
		.comm = COMM,
		.peer = flags & CHECK_CALL_WILDCARD ? -1 : 1,
		.peer_in_world = flags & CHECK_CALL_WILDCARD ? -1 : 1,
		.root = -1,
		.detail = ""};
	struct message_writer body = {0};

	distinct_call_put(&body, &call);
	frame_put(&replay.definitions, MESSAGE_CALL, &body);
	writer_release(&body);
}

static int set_up(void **state)
{
	struct checked_comm comm = {.identity = COMM, .rank = RANK, .size = RANKS, .name = "MPI_COMM_WORLD"};
	struct message_writer body = {0};

	(void)state;
	snprintf(replay.folder, sizeof replay.folder, "/tmp/tarry-unit-XXXXXX");
	assert_non_null(mkdtemp(replay.folder));
	replay.descriptor = open(replay.folder, O_RDONLY | O_DIRECTORY);
	replay.log = findings_log_open(replay.descriptor, "log", no_note);
	replay.run = analysis_new(replay.log);
	replay.process = process_new(&replay.run->known, WORLD, RANK, RANKS);
	replay.definitions = (struct message_writer){0};
	comm_put(&body, &comm);
	frame_put(&replay.definitions, MESSAGE_COMM, &body);
	writer_release(&body);
	define_call(SEND, OPERATION_SEND, 0);
	define_call(RECEIVE, OPERATION_RECEIVE, 0);
	define_call(ANYBODY, OPERATION_RECEIVE, CHECK_CALL_WILDCARD);
	define_call(BARRIER, OPERATION_COLLECTIVE, 0);
	define_call(WAIT, OPERATION_WAIT, 0);
	define_call(PUT, OPERATION_WINDOW, 0);
	define_call(COMPARED_SEND, OPERATION_SEND, CHECK_CALL_CONTENT);
	define_call(COMPARED_RECEIVE, OPERATION_RECEIVE, CHECK_CALL_CONTENT);
	replay.content = (struct unsent_content){.definitions = replay.definitions.bytes,
	                                         .definition_bytes = replay.definitions.size,
	                                         .first = FIRST};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	writer_release(&replay.definitions);
	free(replay.content.words);
	analysis_free(replay.run);
	findings_log_end(replay.log);
	unlinkat(replay.descriptor, "log", 0);
	close(replay.descriptor);
	rmdir(replay.folder);
	return 0;
}

static uint64_t word(enum unsent_kind kind, uint64_t number)
{
	return number << UNSENT_KIND_BITS | kind;
}

#define GIVE(...) \
	give((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
static void give(const uint64_t *words, size_t count)
{
	free(replay.content.words);
	replay.content.words = calloc(count + 1, sizeof *words);
	memcpy(replay.content.words, words, count * sizeof *words);
	replay.content.word_count = count;
}

/* The numbers of the EVENTS frame. Positions are left out, but have to ascend. */
static const char *events(void)
{
	static char text[512];
	struct message_writer frames = {0};
	struct cursor in;
	uint64_t last = 0;
	size_t size = 0;

	text[0] = '\0';
	assert_true(unsent_frames(&replay.content, &frames));
	in = (struct cursor){.at = frames.bytes + replay.content.definition_bytes,
	                     .end = frames.bytes + frames.size};
	if (cursor_left(&in))
		take_bytes(&in, FRAME_HEADER_BYTES);
	while (cursor_left(&in)) {
		const uint64_t number = take_varint(&in);
		struct cursor ahead = in;

		if (!number && take_varint(&ahead) == CHANGE_POSITION) {
			const uint64_t position = take_varint(&ahead);
			assert_true(position >= FIRST && position > last);
			last = position;
			in = ahead;
			continue;
		}
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%" PRIu64, size ? " " : "",
		                         number);
	}
	assert_false(in.bad);
	writer_release(&frames);
	return text;
}

static void take_frames(void)
{
	struct message_writer frames = {0};
	struct cursor in, body;
	uint32_t length;

	assert_true(unsent_frames(&replay.content, &frames));
	in = writer_cursor(&frames);
	while (cursor_left(&in)) {
		const uint8_t *head = take_bytes(&in, FRAME_HEADER_BYTES);

		memcpy(&length, head, sizeof length);
		body = (struct cursor){.at = take_bytes(&in, length - 1)};
		body.end = in.at;
		assert_true(analysis_frame(replay.run, replay.process, head[4], &body));
	}
	writer_release(&frames);
}

static void words_become_events(void **state)
{
	(void)state;
	GIVE(word(UNSENT_EVENT, ANYBODY), word(UNSENT_TAKES, 1), (uint64_t)2 << 32 | 9);
	assert_string_equal(events(), "3 0 5 1 4 18");
	GIVE(word(UNSENT_WAITS, WAIT), 3, (uint64_t)2 << 32 | 3, 1, word(UNSENT_COMPLETES, 1), 2);
	assert_string_equal(events(), "0 6 5 3 3 2 1 0 7 1 2");
	GIVE(word(UNSENT_DROPS, 4 << 1 | 1), word(UNSENT_DROPS, 4 << 1), word(UNSENT_THREAD, 2));
	assert_string_equal(events(), "0 8 4 1 0 8 4 0 0 9 2");
	GIVE(word(UNSENT_WINDOW, PUT), 4096);
	assert_string_equal(events(), "0 10 6 4096");
	GIVE(word(UNSENT_EVENT, SEND), word(UNSENT_EVENT, RECEIVE), word(UNSENT_EVENT, BARRIER));
	assert_string_equal(events(), "1 2 4");
	GIVE(word(UNSENT_RECEIVES, RECEIVE), 3, word(UNSENT_REJECTED, BARRIER));
	assert_string_equal(events(), "0 1 2 3 0 3 4");
	GIVE(word(UNSENT_COMM, 0), word(UNSENT_ENDS, 12345), COMM);
	assert_string_equal(events(), "0 11 77");
}

static void contents_go_with_their_messages(void **state)
{
	(void)state;
	GIVE(word(UNSENT_EVENT_WITH, COMPARED_SEND), 555, word(UNSENT_EVENT, COMPARED_RECEIVE));
	assert_string_equal(events(), "7 555 8");
	GIVE(word(UNSENT_CONTENT, COMPARED_RECEIVE), 33, 4, 555);
	assert_string_equal(events(), "0 12 8 33 4 555");
	GIVE(word(UNSENT_CONTENT, BARRIER), 3, 4, 555);
	assert_string_equal(events(), "0 12 4 3 4 555");
	GIVE(word(UNSENT_LEFT, 2));
	assert_string_equal(events(), "0 13 2");
}

/* Everything before is used. */
static void events_end_where_they_make_no_sense(void **state)
{
	(void)state;
	GIVE(word(UNSENT_EVENT, SEND), word(UNSENT_CONTENT, COMPARED_RECEIVE), 1, 2);
	assert_string_equal(events(), "1");
	GIVE(word(UNSENT_EVENT, SEND), word(UNSENT_TAKES, 1));
	assert_string_equal(events(), "1");
	GIVE(word(UNSENT_EVENT, SEND), word(UNSENT_WAITS, WAIT), UINT64_MAX, 1);
	assert_string_equal(events(), "1");
	GIVE(word(UNSENT_WAITS, WAIT), 3, 1);
	assert_string_equal(events(), "");
	GIVE(word(UNSENT_COMPLETES, UINT64_MAX >> 4));
	assert_string_equal(events(), "");
	GIVE(word(UNSENT_ENDS, 1));
	assert_string_equal(events(), "");
	GIVE(word(UNSENT_LEFT + 1, 1), word(UNSENT_EVENT, SEND));
	assert_string_equal(events(), "");
}

static void only_definitions_are_taken(void **state)
{
	struct message_writer frames = {0}, none = {0};

	(void)state;
	replay.content.definition_bytes--;
	assert_false(unsent_frames(&replay.content, &frames));
	replay.content.definition_bytes++;
	frame_put(&replay.definitions, MESSAGE_BYE, &none);
	replay.content.definitions = replay.definitions.bytes;
	replay.content.definition_bytes = replay.definitions.size;
	assert_false(unsent_frames(&replay.content, &frames));
	writer_release(&frames);
}

/* Events that the process had sent itself are skipped; its execution continues where it was. */
static void nothing_comes_twice(void **state)
{
	struct message_writer body = {0};
	struct cursor in;

	(void)state;
	take_frames(); /* definitions */
	put_number(&body, SEND);
	put_number(&body, 0);
	put_number(&body, CHANGE_POSITION);
	put_number(&body, FIRST + 1);
	in = writer_cursor(&body);
	assert_true(analysis_frame(replay.run, replay.process, MESSAGE_EVENTS, &in));
	writer_release(&body);
	assert_int_equal(executed_operations_of(replay.process), 1);
	GIVE(word(UNSENT_EVENT, SEND), word(UNSENT_EVENT, ANYBODY), word(UNSENT_WAITS, WAIT), 1, 1,
	     word(UNSENT_TAKES, 1), (uint64_t)2 << 32 | 9);
	take_frames();
	assert_int_equal(executed_operations_of(replay.process), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_become_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(contents_go_with_their_messages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(events_end_where_they_make_no_sense, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_definitions_are_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_comes_twice, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
