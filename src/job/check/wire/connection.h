/* A connection to an analyser. Output is buffered and sent in large pieces. The caller holds the lock of service.c. */
#ifndef TARRY_JOB_CHECK_WIRE_CONNECTION_H
#define TARRY_JOB_CHECK_WIRE_CONNECTION_H

#include "check/protocol/messages.h"
#include "job/mpi/held_file.h"

enum { CONNECTION_BATCH = 64 << 10 };

struct analyser_connection {
	struct held_file socket;       /* fd -1: not connected */
	bool is_proven;                /* it knows the key */
	bool gets_file;                /* that of this node: it keeps what was not sent */
	bool is_late;                  /* the process has sent BYE before: it has no rank now */
	struct message_writer out, in; /* what came is gathered until frames are whole */
	size_t events_at;              /* where the frame of events begins that is being written … */
	bool has_events;               /* … if there is one */
	uint64_t position;             /* in the ring, after the last of them */
	/* Numbers of calls and types that were announced to it since the last FORGET: bits. */
	uint64_t *announced_calls, *announced_types;
};

bool connection_init(struct analyser_connection *c, uint32_t calls, uint32_t types);
void connection_release(struct analyser_connection *c);

/* Over a socket that is connected: both sides prove that they know the key, then this one says HELLO. False: it is a stranger, or gone. */
bool connection_begin(struct analyser_connection *c, int fd);
/* Says HELLO once more: the rank is known now. */
void connection_tell_rank(struct analyser_connection *c);

/* A frame, after the previous events. */
void connection_frame(struct analyser_connection *c, enum message_kind kind,
                      const struct message_writer *body);
/* The same, as it is. */
void connection_copy(struct analyser_connection *c, const uint8_t *frame, size_t size);
void connection_open_events(struct analyser_connection *c);

/* An event's numbers. */
static inline void connection_number(struct analyser_connection *c, uint64_t value)
{
	if (__builtin_expect(!c->has_events, 0))
		connection_open_events(c);
	if (__builtin_expect(c->out.room - c->out.size >= VARINT_MAX, 1))
		c->out.size = (size_t)(put_varint(c->out.bytes + c->out.size, value) - c->out.bytes);
	else
		put_number(&c->out, value);
}

/* Sends all that is there; waits until the socket takes it. False: the analyser is gone. */
bool connection_send(struct analyser_connection *c);

/* What came, without waiting: each whole frame is given to `take`, in order. False: the connection is closed, or `take` refused a frame. */
typedef bool frame_take(struct analyser_connection *c, enum message_kind kind, struct cursor *body);
bool connection_receive(struct analyser_connection *c, frame_take *take);

#endif
