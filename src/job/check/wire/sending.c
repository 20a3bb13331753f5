#include "job/check/wire/sending.h"

#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

#include <string.h>

enum { STEP_WORDS = UNSENT_WORDS / 8 };

static bool was_announced(uint64_t *bits, uint32_t number)
{
	const uint64_t bit = (uint64_t)1 << number % 64;
	const bool before = bits[number / 64] & bit;

	bits[number / 64] |= bit;
	return before;
}

static void copy_frame(const struct unsent_frame *frame, struct analyser_connection *c)
{
	connection_copy(c, unsent_events->frames + frame->at, frame->size);
}

/* Parts come before what consists of them. */
static void send_type(const struct announced_type *type,
                      struct analyser_connection *c) /* NOLINT(misc-no-recursion) */
{
	if (!type || !type->number || was_announced(c->announced_types, type->number))
		return;
	for (uint32_t i = 0; i < type->part_count; i++)
		send_type(type->parts[i].type, c);
	copy_frame(&type->frame, c);
}

static void send_comm(struct announced_comm *comm, struct analyser_connection *c)
{
	/* One that is pushed was sent from the ring, before the call. */
	if (!comm || comm->is_pushed || comm->is_sent)
		return;
	comm->is_sent = true;
	copy_frame(&comm->frame, c);
}

static void send_call(struct announced_call *call, struct analyser_connection *c)
{
	send_comm(call->comm, c);
	send_type(call->send.type, c);
	send_type(call->receive.type, c);
	for (uint32_t i = 0; i < call->call.send_list_count; i++)
		send_type(call->send_list[i].type, c);
	for (uint32_t i = 0; i < call->call.receive_list_count; i++)
		send_type(call->receive_list[i].type, c);
	copy_frame(&call->frame, c);
}

/* The analyser knows the call then. */
static void announce(uint64_t number, struct analyser_connection *c)
{
	if (UNLIKELY(!was_announced(c->announced_calls, (uint32_t)number)))
		send_call(numbered_call(number), c);
}

static void put_change(struct analyser_connection *c, enum event_change change, uint64_t number)
{
	connection_number(c, 0);
	connection_number(c, change);
	connection_number(c, number);
}

static uint64_t word_at(uint64_t at)
{
	return unsent_events->words[at % UNSENT_WORDS];
}

static void put_distances(struct analyser_connection *c, uint64_t at, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		connection_number(c, (uint32_t)(word_at(at + i / 2) >> 32 * (i % 2)));
}

static void send_definition(uint64_t at, struct analyser_connection *c)
{
	struct unsent_frame frame = {.at = (uint32_t)at};
	uint32_t length;

	memcpy(&length, unsent_events->frames + frame.at, sizeof length);
	frame.size = (uint32_t)sizeof length + length;
	copy_frame(&frame, c);
}

/* The word before `at`, of a call. Gives the position after all that belongs to it. */
static uint64_t send_call_word(enum unsent_kind kind, uint64_t number, uint64_t at,
                               struct analyser_connection *c)
{
	announce(number, c);
	switch (kind) {
	case UNSENT_EVENT_WITH:
		connection_number(c, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_RECEIVES:
		put_change(c, CHANGE_RECEIVES, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_REJECTED:
		put_change(c, CHANGE_REJECTED, number);
		return at;
	case UNSENT_WAITS:
		put_change(c, CHANGE_WAITS, number);
		connection_number(c, word_at(at));
		put_distances(c, at + 1, word_at(at));
		return at + 1 + (word_at(at) + 1) / 2;
	case UNSENT_WINDOW:
		put_change(c, CHANGE_WINDOW, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_CONTENT:
		put_change(c, CHANGE_CONTENT, number);
		for (int i = 0; i < 3; i++)
			connection_number(c, word_at(at + (uint64_t)i));
		return at + 3;
	default:
		connection_number(c, number);
		return at;
	}
}

/* Likewise, of any word. */
static uint64_t send_word(uint64_t word, uint64_t at, struct analyser_connection *c)
{
	const enum unsent_kind kind = word % (1 << UNSENT_KIND_BITS);
	const uint64_t number = word >> UNSENT_KIND_BITS;

	switch (kind) {
	case UNSENT_TAKES:
		put_change(c, CHANGE_TAKES, number);
		connection_number(c, zigzag((int32_t)(uint32_t)(word_at(at) >> 32)));
		connection_number(c, zigzag((int32_t)(uint32_t)word_at(at)));
		return at + 1;
	case UNSENT_COMPLETES:
		put_change(c, CHANGE_COMPLETES, number);
		put_distances(c, at, number);
		return at + (number + 1) / 2;
	case UNSENT_DROPS:
		put_change(c, CHANGE_DROPS, number >> 1);
		connection_number(c, number & 1);
		return at;
	case UNSENT_THREAD:
		put_change(c, CHANGE_THREAD, number);
		return at;
	case UNSENT_COMM:
		send_definition(number, c);
		return at;
	case UNSENT_ENDS:
		put_change(c, CHANGE_ENDS, word_at(at));
		return at + 1;
	default:
		return send_call_word(kind, number, at, c);
	}
}

void sending_drain(void)
{
	struct analyser_connection *c = service_connection();
	uint64_t tail = unsent_events->tail;
	const uint64_t head = __atomic_load_n(&unsent_events->head, __ATOMIC_ACQUIRE);

	while (c && tail != head && !agent_is_off()) {
		tail = send_word(word_at(tail), tail + 1, c);
		c->position = tail;
		if (UNLIKELY(c->out.size >= CONNECTION_BATCH) && !connection_send(c))
			service_lose_analyser();
		if (tail - unsent_events->tail >= STEP_WORDS || tail == head) {
			service_send_all();
			__atomic_store_n(&unsent_events->tail, tail, __ATOMIC_RELEASE);
		}
	}
}
