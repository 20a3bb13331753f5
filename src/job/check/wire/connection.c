#include "job/check/wire/connection.h"

#include "base/clock.h"
#include "check/protocol/handshake.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* If an analyser accepts nothing for this long, it is not running, and the program must not wait any longer. */
enum { HANDSHAKE_MS = 5000, SEND_SECONDS = 60, RECEIVE_BYTES = 4096 };

bool connection_init(struct analyser_connection *c, uint32_t calls, uint32_t types)
{
	*c = (struct analyser_connection){.socket = {.fd = -1}};
	c->announced_calls = host_table(calls / 64 + 1, sizeof *c->announced_calls);
	c->announced_types = host_table(types / 64 + 1, sizeof *c->announced_types);
	return c->announced_calls && c->announced_types;
}

void connection_release(struct analyser_connection *c)
{
	held_file_close(&c->socket);
	writer_release(&c->out);
	writer_release(&c->in);
	free(c->announced_calls);
	free(c->announced_types);
	*c = (struct analyser_connection){.socket = {.fd = -1}};
}

void connection_tell_rank(struct analyser_connection *c)
{
	struct check_hello hello = {
		.role = HELLO_AGENT,
		.world = checked.world,
		.rank = c->is_late ? UINT32_MAX : checked.rank,
		.size = c->is_late ? 0 : checked.size,
		.pid = (uint32_t)getpid(),
		.host = checked.host,
		.address = "",
	};
	struct message_writer body = {0};

	hello_put(&body, &hello);
	connection_frame(c, MESSAGE_HELLO, &body);
	writer_release(&body);
}

static int64_t now_ms(void)
{
	return (int64_t)(clock_system_ns(CLOCK_MONOTONIC) / 1000000);
}

/* Reads exactly this number of bytes, before this time. */
static bool read_bytes(int fd, uint8_t *bytes, size_t size, int64_t until_ms)
{
	while (size) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int64_t left_ms = until_ms - now_ms();
		int count = left_ms > 0 ? poll(&ready, 1, (int)left_ms) : 0;
		ssize_t got = count > 0 ? recv(fd, bytes, size, 0) : -1;

		if (count < 0 && errno == EINTR)
			continue;
		if (got <= 0 && !(got < 0 && count > 0 && errno == EINTR))
			return false;
		bytes += got > 0 ? got : 0;
		size -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Checks the proof of the other side, then sends the one of this side. */
static bool take_response(struct analyser_connection *c, struct handshake *handshake)
{
	uint8_t frame[FRAME_HEADER_BYTES + RESPONSE_BYTES];
	struct cursor in = {.at = frame + FRAME_HEADER_BYTES, .end = frame + sizeof frame};
	uint32_t length;

	if (!read_bytes(c->socket.fd, frame, sizeof frame, now_ms() + HANDSHAKE_MS))
		return false;
	memcpy(&length, frame, sizeof length);
	return length == sizeof frame - sizeof length && frame[4] == MESSAGE_RESPONSE &&
	       handshake_prove(handshake, checked.key, &in, &c->out);
}

bool connection_begin(struct analyser_connection *c, int fd)
{
	const struct timeval patience = {.tv_sec = SEND_SECONDS};
	struct handshake handshake;

	if (!held_file_take(&c->socket, fd))
		return false;
	setsockopt(c->socket.fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	c->is_proven = false;
	if (handshake_begin(&handshake, &c->out) && connection_send(c) && take_response(c, &handshake)) {
		c->is_proven = true;
		connection_tell_rank(c);
		if (connection_send(c))
			return true;
	}
	held_file_close(&c->socket);
	return false;
}

static void close_events(struct analyser_connection *c)
{
	uint32_t length;

	if (!c->has_events)
		return;
	/* The position tells the analyser which events it need not read from the ring if the process vanishes. */
	put_number(&c->out, 0);
	put_number(&c->out, CHANGE_POSITION);
	put_number(&c->out, c->position);
	length = (uint32_t)(c->out.size - c->events_at - sizeof length);
	if (!c->out.failed)
		memcpy(c->out.bytes + c->events_at, &length, sizeof length);
	c->has_events = false;
}

void connection_open_events(struct analyser_connection *c)
{
	static const uint8_t header[FRAME_HEADER_BYTES] = {[4] = MESSAGE_EVENTS};

	c->events_at = c->out.size;
	c->has_events = true;
	put_raw(&c->out, header, sizeof header);
}

void connection_frame(struct analyser_connection *c, enum message_kind kind,
                      const struct message_writer *body)
{
	close_events(c);
	frame_put(&c->out, kind, body);
}

void connection_copy(struct analyser_connection *c, const uint8_t *frame, size_t size)
{
	close_events(c);
	put_raw(&c->out, frame, size);
}

/* Also passes the file of events, once. This is not possible between machines. */
static ssize_t send_with_file(int fd, const uint8_t *bytes, size_t size)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec data = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
	struct msghdr message = {.msg_iov = &data,
	                         .msg_iovlen = 1,
	                         .msg_control = control.room,
	                         .msg_controllen = sizeof control.room};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	ssize_t sent;

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &unsent_events_fd, sizeof unsent_events_fd);
	sent = sendmsg(fd, &message, MSG_NOSIGNAL);
	if (sent > 0) {
		close(unsent_events_fd);
		unsent_events_fd = -1;
	}
	return sent;
}

static bool is_local(int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof address;

	return getsockname(fd, (struct sockaddr *)&address, &size) == 0 && address.ss_family == AF_UNIX;
}

bool connection_send(struct analyser_connection *c)
{
	const int fd = c->socket.fd;
	size_t sent = 0;

	close_events(c);
	if (c->out.failed) {
		agent_step_aside("out of memory");
		c->out.failed = false;
		c->out.size = 0; /* so that BYE may still follow, after whole frames */
		return false;
	}
	if (!held_file_is_ours(&c->socket))
		return false;
	while (sent < c->out.size) {
		const bool with_file = c->is_proven && c->gets_file && unsent_events_fd >= 0 && is_local(fd);
		ssize_t size = with_file ? send_with_file(fd, c->out.bytes + sent, c->out.size - sent)
		                         : send(fd, c->out.bytes + sent, c->out.size - sent, MSG_NOSIGNAL);

		/* Closed, because nothing may follow a partial frame. */
		if (size < 0 && errno != EINTR) {
			held_file_close(&c->socket);
			return false;
		}
		sent += size > 0 ? (size_t)size : 0;
	}
	c->out.size = 0;
	return true;
}

/* Passes on whole frames, and keeps the rest. */
static bool take_frames(struct analyser_connection *c, frame_take *take)
{
	struct cursor in = writer_cursor(&c->in), body;
	enum message_kind kind;

	while (frame_next(&in, FRAME_BYTES_MAX, &kind, &body))
		if (!take(c, kind, &body))
			return false;
	if (in.bad)
		return false;
	c->in.size = cursor_left(&in);
	memmove(c->in.bytes, in.at, c->in.size);
	return true;
}

bool connection_receive(struct analyser_connection *c, frame_take *take)
{
	uint8_t bytes[RECEIVE_BYTES];
	ssize_t size;

	if (!held_file_is_ours(&c->socket))
		return false;
	for (;;) {
		size = recv(c->socket.fd, bytes, sizeof bytes, MSG_DONTWAIT);
		if (size <= 0)
			break;
		put_raw(&c->in, bytes, (size_t)size);
	}
	if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) || c->in.failed)
		return false;
	return take_frames(c, take);
}
