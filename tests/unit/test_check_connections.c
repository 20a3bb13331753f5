/* How much the leader reads of each connection in its turn. The test takes the frames, and keeps the sockets full. */
#include "check/analyser/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* There are so many processes that each gets the smallest turn: sockets hold several of them. */
enum { OTHERS = 1 << 20, FRAMES_OF_A_TURN = 4, FRAME_BYTES = 1024 };

struct server server;
static int other_end; /* of the connection that is read */
static struct message_writer filling;
static uint32_t taken;

uint64_t now_ms(void)
{
	return 0;
}

void note_refused(const struct analysed_process *process)
{
	(void)process;
	fail();
}

void server_peer_gone(struct peer *peer)
{
	relay_analyser_gone(peer);
}

void leader_process_gone(struct analysed_process *process, enum process_end end)
{
	(void)process;
	(void)end;
}

/* Whole frames, as many as fit. */
static void fill(void)
{
	while (send(other_end, filling.bytes, filling.size, MSG_DONTWAIT) == (ssize_t)filling.size)
		;
}

bool server_process_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in)
{
	(void)process;
	(void)kind;
	(void)in;
	taken++;
	fill();
	return true;
}

bool server_frame(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	return kind == MESSAGE_RELAY ? relay_from_analyser(peer, in) : server_process_frame(NULL, kind, in);
}

static struct peer *connect_peer(enum peer_kind kind)
{
	int ends[2];
	struct peer *peer;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	other_end = ends[1];
	peer = peer_new(ends[0], kind);
	peer->is_proven = true;
	return peer;
}

static void close_peer(struct peer *peer)
{
	peer_close(peer);
	close(other_end);
	writer_release(&filling);
}

static void relay(uint32_t number, enum message_kind kind, const struct message_writer *body)
{
	struct message_writer relayed = {0}, frame = {0};

	put_number(&relayed, number);
	put_number(&relayed, kind);
	put_raw(&relayed, body->bytes, body->size);
	frame_put(&frame, MESSAGE_RELAY, &relayed);
	assert_int_equal(send(other_end, frame.bytes, frame.size, 0), frame.size);
	writer_release(&relayed);
	writer_release(&frame);
}

static void relay_hello(uint32_t rank, uint32_t size)
{
	const struct check_hello hello = {.rank = rank, .size = size, .host = "", .address = ""};
	struct message_writer body = {0};

	hello_put(&body, &hello);
	relay(rank + 1, MESSAGE_HELLO, &body);
	writer_release(&body);
}

static void relay_bye(uint32_t number)
{
	struct message_writer body = {0};

	put_number(&body, END_FINALIZED);
	relay(number, MESSAGE_BYE, &body);
	writer_release(&body);
}

static uint32_t frames_of_a_turn(struct peer *peer)
{
	taken = 0;
	fill();
	peer_readable(peer);
	return taken;
}

/* Frames of this kind fill the socket from now on. */
static void fill_with(enum message_kind kind)
{
	static const uint8_t numbers[FRAME_BYTES - FRAME_HEADER_BYTES] = {1, MESSAGE_EVENTS};
	struct message_writer body = {0};

	put_raw(&body, numbers, sizeof numbers);
	frame_put(&filling, kind, &body);
	writer_release(&body);
}

static void agent_has_one_turn(void **state)
{
	struct peer *peer = connect_peer(PEER_AGENT);

	(void)state;
	fill_with(MESSAGE_EVENTS);
	assert_int_equal(frames_of_a_turn(peer), FRAMES_OF_A_TURN);
	close_peer(peer);
}

static void analyser_has_a_turn_for_each_living_process(void **state)
{
	struct peer *peer = connect_peer(PEER_ANALYSER);

	(void)state;
	for (uint32_t rank = 0; rank < 3; rank++)
		relay_hello(rank, 3);
	peer_readable(peer);
	fill_with(MESSAGE_RELAY);
	assert_int_equal(frames_of_a_turn(peer), 3 * FRAMES_OF_A_TURN);
	close_peer(peer);
	assert_int_equal(server.relayed_count, OTHERS);
}

static void ended_processes_have_no_turn(void **state)
{
	struct peer *peer = connect_peer(PEER_ANALYSER);

	(void)state;
	for (uint32_t rank = 0; rank < 3; rank++)
		relay_hello(rank, 3);
	relay_bye(3);
	peer_readable(peer);
	fill_with(MESSAGE_RELAY);
	assert_int_equal(frames_of_a_turn(peer), 2 * FRAMES_OF_A_TURN);
	close_peer(peer);
}

static int set_up(void **state)
{
	(void)state;
	server.epoll = epoll_create1(EPOLL_CLOEXEC);
	server.analysis = analysis_new(NULL);
	server.relayed_count = OTHERS;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	analysis_free(server.analysis);
	array_release(&server.peers);
	free(server.buffer);
	close(server.epoll);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agent_has_one_turn),
		cmocka_unit_test(analyser_has_a_turn_for_each_living_process),
		cmocka_unit_test(ended_processes_have_no_turn),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
