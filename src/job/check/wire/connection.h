/* A connection to an analyser. Output is buffered and sent in large pieces. The caller holds the lock of service.c. */
#ifndef TARRY_JOB_CHECK_WIRE_CONNECTION_H
#define TARRY_JOB_CHECK_WIRE_CONNECTION_H

#include "check/protocol/messages.h"
#include "job/mpi/held_file.h"

enum { CONNECTION_BATCH = 64 << 10 };

struct analyser_connection {
	struct held_file socket;       /* fd -1: not connected */
	bool is_proven;                /* the analyser has proven that it knows the key */
	bool gets_file;                /* it is the analyser of this node, which keeps unsent events */
	bool is_late;                  /* the process has already sent BYE, and has no rank now */
	struct message_writer out, in; /* input is collected until frames are whole */
	size_t events_at;              /* start of the frame of events being written … */
	bool has_events;               /* … if there is one */
	uint64_t position;             /* in the ring, after the last of these events */
	/* Bits: numbers of calls and types that the analyser has received since the last FORGET. */
	uint64_t *announced_calls, *announced_types;
};

bool connection_init(struct analyser_connection *c, uint32_t calls, uint32_t types);
void connection_release(struct analyser_connection *c);

/* Uses a connected socket: both sides prove that they know the key, then this side sends HELLO. False: the
 * other side is unknown, or gone. */
bool connection_begin(struct analyser_connection *c, int fd);
/* Sends HELLO again, because the rank is known now. */
void connection_tell_rank(struct analyser_connection *c);

/* Adds a frame after the previous events. */
void connection_frame(struct analyser_connection *c, enum message_kind kind,
                      const struct message_writer *body);
/* Adds a complete frame. */
void connection_copy(struct analyser_connection *c, const uint8_t *frame, size_t size);
void connection_open_events(struct analyser_connection *c);

/* Adds a number of an event. */
static inline void connection_number(struct analyser_connection *c, uint64_t value)
{
	if (__builtin_expect(!c->has_events, 0))
		connection_open_events(c);
	if (__builtin_expect(c->out.room - c->out.size >= VARINT_MAX, 1))
		c->out.size = (size_t)(put_varint(c->out.bytes + c->out.size, value) - c->out.bytes);
	else
		put_number(&c->out, value);
}

/* Sends everything; waits until the socket accepts it. False: the analyser is gone. */
bool connection_send(struct analyser_connection *c);

/* Reads the available input without waiting; passes each whole frame to `take`, in order. False: the
 * connection is closed, or `take` refused a frame. */
typedef bool frame_take(struct analyser_connection *c, enum message_kind kind, struct cursor *body);
bool connection_receive(struct analyser_connection *c, frame_take *take);

#endif
