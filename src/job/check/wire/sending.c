#include "job/check/wire/sending.h"

#include "check/protocol/routing.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

#include <string.h>

enum { STEP_WORDS = KEPT_WORDS / 8 };

static uint32_t analyser_count;

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

/* The first one was sent what is in the ring before the call. */
static void send_comm(struct announced_comm *comm, uint32_t analyser, struct analyser_connection *c)
{
	if (!comm || (!analyser && comm->is_pushed))
		return;
	if (!comm->known_by)
		comm->known_by = host_table(analyser_count / 64 + 1, sizeof *comm->known_by);
	if (comm->known_by && !was_announced(comm->known_by, analyser))
		copy_frame(&comm->frame, c);
}

static void send_call(struct announced_call *call, uint32_t analyser, struct analyser_connection *c)
{
	send_comm(call->comm, analyser, c);
	send_type(call->send.type, c);
	send_type(call->receive.type, c);
	for (uint32_t i = 0; i < call->call.send_list_count; i++)
		send_type(call->send_list[i].type, c);
	for (uint32_t i = 0; i < call->call.receive_list_count; i++)
		send_type(call->receive_list[i].type, c);
	copy_frame(&call->frame, c);
}

static uint32_t analyser_of(const struct announced_call *call, int32_t peer)
{
	if (analyser_count == 1)
		return 0;
	if (call->call.operation == OPERATION_COLLECTIVE)
		return analyser_of_object(call->call.comm, analyser_count);
	return analyser_of_message(checked.rank, peer, checked.size, call->call.comm, analyser_count);
}

/* The connection to an analyser, which knows the call then. NULL: it is gone. */
static struct analyser_connection *ready_for(struct announced_call *call, uint32_t analyser)
{
	struct analyser_connection *c = service_analyser(analyser);

	if (LIKELY(c) && UNLIKELY(!was_announced(c->announced_calls, call->number)))
		send_call(call, analyser, c);
	return c;
}

/* An event is complete. */
static void end_event(struct analyser_connection *c, uint64_t position)
{
	c->position = position;
	if (UNLIKELY(c->out.size >= CONNECTION_BATCH) && !connection_send(c))
		service_lose_analyser();
}

static void put_change(struct analyser_connection *c, enum event_change change, uint64_t number)
{
	connection_number(c, 0);
	connection_number(c, change);
	connection_number(c, number);
}

/* Of calls whose data is compared: a hash or a ticket. */
static void put_with(struct analyser_connection *c, const struct announced_call *call, uint64_t number)
{
	if (UNLIKELY(call->call.flags & CHECK_CALL_CONTENT))
		connection_number(c, number);
}

static void handle_event(struct announced_call *call, uint64_t with, uint64_t position)
{
	const uint32_t analyser = analyser_of(call, call->call.peer_in_world);
	struct analyser_connection *c = ready_for(call, analyser);

	if (UNLIKELY(!c))
		return;
	connection_number(c, call->number);
	put_with(c, call, with);
	end_event(c, position);
	if (analyser && (c = ready_for(call, 0))) {
		put_change(c, CHANGE_BEGINS, call->number);
		end_event(c, position);
	}
}

/* For matching alone. */
static void handle_change(struct announced_call *call, enum event_change change, uint64_t with,
                          uint64_t position)
{
	struct analyser_connection *c = ready_for(call, analyser_of(call, call->call.peer_in_world));

	if (UNLIKELY(!c))
		return;
	put_change(c, change, call->number);
	if (change == CHANGE_MATCHES)
		put_with(c, call, with);
	end_event(c, position);
}

static void handle_wildcard(struct announced_call *call, uint64_t message, uint64_t rank, uint64_t position)
{
	struct analyser_connection *c = ready_for(call, analyser_of(call, (int32_t)(uint32_t)rank));

	if (UNLIKELY(!c))
		return;
	put_change(c, CHANGE_MATCHES, call->number);
	connection_number(c, zigzag((int32_t)(uint32_t)(message >> 32)));
	connection_number(c, zigzag((int32_t)(uint32_t)rank));
	connection_number(c, zigzag((int32_t)(uint32_t)message));
	put_with(c, call, rank >> 32);
	end_event(c, position);
}

static void handle_content(struct announced_call *call, uint64_t at)
{
	const uint64_t receive = unsent_events->words[at % KEPT_WORDS];
	struct analyser_connection *c = ready_for(call, analyser_of(call, (int32_t)(uint32_t)receive));

	if (UNLIKELY(!c))
		return;
	put_change(c, CHANGE_CONTENT, call->number);
	connection_number(c, receive >> 32);
	connection_number(c, unsent_events->words[(at + 1) % KEPT_WORDS]);
	connection_number(c, unsent_events->words[(at + 2) % KEPT_WORDS]);
	end_event(c, at + 3);
}

/* The process has freed it: those it was announced to get that. */
static void handle_end(const struct announced_comm *comm, uint64_t position)
{
	for (uint32_t i = 0; i < analyser_count; i++) {
		const bool knows = (!i && comm->is_pushed) ||
		                   (comm->known_by && comm->known_by[i / 64] >> i % 64 & 1);
		struct analyser_connection *c = knows ? service_analyser(i) : NULL;

		if (!c)
			continue;
		put_change(c, CHANGE_ENDS, comm->comm.identity);
		end_event(c, position);
	}
}

static void handle_comm(uint64_t at)
{
	struct analyser_connection *c = service_analyser(0);
	struct unsent_frame frame = {.at = (uint32_t)at};
	uint32_t length;

	memcpy(&length, unsent_events->frames + frame.at, sizeof length);
	frame.size = (uint32_t)sizeof length + length;
	if (c)
		copy_frame(&frame, c);
}

/* Changes of the course: as the word, its number, and what follows it in the ring say. */
static void put_distances(struct analyser_connection *c, uint64_t at, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		connection_number(
			c, (uint32_t)(unsent_events->words[(at + i / 2) % KEPT_WORDS] >> 32 * (i % 2)));
}

/* Gives the position behind the words of the change. */
static uint64_t handle_course(enum kept_kind kind, uint64_t number, uint64_t at)
{
	const bool names_call = kind == KEPT_BEGINS || kind == KEPT_WAITS || kind == KEPT_WINDOW;
	struct analyser_connection *c = names_call ? ready_for(numbered_call(number), 0)
	                                           : service_analyser(0);
	const uint64_t next = unsent_events->words[at % KEPT_WORDS];

	if (UNLIKELY(!c))
		return at;
	switch (kind) {
	case KEPT_BEGINS:
		put_change(c, CHANGE_BEGINS, number);
		break;
	case KEPT_TAKES:
		put_change(c, CHANGE_TAKES, number);
		connection_number(c, zigzag((int32_t)(uint32_t)(next >> 32)));
		connection_number(c, zigzag((int32_t)(uint32_t)next));
		at++;
		break;
	case KEPT_WAITS:
		put_change(c, CHANGE_WAITS, number);
		connection_number(c, next);
		put_distances(c, at + 1, next);
		at += 1 + (next + 1) / 2;
		break;
	case KEPT_COMPLETES:
		put_change(c, CHANGE_COMPLETES, number);
		put_distances(c, at, number);
		at += (number + 1) / 2;
		break;
	case KEPT_DROPS:
		put_change(c, CHANGE_DROPS, number >> 1);
		connection_number(c, number & 1);
		break;
	case KEPT_THREAD:
		put_change(c, CHANGE_THREAD, number);
		break;
	default:
		put_change(c, CHANGE_WINDOW, number);
		connection_number(c, next);
		at++;
	}
	end_event(c, at);
	return at;
}

/* The word in front of `at`. Gives the position behind all that belongs to it. */
static uint64_t handle_word(uint64_t word, uint64_t at)
{
	const enum kept_kind kind = word % (1 << KEPT_KIND_BITS);
	const uint64_t number = word >> KEPT_KIND_BITS;

	switch (kind) {
	case KEPT_EVENT:
		handle_event(numbered_call(number), 0, at);
		return at;
	case KEPT_EVENT_WITH:
		handle_event(numbered_call(number), unsent_events->words[at % KEPT_WORDS], at + 1);
		return at + 1;
	case KEPT_MATCHES:
		handle_change(numbered_call(number), CHANGE_MATCHES, 0, at);
		return at;
	case KEPT_MATCHES_WITH:
		handle_change(numbered_call(number), CHANGE_MATCHES, unsent_events->words[at % KEPT_WORDS],
		              at + 1);
		return at + 1;
	case KEPT_CONTENT:
		handle_content(numbered_call(number), at);
		return at + 3;
	case KEPT_CANCELLED:
		handle_change(numbered_call(number), CHANGE_CANCELLED, 0, at);
		return at;
	case KEPT_WILDCARD:
		handle_wildcard(numbered_call(number), unsent_events->words[at % KEPT_WORDS],
		                unsent_events->words[(at + 1) % KEPT_WORDS], at + 2);
		return at + 2;
	case KEPT_COMM:
		handle_comm(number);
		return at;
	case KEPT_ENDS:
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): unsent_events.c put it there */
		handle_end((const struct announced_comm *)(uintptr_t)number, at + 1);
		return at + 1;
	default:
		return handle_course(kind, number, at);
	}
}

void sending_drain(uint32_t analysers)
{
	uint64_t tail = unsent_events->tail;
	const uint64_t head = __atomic_load_n(&unsent_events->head, __ATOMIC_ACQUIRE);

	analyser_count = analysers;
	while (tail != head && !agent_is_off()) {
		const uint64_t word = unsent_events->words[tail % KEPT_WORDS];

		tail = handle_word(word, tail + 1);
		if (tail - unsent_events->tail >= STEP_WORDS || tail == head) {
			service_send_all();
			__atomic_store_n(&unsent_events->tail, tail, __ATOMIC_RELEASE);
		}
	}
}
