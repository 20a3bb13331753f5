#include "job/check/connection.h"

#include "job/check/kept.h"
#include "job/check/process_state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* An analyser that takes nothing for so long does not run: the program has waited long enough for it. */
enum { HELLO_MS = 5000, SEND_SECONDS = 60, RECEIVE_BYTES = 4096 };

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
		.version = CHECK_PROTOCOL_VERSION,
		.role = HELLO_AGENT,
		.world = checked.world,
		.rank = c->is_late ? UINT32_MAX : checked.rank,
		.size = c->is_late ? 0 : checked.size,
		.pid = (uint32_t)getpid(),
		.host = checked.host,
		.address = "",
	};
	struct message_writer body = {0};

	memcpy(hello.key, checked.key, sizeof hello.key);
	hello_put(&body, &hello);
	connection_frame(c, MESSAGE_HELLO, &body);
	writer_release(&body);
}

/* Exactly so many bytes, within the time that a HELLO may take. */
static bool read_bytes(int fd, uint8_t *bytes, size_t size)
{
	while (size) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int count = poll(&ready, 1, HELLO_MS);
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

static bool is_same_key(const uint8_t *other)
{
	uint8_t differs = 0;

	for (size_t i = 0; i < sizeof checked.key; i++)
		differs |= other[i] ^ checked.key[i];
	return !differs;
}

static bool read_hello(int fd)
{
	uint8_t header[FRAME_HEADER_BYTES], body[HELLO_BYTES_MAX];
	struct check_hello hello;
	struct cursor in;
	uint32_t length;
	bool good;

	if (!read_bytes(fd, header, sizeof header))
		return false;
	memcpy(&length, header, sizeof length);
	if (header[4] != MESSAGE_HELLO || length < 1 || length > sizeof body ||
	    !read_bytes(fd, body, length - 1))
		return false;
	in = (struct cursor){.at = body, .end = body + length - 1};
	if (!hello_take(&in, &hello))
		return false;
	good = hello.version == CHECK_PROTOCOL_VERSION && hello.role == HELLO_ANALYSER &&
	       is_same_key(hello.key);
	hello_release(&hello);
	return good;
}

bool connection_begin(struct analyser_connection *c, int fd)
{
	const struct timeval patience = {.tv_sec = SEND_SECONDS};

	if (!held_file_take(&c->socket, fd))
		return false;
	setsockopt(c->socket.fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	connection_tell_rank(c);
	if (connection_send(c) && read_hello(c->socket.fd))
		return true;
	held_file_close(&c->socket);
	return false;
}

static void close_events(struct analyser_connection *c)
{
	uint32_t length;

	if (!c->has_events)
		return;
	/* If the process vanishes now, nobody tells them once more. */
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

/* With the file of events that it keeps, once, if that is possible: between machines it is not. */
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
	memcpy(CMSG_DATA(header), &kept_fd, sizeof kept_fd);
	sent = sendmsg(fd, &message, MSG_NOSIGNAL);
	if (sent > 0) {
		close(kept_fd);
		kept_fd = -1;
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
		agent_step_aside("there is no memory left");
		c->out.failed = false;
		c->out.size = 0; /* whole frames: BYE may still follow */
		return false;
	}
	if (!held_file_is_ours(&c->socket))
		return false;
	while (sent < c->out.size) {
		const bool with_file = c->gets_file && kept_fd >= 0 && is_local(fd);
		ssize_t size = with_file ? send_with_file(fd, c->out.bytes + sent, c->out.size - sent)
		                         : send(fd, c->out.bytes + sent, c->out.size - sent, MSG_NOSIGNAL);

		/* Nothing may follow a piece of a frame. */
		if (size < 0 && errno != EINTR) {
			held_file_close(&c->socket);
			return false;
		}
		sent += size > 0 ? (size_t)size : 0;
	}
	c->out.size = 0;
	return true;
}

/* Gives whole frames away, and keeps the rest. */
static bool take_frames(struct analyser_connection *c, frame_take *take)
{
	struct message_writer *in = &c->in;
	size_t at = 0;

	while (in->size - at >= FRAME_HEADER_BYTES) {
		uint32_t length;
		struct cursor body;

		memcpy(&length, in->bytes + at, sizeof length);
		if (length < 1 || length > FRAME_BYTES_MAX)
			return false;
		if (in->size - at < sizeof length + length)
			break;
		body = (struct cursor){.at = in->bytes + at + FRAME_HEADER_BYTES,
		                       .end = in->bytes + at + sizeof length + length};
		if (!take(c, in->bytes[at + 4], &body))
			return false;
		at += sizeof length + length;
	}
	memmove(in->bytes, in->bytes + at, in->size - at);
	in->size -= at;
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
