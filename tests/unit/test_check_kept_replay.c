/* What a process had not sent when it vanished: words of its ring become what each analyser would have been sent. */
#include "calls/ids.h"
#include "check/analyser/kept_replay.h"
#include "check/protocol/kept_events.h"
#include "check/protocol/routing.h"

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
	COMPARED_ANYBODY = 9,
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
	struct kept_content content;
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
	define_call(COMPARED_ANYBODY, OPERATION_RECEIVE, CHECK_CALL_CONTENT | CHECK_CALL_WILDCARD);
	replay.content = (struct kept_content){.definitions = replay.definitions.bytes,
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

static uint64_t word(enum kept_kind kind, uint64_t number)
{
	return number << KEPT_KIND_BITS | kind;
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

/* The numbers of the EVENTS frame for this analyser. Positions are left out, but have to ascend. */
static const char *events_for(uint32_t analyser, uint32_t count)
{
	static char text[512];
	struct message_writer frames = {0};
	struct cursor in;
	uint64_t last = 0;
	size_t size = 0;

	text[0] = '\0';
	if (!kept_forward(replay.process, &replay.content, analyser, count, &frames))
		return "nothing";
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

/* So that it knows the calls. */
static void begin(void)
{
	struct kept_content nothing = replay.content;

	nothing.word_count = 0;
	assert_true(kept_replay(replay.run, replay.process, &nothing, 0, 1));
}

static uint32_t of_pair(uint32_t peer)
{
	return analyser_of_message(RANK, peer, RANKS, COMM, 2);
}

static void the_first_hears_of_the_course(void **state)
{
	(void)state;
	begin();
	GIVE(word(KEPT_BEGINS, ANYBODY), word(KEPT_TAKES, 1), (uint64_t)2 << 32 | 9);
	assert_string_equal(events_for(0, 2), "0 4 3 0 5 1 4 18");
	assert_string_equal(events_for(1, 2), "nothing");
	GIVE(word(KEPT_WAITS, WAIT), 3, (uint64_t)2 << 32 | 3, 1, word(KEPT_COMPLETES, 1), 2);
	assert_string_equal(events_for(0, 2), "0 6 5 3 3 2 1 0 7 1 2");
	GIVE(word(KEPT_DROPS, 4 << 1 | 1), word(KEPT_DROPS, 4 << 1), word(KEPT_THREAD, 2));
	assert_string_equal(events_for(0, 2), "0 8 4 1 0 8 4 0 0 9 2");
	GIVE(word(KEPT_WINDOW, PUT), 4096);
	assert_string_equal(events_for(0, 2), "0 10 6 4096");
	assert_string_equal(events_for(1, 2), "nothing");
}

static void matching_goes_to_who_is_responsible(void **state)
{
	const uint32_t own = of_pair(1), other = !own;
	const char *begins = "0 4 1 0 4 2";

	(void)state;
	begin();
	GIVE(word(KEPT_EVENT, SEND), word(KEPT_EVENT, RECEIVE));
	assert_string_equal(events_for(own, 2), "1 2");
	assert_string_equal(events_for(other, 2), other ? "nothing" : begins);
	GIVE(word(KEPT_MATCHES, RECEIVE), word(KEPT_CANCELLED, SEND));
	assert_string_equal(events_for(own, 2), "0 3 2 0 1 1");
	assert_string_equal(events_for(other, 2), other ? "nothing" : "");
	GIVE(word(KEPT_WILDCARD, ANYBODY), (uint64_t)1 << 32 | 7, 1);
	assert_string_equal(events_for(own, 2), "0 3 3 2 2 14");
	GIVE(word(KEPT_EVENT, BARRIER));
	assert_string_equal(events_for(COMM % 2, 2), "4");
	assert_string_equal(events_for(!(COMM % 2), 2), COMM % 2 ? "0 4 4" : "nothing");
}

/* Hashes and tickets stay with their events, contents follow the receive. */
static void contents_go_with_their_messages(void **state)
{
	const uint32_t own = of_pair(1), other = !own;

	(void)state;
	begin();
	GIVE(word(KEPT_EVENT_WITH, COMPARED_SEND), 555, word(KEPT_EVENT_WITH, COMPARED_RECEIVE), 31);
	assert_string_equal(events_for(own, 2), "7 555 8 31");
	assert_string_equal(events_for(other, 2), other ? "nothing" : "0 4 7 0 4 8");
	GIVE(word(KEPT_MATCHES_WITH, COMPARED_RECEIVE), 32, word(KEPT_CANCELLED, COMPARED_SEND),
	     word(KEPT_WILDCARD, COMPARED_ANYBODY), (uint64_t)1 << 32 | 7, (uint64_t)33 << 32 | 1);
	assert_string_equal(events_for(own, 2), "0 3 8 32 0 1 7 0 3 9 2 2 14 33");
	GIVE(word(KEPT_CONTENT, COMPARED_ANYBODY), (uint64_t)33 << 32 | 1, 4, 555);
	assert_string_equal(events_for(own, 2), "0 12 9 33 4 555");
	assert_string_equal(events_for(other, 2), other ? "nothing" : "");
	GIVE(word(KEPT_CONTENT, BARRIER), (uint64_t)3 << 32, 4, 555);
	assert_string_equal(events_for(COMM % 2, 2), "0 12 4 3 4 555");
	/* the number is missing, and is not known then; one too many is left out */
	GIVE(word(KEPT_EVENT, COMPARED_SEND), word(KEPT_EVENT_WITH, SEND), 555);
	assert_string_equal(events_for(own, 2), "7 0 1");
}

static void all_hear_of_ends(void **state)
{
	(void)state;
	begin();
	GIVE(word(KEPT_COMM, 0), word(KEPT_ENDS, 12345), COMM);
	assert_string_equal(events_for(0, 2), "0 11 77");
	assert_string_equal(events_for(1, 2), "0 11 77");
	GIVE(word(KEPT_COMM, 0));
	assert_string_equal(events_for(0, 2), ""); /* the definitions */
	assert_string_equal(events_for(1, 2), "nothing");
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	begin();
	GIVE(word(KEPT_EVENT, 99));
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_CONTENT, COMPARED_RECEIVE), 1, 2);
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_TAKES, 1));
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_WILDCARD, ANYBODY), 1);
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_WAITS, WAIT), UINT64_MAX, 1);
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_WAITS, WAIT), 3, 1);
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_COMPLETES, UINT64_MAX >> 4));
	assert_string_equal(events_for(0, 1), "nothing");
	GIVE(word(KEPT_ENDS, 1));
	assert_string_equal(events_for(0, 1), "nothing");
}

/* What the process had sent itself is passed over; a course goes on where it was. */
static void nothing_comes_twice(void **state)
{
	struct message_writer body = {0};
	struct cursor in;

	(void)state;
	analysis_follow_courses(replay.run);
	begin();
	put_number(&body, SEND);
	put_number(&body, 0);
	put_number(&body, CHANGE_POSITION);
	put_number(&body, FIRST + 1);
	in = (struct cursor){.at = body.bytes, .end = body.bytes + body.size};
	assert_true(analysis_frame(replay.run, replay.process, MESSAGE_EVENTS, &in));
	writer_release(&body);
	assert_int_equal(replay.run->waiting, 1);
	GIVE(word(KEPT_EVENT, SEND), word(KEPT_BEGINS, ANYBODY), word(KEPT_WAITS, WAIT), 1, 1,
	     word(KEPT_TAKES, 1), (uint64_t)2 << 32 | 9, word(KEPT_WILDCARD, ANYBODY), (uint64_t)2 << 32 | 9,
	     2);
	assert_true(kept_replay(replay.run, replay.process, &replay.content, 0, 1));
	assert_int_equal(replay.run->waiting, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_hears_of_the_course, set_up, tear_down),
		cmocka_unit_test_setup_teardown(matching_goes_to_who_is_responsible, set_up, tear_down),
		cmocka_unit_test_setup_teardown(contents_go_with_their_messages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_hear_of_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_makes_no_sense_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_comes_twice, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
