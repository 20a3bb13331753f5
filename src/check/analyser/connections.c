#include "check/analyser/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	READ_BYTES = 256 << 10,
	READ_BYTES_MIN = 4 << 10,
	READ_BYTES_OF_ALL = 16 << 20, /* in one turn of all connections */
	OUT_MAX = 64 << 20,           /* of a peer that does not read */
};

struct peer *peer_new(int fd, enum peer_kind kind)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct peer *peer = memory_new(1, sizeof *peer);

	*peer = (struct peer){.fd = fd,
	                      .unsent = -1,
	                      .kind = kind,
	                      .since_ms = now_ms(),
	                      .number = (uint32_t)server.peers.count};
	event.data.ptr = peer;
	if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
		close(fd);
		free(peer);
		return NULL;
	}
	array_add(&server.peers, peer);
	server.strangers += kind == PEER_STRANGER;
	return peer;
}

void peer_close(struct peer *peer)
{
	struct peer *last = server.peers.items[--server.peers.count];

	server.strangers -= peer->kind == PEER_STRANGER;
	server.peers.items[peer->number] = last;
	last->number = peer->number;
	close(peer->fd);
	server_peer_gone(peer);
	writer_release(&peer->out);
	writer_release(&peer->held);
	if (peer->unsent >= 0)
		close(peer->unsent);
	free(peer->partial);
	free(peer);
}

/* Writing */

static void watch_writing(struct peer *peer, bool waits)
{
	struct epoll_event event = {.events = waits ? EPOLLIN | EPOLLOUT : EPOLLIN};

	event.data.ptr = peer;
	if (peer->waits_to_write == waits)
		return;
	peer->waits_to_write = waits;
	if (epoll_ctl(server.epoll, EPOLL_CTL_MOD, peer->fd, &event) != 0)
		peer->is_closing = true;
}

void peer_writable(struct peer *peer)
{
	while (peer->out_done < peer->out.size) {
		ssize_t sent = send(peer->fd, peer->out.bytes + peer->out_done,
		                    peer->out.size - peer->out_done, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 && errno == EAGAIN) {
			/* Keeps the buffer small if the peer never reads all of it. */
			if (peer->out_done > peer->out.size / 2) {
				peer->out.size -= peer->out_done;
				memmove(peer->out.bytes, peer->out.bytes + peer->out_done, peer->out.size);
				peer->out_done = 0;
			}
			watch_writing(peer, true);
			return;
		}
		/* It no longer listens, but its earlier messages must still be read. */
		peer->is_deaf |= sent < 0;
		if (sent < 0)
			break;
		peer->out_done += (size_t)sent;
	}
	peer->out.size = peer->out_done = 0;
	watch_writing(peer, false);
}

static void put_frames(struct peer *peer, struct message_writer *out, const struct message_writer *frames)
{
	put_raw(out, frames->bytes, frames->size);
	peer->is_closing |= frames->failed || out->failed || out->size > OUT_MAX + peer->out_done;
}

static void send_now(struct peer *peer, const struct message_writer *frames)
{
	if (peer->is_deaf)
		return;
	put_frames(peer, &peer->out, frames);
	if (!peer->is_closing)
		peer_writable(peer);
}

void peer_send_frame(struct peer *peer, const struct message_writer *frame)
{
	if (peer->is_proven && !peer->is_joining)
		send_now(peer, frame);
	else
		put_frames(peer, &peer->held, frame);
}

void peer_send(struct peer *peer, enum message_kind kind, const struct message_writer *body)
{
	struct message_writer frame = {0};

	if (peer->via) {
		envelope_put(&frame, peer->place, kind, body);
		peer_send(peer->via, MESSAGE_VIA, &frame);
	} else {
		frame_put(&frame, kind, body);
		peer_send_frame(peer, &frame);
	}
	writer_release(&frame);
}

void envelope_put(struct message_writer *out, uint32_t number, enum message_kind kind,
                  const struct message_writer *body)
{
	put_number(out, number);
	put_number(out, kind);
	if (body)
		put_raw(out, body->bytes, body->size);
}

void peer_becomes(struct peer *peer, enum peer_kind kind)
{
	server.strangers--;
	peer->kind = kind;
	if (server.is_stopping)
		peer_send(peer, MESSAGE_STOP, NULL);
}

static void put_hello(struct message_writer *out)
{
	const struct check_hello hello = {.role = HELLO_ANALYSER,
	                                  .size = server.insists,
	                                  .pid = (uint32_t)getpid(),
	                                  .host = server.host,
	                                  .address = server.addresses};
	struct message_writer body = {0};

	hello_put(&body, &hello);
	frame_put(out, MESSAGE_HELLO, &body);
	writer_release(&body);
}

/* The handshake */

struct peer *peer_greet(int fd, enum peer_kind kind)
{
	struct message_writer challenge = {0};
	struct peer *peer;

	if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
		close(fd);
		return NULL;
	}
	peer = peer_new(fd, kind);
	if (!peer)
		return NULL;
	peer->is_closing = !handshake_begin(&peer->handshake, &challenge);
	send_now(peer, &challenge);
	writer_release(&challenge);
	return peer;
}

/* This side has connected. Other frames are held until it knows that the other side is its parent. */
static bool take_response(struct peer *peer, struct cursor *in)
{
	struct message_writer frames = {0};

	peer->is_proven = handshake_prove(&peer->handshake, server.key, in, &frames);
	if (peer->is_proven) {
		put_hello(&frames);
		send_now(peer, &frames);
	}
	writer_release(&frames);
	return peer->is_proven;
}

void peer_joined(struct peer *parent)
{
	parent->is_joining = false;
	send_now(parent, &parent->held);
	writer_release(&parent->held);
}

static bool take_challenge(struct peer *peer, struct cursor *in)
{
	struct message_writer response = {0};
	bool right = handshake_answer(&peer->handshake, server.key, in, &response);

	if (right)
		send_now(peer, &response);
	peer->since_ms = now_ms();
	writer_release(&response);
	return right;
}

bool peer_handshake(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	if (peer->kind != PEER_STRANGER)
		return kind == MESSAGE_RESPONSE && take_response(peer, in);
	if (kind == MESSAGE_CHALLENGE)
		return take_challenge(peer, in);
	peer->is_proven = kind == MESSAGE_PROOF && handshake_accept(&peer->handshake, server.key, in);
	return peer->is_proven;
}

/* Reading */

/* The peer violated the protocol. Later calls of its process are not checked, which the user must know. */
static void refuse(struct peer *peer)
{
	peer->is_closing = true;
	if (peer->kind == PEER_AGENT)
		note_refused(peer->process);
}

static uint32_t frame_limit(const struct peer *peer)
{
	return peer->kind == PEER_STRANGER || !peer->is_proven ? HELLO_BYTES_MAX
	       : peer->kind == PEER_AGENT                      ? FRAME_BYTES_MAX
	                                                       : VIA_BYTES_MAX;
}

/* Handles the complete frames. Returns their number of bytes; the rest is the beginning of a frame. */
static size_t take_frames(struct peer *peer, const uint8_t *bytes, size_t size)
{
	struct cursor in = {.at = bytes, .end = bytes + size}, body;
	enum message_kind kind;

	while (!peer->is_closing && frame_next(&in, frame_limit(peer), &kind, &body))
		if (!server_frame(peer, kind, &body))
			refuse(peer);
	if (in.bad)
		refuse(peer);
	return size - cursor_left(&in);
}

static void keep_partial(struct peer *peer, const uint8_t *bytes, size_t size)
{
	free(peer->partial);
	peer->partial = NULL;
	peer->partial_size = size;
	if (!size)
		return;
	peer->partial = memory_new(1, size);
	memcpy(peer->partial, bytes, size);
}

/* A file that came with the bytes; of several, the first. */
static void keep_files(struct peer *peer, struct msghdr *message)
{
	for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at; at = CMSG_NXTHDR(message, at)) {
		size_t count = at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS
		                       ? (at->cmsg_len - CMSG_LEN(0)) / sizeof(int)
		                       : 0;
		for (size_t i = 0; i < count; i++) {
			int file;
			memcpy(&file, CMSG_DATA(at) + i * sizeof file, sizeof file);
			if (peer->unsent < 0)
				peer->unsent = file;
			else
				close(file);
		}
	}
}

static ssize_t receive(struct peer *peer, uint8_t *bytes, size_t size)
{
	char control[CMSG_SPACE(4 * sizeof(int))];
	struct iovec place = {.iov_base = bytes, .iov_len = size};
	struct msghdr message = {
		.msg_iov = &place, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	ssize_t got;

	/* A known process sends no further files. */
	if (peer->process)
		return recv(peer->fd, bytes, size, MSG_DONTWAIT);
	got = recvmsg(peer->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (got >= 0)
		keep_files(peer, &message);
	return got;
}

/* Reads once. Returns the number of bytes; 0: nothing at present, or the end. */
static size_t read_frames(struct peer *peer, size_t most)
{
	size_t size = peer->partial_size, done;
	ssize_t got;

	if (size)
		memcpy(server.buffer, peer->partial, size);
	do
		got = receive(peer, server.buffer + size, most);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got <= 0) {
		peer->is_closing = true;
		return 0;
	}
	size += (size_t)got;
	done = take_frames(peer, server.buffer, size);
	keep_partial(peer, server.buffer + done, peer->is_closing ? 0 : size - done);
	return (size_t)got;
}

void peer_readable(struct peer *peer)
{
	/* Reads at most this many bytes of each process, so that no process gets far ahead of its partners:
	 * its calls are kept until the partners make theirs. */
	size_t left = READ_BYTES_OF_ALL / (server.peers.count + server.relayed_count + 1), most, got;

	left = left < READ_BYTES_MIN ? READ_BYTES_MIN : left > READ_BYTES ? READ_BYTES : left;
	left *= peer->relayed_count ? peer->relayed_count : 1;
	if (!server.buffer)
		server.buffer = memory_new(1, VIA_BYTES_MAX + FRAME_HEADER_BYTES + READ_BYTES);
	do {
		most = left < READ_BYTES ? left : READ_BYTES;
		got = read_frames(peer, most);
		left -= got;
	} while (left && got == most && !peer->is_closing);
}
