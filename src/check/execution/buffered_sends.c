#include "check/execution/ordering.h"

#include "check/known/report.h"

#include <inttypes.h>

enum { MESSAGES_MAX = 1 << 16 /* per process: with more, all count as received */ };

/* The `ranks` of a call with CHECK_CALL_BUFFERED. */
enum { RANKS_NEEDED, RANKS_SIZE, RANKS_COUNT };

struct buffered_message {
	struct analysed_call *call; /* kept */
	uint64_t number;            /* of its operation */
	uint64_t bytes;
	struct executed_process *receiver; /* NULL: not received yet */
	uint64_t received;                 /* the receiver's event that completed the receive */
};

/* The attached buffer of a process. */
struct attached_room {
	struct executed_process *process;
	uint64_t occupied;                       /* bytes of all messages */
	ARRAY(struct buffered_message) messages; /* in the order of their numbers */
	uint64_t reported;                       /* serial of the last reported call */
	uint32_t finding;                        /* and the number of its finding */
};

struct buffered_sends {
	struct known *known; /* it outlives the execution */
	struct ordering *ordering;
	struct findings_log *log;
	ARRAY(struct attached_room *) rooms;
	struct map room_numbers; /* by process */
};

static struct map_key room_key(const struct executed_process *process)
{
	return map_key((uint64_t)(uintptr_t)process, 0);
}

static struct attached_room *room_find(const struct buffered_sends *sends,
                                       const struct executed_process *process)
{
	const uint32_t *number = map_find(&sends->room_numbers, room_key(process));

	return number ? sends->rooms.items[*number] : NULL;
}

static struct attached_room *room_get(struct buffered_sends *sends, struct executed_process *process)
{
	struct attached_room *room = room_find(sends, process);

	if (room)
		return room;
	room = memory_new(1, sizeof *room);
	room->process = process;
	*map_put(&sends->room_numbers, room_key(process)) = (uint32_t)sends->rooms.count;
	array_add(&sends->rooms, room);
	return room;
}

/* Removes all messages, or only those whose space is certainly free again. */
static void remove_messages(struct buffered_sends *sends, struct attached_room *room, bool all)
{
	size_t kept = 0;

	for (size_t i = 0; i < room->messages.count; i++) {
		struct buffered_message *message = &room->messages.items[i];

		if (!all && !(message->receiver && ordering_is_before(sends->ordering, message->receiver,
		                                                      message->received, room->process))) {
			room->messages.items[kept++] = *message;
			continue;
		}
		room->occupied -= message->bytes;
		call_drop(sends->known, message->call);
	}
	room->messages.count = kept;
}

/* NULL: forgotten, or never buffered. */
static struct buffered_message *message_find(const struct buffered_sends *sends,
                                             const struct executed_operation *send)
{
	struct attached_room *room = room_find(sends, send->process);
	size_t low = 0, high = room ? room->messages.count : 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (room->messages.items[middle].number < send->number)
			low = middle + 1;
		else
			high = middle;
	}
	return room && low < room->messages.count && room->messages.items[low].number == send->number
	               ? &room->messages.items[low]
	               : NULL;
}

static void report(struct buffered_sends *sends, struct attached_room *room, const struct analysed_call *call)
{
	if (room->reported == call->serial) {
		findings_log_repeat(sends->log, room->finding);
		return;
	}
	room->finding = report_finding(
		sends->log, CHECK_BUFFER_EXHAUSTED, 1,
		CALLS({call, NOTE_HERE}, {room->messages.items[0].call, NOTE_EARLIER}),
		"needed=%" PRId64 AND "size=%" PRId64 AND "occupied=%" PRIu64 AND "messages=%zu",
		call->ranks[RANKS_NEEDED], call->ranks[RANKS_SIZE], room->occupied, room->messages.count);
	room->reported = call->serial;
}

/* Messages in a finding are not counted again. */
static void make_room(struct buffered_sends *sends, struct attached_room *room,
                      const struct analysed_call *call)
{
	const uint64_t needed = (uint64_t)call->ranks[RANKS_NEEDED], size = (uint64_t)call->ranks[RANKS_SIZE];

	/* The size of persistent sends is unknown. A message too long for an empty buffer was
	 * reported by its process. */
	if (!size || needed > size || room->occupied + needed <= size)
		return;
	remove_messages(sends, room, false);
	if (room->occupied + needed <= size)
		return;
	report(sends, room, call);
	remove_messages(sends, room, true);
}

static void began(void *owner, struct executed_operation *operation)
{
	struct buffered_sends *sends = owner;
	struct analysed_call *call = operation->call;
	struct attached_room *room;

	if (call->operation != OPERATION_SEND || !(call->flags & CHECK_CALL_BUFFERED) ||
	    call->rank_count != RANKS_COUNT || call->ranks[RANKS_NEEDED] <= 0 ||
	    call->ranks[RANKS_SIZE] < 0 || operation->state & OPERATION_VOID)
		return;
	room = room_get(sends, operation->process);
	if (call->flags & CHECK_CALL_NEW_BUFFER || room->messages.count == MESSAGES_MAX)
		remove_messages(sends, room, true);
	/* Threads may begin operations in another order than their numbers. */
	if (room->messages.count && room->messages.items[room->messages.count - 1].number > operation->number)
		return;
	make_room(sends, room, call);
	room->occupied += (uint64_t)call->ranks[RANKS_NEEDED];
	array_add(&room->messages, ((struct buffered_message){.call = call_keep(call),
	                                                      .number = operation->number,
	                                                      .bytes = (uint64_t)call->ranks[RANKS_NEEDED]}));
}

/* The message needs no space any more, and its sender can know this. */
static void set_free(struct buffered_message *message, struct executed_process *sender)
{
	message->receiver = sender;
	message->received = 0;
}

static struct buffered_message *buffered_message_of(const struct buffered_sends *sends,
                                                    const struct executed_operation *send)
{
	return send->call && send->call->flags & CHECK_CALL_BUFFERED ? message_find(sends, send) : NULL;
}

static void matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	struct buffered_message *message = receive->state & OPERATION_OVER ? buffered_message_of(owner, send)
	                                                                   : NULL;

	/* The order of events after the end of this receive is no longer known. */
	if (message)
		set_free(message, send->process);
}

static void over(void *owner, struct executed_operation *operation)
{
	struct buffered_sends *sends = owner;
	struct buffered_message *message = operation->partner && operation->call->operation != OPERATION_PROBE
	                                           ? buffered_message_of(sends, operation->partner)
	                                           : NULL;

	if (!message)
		return;
	message->receiver = operation->process;
	message->received = ordering_count(sends->ordering, operation->process);
}

/* MPI rejected the send, or the program cancelled it. */
static void freed(void *owner, struct executed_operation *operation)
{
	struct buffered_message *message = operation->state & OPERATION_VOID
	                                           ? buffered_message_of(owner, operation)
	                                           : NULL;

	if (message)
		set_free(message, operation->process);
}

struct buffered_sends *buffered_sends_new(struct execution *execution, struct ordering *ordering,
                                          struct findings_log *log)
{
	struct buffered_sends *sends = memory_new(1, sizeof *sends);

	sends->known = execution->known;
	sends->ordering = ordering;
	sends->log = log;
	execution_listen(
		execution,
		&(struct execution_listener){
			.owner = sends, .began = began, .matched = matched, .over = over, .freed = freed});
	return sends;
}

void buffered_sends_free(struct buffered_sends *sends)
{
	for (size_t i = 0; i < sends->rooms.count; i++) {
		struct attached_room *room = sends->rooms.items[i];

		remove_messages(sends, room, true);
		array_release(&room->messages);
		free(room);
	}
	array_release(&sends->rooms);
	map_release(&sends->room_numbers);
	free(sends);
}
