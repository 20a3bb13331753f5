#include "check/protocol/address.h"
#include "check/protocol/handshake.h"
#include "check/protocol/messages.h"

#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct check_place example_stack[] = {{"/opt/app", "0123abcd", 0x1234, 0}, {"script.py", "", 0, 77}};

static struct check_call example_call(uint32_t rank, const char *note)
{
	return (struct check_call){.world = 0xfedcba9876543210u,
	                           .rank = rank,
	                           .function = 25,
	                           .note = note,
	                           .arguments = "count = 10, dest = 1",
	                           .stack_count = 2,
	                           .stack = example_stack};
}

static void assert_same_call(const struct check_call *a, const struct check_call *b)
{
	assert_true(a->world == b->world && a->rank == b->rank && a->function == b->function);
	assert_string_equal(a->note, b->note);
	assert_string_equal(a->arguments, b->arguments);
	assert_int_equal(a->stack_count, b->stack_count);
	for (uint32_t i = 0; i < a->stack_count; i++) {
		assert_string_equal(a->stack[i].module, b->stack[i].module);
		assert_string_equal(a->stack[i].build_id, b->stack[i].build_id);
		assert_true(a->stack[i].offset == b->stack[i].offset && a->stack[i].line == b->stack[i].line);
	}
}

static void findings_come_back(void **state)
{
	struct check_call calls[] = {example_call(3, NOTE_SENT), example_call(UINT32_MAX, NOTE_RECEIVED)};
	struct check_value values[] = {{"parameter", "count"}, {"value", "-1"}};
	struct check_wait waits[] = {{0, 1, true, WAIT_MESSAGE}};
	struct check_finding finding = {7, 12, 2, 2, 1, calls, values, waits}, *back;
	struct message_writer out = {0};
	struct cursor in;

	(void)state;
	finding_put(&out, &finding);
	in = writer_cursor(&out);
	back = finding_take(&in);
	assert_non_null(back);
	assert_true(back->check == 7 && back->times == 12 && back->call_count == 2 && back->value_count == 2);
	assert_same_call(&back->calls[0], &calls[0]);
	assert_same_call(&back->calls[1], &calls[1]);
	assert_string_equal(back->values[1].name, "value");
	assert_string_equal(back->values[1].text, "-1");
	assert_true(back->wait_count == 1 && back->waits[0].to == 1 && back->waits[0].is_one_of);
	assert_int_equal(cursor_left(&in), 0);
	finding_free(back);
	/* Whatever is missing at its end makes it damaged. */
	for (size_t size = 0; size < out.size; size++) {
		in = (struct cursor){.at = out.bytes, .end = out.bytes + size};
		assert_null(finding_take(&in));
	}
	writer_release(&out);
}

/* Calls that are too many are cut, and with them what waits for them. */
static void waits_for_calls_that_were_cut_are_cut(void **state)
{
	struct check_call calls[FINDING_CALLS_MAX + 2];
	struct check_wait waits[FINDING_CALLS_MAX + 2];
	struct message_writer out = {0};
	struct check_finding *back;
	struct cursor in;

	(void)state;
	for (uint32_t i = 0; i < FINDING_CALLS_MAX + 2; i++) {
		calls[i] = example_call(i, NOTE_WAITS);
		waits[i] = (struct check_wait){i, (i + 1) % (FINDING_CALLS_MAX + 2), false, WAIT_MESSAGE};
	}
	finding_put(&out, &(struct check_finding){7, 1, FINDING_CALLS_MAX + 2, 0, FINDING_CALLS_MAX + 2,
	                                          calls, NULL, waits});
	in = writer_cursor(&out);
	back = finding_take(&in);
	assert_non_null(back);
	assert_int_equal(back->call_count, FINDING_CALLS_MAX);
	assert_int_equal(back->wait_count, FINDING_CALLS_MAX - 1);
	finding_free(back);
	writer_release(&out);
}

static void only_ranks_worlds_times_and_values_do_not_matter(void **state)
{
	struct check_call a[] = {example_call(3, NOTE_HERE)}, b[] = {example_call(4, NOTE_HERE)};
	struct check_value value = {"value", "-1"};
	struct check_finding first = {.check = 7, .times = 1, .call_count = 1, .calls = a},
			     second = {.check = 7,
	                               .times = 5,
	                               .call_count = 1,
	                               .value_count = 1,
	                               .calls = b,
	                               .values = &value};
	struct check_place elsewhere[] = {{"/opt/app", "0123abcd", 0x1238, 0}, {"script.py", "", 0, 77}};

	(void)state;
	b->world = 1;
	assert_true(finding_identity(&first) == finding_identity(&second));
	second.check = 8;
	assert_false(finding_identity(&first) == finding_identity(&second));
	second.check = 7;
	b->stack = elsewhere;
	assert_false(finding_identity(&first) == finding_identity(&second));
	*b = example_call(3, NOTE_OTHER);
	assert_false(finding_identity(&first) == finding_identity(&second));
}

static void messages_come_back(void **state)
{
	int32_t neighbours[] = {3, -1};
	struct check_hello hello = {.role = HELLO_ANALYSER,
	                            .world = 5,
	                            .rank = 6,
	                            .size = 7,
	                            .pid = 8,
	                            .host = "node1",
	                            .address = "tcp:10.0.0.1:99"},
			   hello_back;
	struct checked_comm comm = {.identity = 0x1122334455667788u,
	                            .rank = 1,
	                            .size = 4,
	                            .remote_size = 2,
	                            .side = 1,
	                            .name = "MPI_COMM_WORLD",
	                            .dest_count = 2,
	                            .dests = neighbours},
			    comm_back;
	struct checked_type_part parts[] = {{1, 3}, {2, UINT64_MAX}};
	struct checked_type basic = {.number = 1, .basic = 9, .bytes = 4}, made = {3, 0, 0, 2, parts}, back;
	struct check_member member = {9, 1, 2, MEMBER_ENDED + END_VANISHED, true, true, true}, member_back;
	struct message_writer out = {0};
	struct cursor in;

	(void)state;
	hello_put(&out, &hello);
	comm_put(&out, &comm);
	type_put(&out, &basic);
	type_put(&out, &made);
	member_put(&out, &member);
	in = writer_cursor(&out);
	assert_true(hello_take(&in, &hello_back) && comm_take(&in, &comm_back));
	assert_string_equal(hello_back.address, hello.address);
	assert_true(hello_back.role == HELLO_ANALYSER && hello_back.pid == 8 && hello_back.world == 5);
	assert_true(comm_back.identity == comm.identity && comm_back.size == 4 && comm_back.side == 1 &&
	            comm_back.remote_size == 2);
	assert_string_equal(comm_back.name, comm.name);
	assert_true(comm_back.source_count == 0 && comm_back.dest_count == 2 && comm_back.dests[1] == -1);
	assert_true(type_take(&in, &back) && back.basic == 9 && back.bytes == 4 && back.number == 1);
	assert_true(type_take(&in, &back) && !back.basic && back.part_count == 2 &&
	            back.parts[1].times == UINT64_MAX);
	type_release(&back);
	assert_true(member_take(&in, &member_back) && member_back.is_stuck && member_back.was_outside &&
	            member_back.was_in_finalize && member_back.state == member.state);
	hello_release(&hello_back);
	comm_release(&comm_back);
	writer_release(&out);
}

static void distinct_calls_come_back(void **state)
{
	struct check_data sends[] = {{1, 10}, {2, 0}}, receives[] = {{3, UINT64_MAX}};
	struct distinct_check_call call = {.number = 4,
	                                   .flags = CHECK_CALL_IN_PLACE | CHECK_CALL_NONBLOCKING,
	                                   .operation = OPERATION_COLLECTIVE,
	                                   .call = example_call(1, NOTE_HERE),
	                                   .comm = 99,
	                                   .peer = -1,
	                                   .peer_in_world = -2,
	                                   .tag = INT32_MAX,
	                                   .root = -3,
	                                   .operator= UINT64_C(1) << 63,
	                                   .send = {1, 2},
	                                   .receive = {3, 4},
	                                   .send_list_count = 2,
	                                   .receive_list_count = 1,
	                                   .send_list = sends,
	                                   .receive_list = receives,
	                                   .detail = "amode = 1"},
				   back;
	struct message_writer out = {0}, frame = {0};
	struct cursor in;

	(void)state;
	distinct_call_put(&out, &call);
	in = writer_cursor(&out);
	assert_true(distinct_call_take(&in, &back));
	assert_same_call(&back.call, &call.call);
	assert_true(back.number == 4 && back.flags == call.flags && back.operation == call.operation);
	assert_true(back.comm == 99 && back.peer == -1 && back.peer_in_world == -2 && back.tag == INT32_MAX);
	assert_true(back.root == -3 && back.operator== call.operator&& back.receive.count == 4);
	assert_true(back.send_list_count == 2 && back.send_list[0].count == 10 &&
	            back.receive_list[0].type == 3);
	assert_string_equal(back.detail, call.detail);
	distinct_call_release(&back);
	for (size_t size = 0; size < out.size; size++) {
		in = (struct cursor){.at = out.bytes, .end = out.bytes + size};
		assert_false(distinct_call_take(&in, &back));
	}
	frame_put(&frame, MESSAGE_CALL, &out);
	assert_int_equal(frame.size, FRAME_HEADER_BYTES + out.size);
	assert_int_equal(frame.bytes[0] | frame.bytes[1] << 8, out.size + 1);
	assert_int_equal(frame.bytes[4], MESSAGE_CALL);
	writer_release(&frame);
	writer_release(&out);
}

static void frames_are_taken_one_after_the_other(void **state)
{
	struct message_writer out = {0}, text = {0};
	enum message_kind kind;
	struct cursor in, body;

	(void)state;
	put_text(&text, "hello");
	frame_put(&out, MESSAGE_END, NULL);
	frame_put(&out, MESSAGE_CALL, &text);
	in = writer_cursor(&out);
	assert_true(frame_next(&in, FRAME_BYTES_MAX, &kind, &body));
	assert_true(kind == MESSAGE_END && !cursor_left(&body));
	/* The next one is too long for this reader. */
	assert_false(frame_next(&in, (uint32_t)text.size, &kind, &body));
	assert_true(in.bad);
	in.bad = false;
	assert_true(frame_next(&in, (uint32_t)text.size + 1, &kind, &body));
	assert_true(kind == MESSAGE_CALL && cursor_left(&body) == text.size);
	assert_memory_equal(body.at, text.bytes, text.size);
	assert_false(frame_next(&in, FRAME_BYTES_MAX, &kind, &body));
	assert_false(in.bad);
	/* One that is not whole stays. */
	for (size_t size = FRAME_HEADER_BYTES; size < out.size; size++) {
		in = (struct cursor){.at = out.bytes, .end = out.bytes + size};
		assert_true(frame_next(&in, FRAME_BYTES_MAX, &kind, &body));
		assert_false(frame_next(&in, FRAME_BYTES_MAX, &kind, &body));
		assert_true(!in.bad && cursor_left(&in) == size - FRAME_HEADER_BYTES);
	}
	memset(out.bytes, 0, FRAME_HEADER_BYTES);
	in = writer_cursor(&out);
	assert_false(frame_next(&in, FRAME_BYTES_MAX, &kind, &body));
	assert_true(in.bad);
	writer_release(&out);
	writer_release(&text);
}

/* A count is believed only as far as there are bytes: no memory is reserved for a mere claim. */
static void claims_are_not_believed(void **state)
{
	static const uint8_t many_parts[] = {3, 0, 0xff, 0xff, 0xff, 0x01, 1, 1};
	static const uint8_t zero_in_text[] = {3, 'a', 0, 'b'};
	struct cursor in = {.at = many_parts, .end = many_parts + sizeof many_parts};
	struct checked_type type;

	(void)state;
	assert_false(type_take(&in, &type));
	in = (struct cursor){.at = zero_in_text, .end = zero_in_text + sizeof zero_in_text};
	assert_null(take_text(&in));
	assert_true(in.bad);
}

static void addresses_are_parsed(void **state)
{
	static const char *const wrong[] = {"",
	                                    "tcp:",
	                                    "tcp:localhost:80",
	                                    "tcp:1.2.3.4",
	                                    "tcp:1.2.3.4:0",
	                                    "tcp:1.2.3.4:70000",
	                                    "tcp:1.2.3.4:5x",
	                                    "unix:",
	                                    "udp:1.2.3.4:5"};
	struct check_address address;

	(void)state;
	assert_true(address_parse("tcp:1.2.3.4:80", &address));
	assert_int_equal(address.socket.ss_family, AF_INET);
	assert_true(address_parse("tcp:fe80::1:80", &address));
	assert_int_equal(ntohs(((struct sockaddr_in6 *)&address.socket)->sin6_port), 80);
	assert_true(address_parse("unix:@tarry", &address));
	assert_true(address_parse("tcp:1.2.3.4:80,unix:@x", &address));
	assert_int_equal(address.socket.ss_family, AF_INET);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(address_parse(wrong[i], &address));
}

enum { SOMEBODY_ELSE = 65534, PATIENCE_MS = 2000 };

/* A process of this user listens at a name without a file, and says so. Does not return. */
static void listen_as(uid_t user, const char *name, int ready)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(local.sun_path, name, strlen(name));
	local.sun_path[0] = '\0';
	if (setuid(user) != 0 || bind(fd, (struct sockaddr *)&local, size) != 0 || listen(fd, 4) != 0 ||
	    write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* errno of a connection to a listener with this user id; 0: success. */
static int connect_to(uid_t user)
{
	char name[64], list[128], byte;
	int ready[2], fd, error;
	pid_t other;

	snprintf(name, sizeof name, "@tarry-test-%d-%u", (int)getpid(), (unsigned)user);
	/* If the second were tried, it would be refused for another reason. */
	snprintf(list, sizeof list, "unix:%s,tcp:127.0.0.1:1", name);
	assert_int_equal(pipe(ready), 0);
	other = fork();
	if (other == 0)
		listen_as(user, name, ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	fd = address_connect(list, PATIENCE_MS);
	error = fd < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	return error;
}

/* Another user who takes the name of an ended analyser would learn the key of the run. */
static void other_users_are_not_talked_to(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(connect_to(0), 0);
	assert_int_equal(connect_to(SOMEBODY_ELSE), EACCES);
}

static const uint8_t run_key[CHECK_KEY_BYTES] = {1, 2, 3}, other_key[CHECK_KEY_BYTES] = {1, 2, 4};

/* The body of the only frame that is there, which has to be of this kind. */
static struct cursor body_of(const struct message_writer *frame, enum message_kind kind)
{
	assert_true(frame->size > FRAME_HEADER_BYTES && frame->bytes[4] == kind);
	return (struct cursor){.at = frame->bytes + FRAME_HEADER_BYTES, .end = frame->bytes + frame->size};
}

/* One connection with its frames. */
struct test_link {
	struct handshake connecting, listening;
	struct message_writer challenge, response, proof;
};

static void release_link(struct test_link *link)
{
	writer_release(&link->challenge);
	writer_release(&link->response);
	writer_release(&link->proof);
}

static void begin_link(struct test_link *link, const uint8_t *listening_key)
{
	struct cursor in;

	*link = (struct test_link){0};
	assert_true(handshake_begin(&link->connecting, &link->challenge));
	in = body_of(&link->challenge, MESSAGE_CHALLENGE);
	assert_true(handshake_answer(&link->listening, listening_key, &in, &link->response));
	assert_int_equal(link->response.size, FRAME_HEADER_BYTES + RESPONSE_BYTES);
}

static bool prove(struct test_link *link, const uint8_t *key, const struct message_writer *response)
{
	struct cursor in = body_of(response, MESSAGE_RESPONSE);

	return handshake_prove(&link->connecting, key, &in, &link->proof);
}

static bool accept_proof(const struct test_link *link, const uint8_t *key, const struct message_writer *proof)
{
	struct cursor in = body_of(proof, MESSAGE_PROOF);

	return handshake_accept(&link->listening, key, &in);
}

static void both_sides_prove_that_they_know_the_key(void **state)
{
	struct test_link link;

	(void)state;
	begin_link(&link, run_key);
	assert_true(prove(&link, run_key, &link.response));
	assert_true(accept_proof(&link, run_key, &link.proof));
	assert_null(memmem(link.challenge.bytes, link.challenge.size, run_key, sizeof run_key));
	assert_null(memmem(link.response.bytes, link.response.size, run_key, sizeof run_key));
	assert_null(memmem(link.proof.bytes, link.proof.size, run_key, sizeof run_key));
	release_link(&link);
}

/* Without the key, a side gets no proof from the connecting side, and cannot make one itself. */
static void impostors_get_nothing(void **state)
{
	struct test_link link;
	struct cursor in;

	(void)state;
	begin_link(&link, other_key);
	assert_false(prove(&link, run_key, &link.response));
	assert_int_equal(link.proof.size, 0);
	release_link(&link);

	begin_link(&link, run_key);
	assert_false(prove(&link, other_key, &link.response));
	assert_int_equal(link.proof.size, 0);
	release_link(&link);
	/* It does not need to verify anything. */
	begin_link(&link, other_key);
	assert_true(prove(&link, other_key, &link.response));
	assert_false(accept_proof(&link, run_key, &link.proof));
	/* The proof of the listening side, sent back to it. */
	in = body_of(&link.response, MESSAGE_RESPONSE);
	take_bytes(&in, NONCE_BYTES);
	assert_false(handshake_accept(&link.listening, other_key, &in));
	release_link(&link);
}

static void replayed_proofs_are_refused(void **state)
{
	struct test_link seen, link;
	struct cursor again;

	(void)state;
	begin_link(&seen, run_key);
	assert_true(prove(&seen, run_key, &seen.response));
	begin_link(&link, run_key);
	assert_false(accept_proof(&link, run_key, &seen.proof));
	assert_false(prove(&link, run_key, &seen.response));
	assert_int_equal(link.proof.size, 0);
	/* Nor does a second challenge get an answer on the same connection. */
	again = body_of(&link.challenge, MESSAGE_CHALLENGE);
	assert_false(handshake_answer(&link.listening, run_key, &again, &link.proof));
	release_link(&seen);
	release_link(&link);
}

static void handshakes_that_break_off_are_refused(void **state)
{
	struct test_link link;
	struct handshake fresh = {0};
	struct message_writer out = {0};
	struct cursor in;

	(void)state;
	begin_link(&link, run_key);
	in = body_of(&link.challenge, MESSAGE_CHALLENGE);
	in.end--;
	assert_false(handshake_answer(&fresh, run_key, &in, &out));
	in = body_of(&link.response, MESSAGE_RESPONSE);
	in.end--;
	assert_false(handshake_prove(&link.connecting, run_key, &in, &out));
	assert_true(prove(&link, run_key, &link.response));
	in = body_of(&link.proof, MESSAGE_PROOF);
	in.end--;
	assert_false(handshake_accept(&link.listening, run_key, &in));
	/* It was not requested. */
	in = body_of(&link.proof, MESSAGE_PROOF);
	assert_false(handshake_accept(&fresh, run_key, &in));
	/* Another version. */
	link.challenge.bytes[FRAME_HEADER_BYTES]++;
	in = body_of(&link.challenge, MESSAGE_CHALLENGE);
	assert_false(handshake_answer(&fresh, run_key, &in, &out));
	assert_int_equal(out.size, 0);
	release_link(&link);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_come_back),
		cmocka_unit_test(waits_for_calls_that_were_cut_are_cut),
		cmocka_unit_test(only_ranks_worlds_times_and_values_do_not_matter),
		cmocka_unit_test(messages_come_back),
		cmocka_unit_test(distinct_calls_come_back),
		cmocka_unit_test(frames_are_taken_one_after_the_other),
		cmocka_unit_test(claims_are_not_believed),
		cmocka_unit_test(addresses_are_parsed),
		cmocka_unit_test(other_users_are_not_talked_to),
		cmocka_unit_test(both_sides_prove_that_they_know_the_key),
		cmocka_unit_test(impostors_get_nothing),
		cmocka_unit_test(replayed_proofs_are_refused),
		cmocka_unit_test(handshakes_that_break_off_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
