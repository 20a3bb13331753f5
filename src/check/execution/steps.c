#include "check/execution/steps.h"

#include "base/memory.h"

enum {
	STEP_HEAD_MAX = 1 + sizeof(void *) + 3 * VARINT_MAX,
	QUEUE_BYTES_MIN = 64,
	QUEUE_BYTES_KEPT = 4096, /* of an empty queue */
};

static bool has_call(enum step_kind kind)
{
	return kind == STEP_BEGINS || kind == STEP_WAITS || kind == STEP_WINDOW;
}

static void make_room(struct step_queue *queue, size_t wanted)
{
	const size_t used = queue->tail - queue->head;

	if (queue->room - queue->tail >= wanted)
		return;
	if (queue->head && queue->head >= queue->room / 2 && queue->room - used >= wanted) {
		memmove(queue->bytes, queue->bytes + queue->head, used);
	} else {
		size_t room = array_next_room(queue->room, used + wanted + QUEUE_BYTES_MIN, SIZE_MAX);
		uint8_t *larger = memory_new(room, 1);
		if (used)
			memcpy(larger, queue->bytes + queue->head, used);
		free(queue->bytes);
		queue->bytes = larger;
		queue->room = room;
	}
	queue->head = 0;
	queue->tail = used;
}

static uint8_t *put_operation(struct step_queue *queue, uint8_t *at, uint64_t number)
{
	at = put_signed(at, (int64_t)(number - queue->put_base));
	queue->put_base = number;
	return at;
}

void step_put(struct execution *execution, struct executed_thread *thread, const struct execution_step *step)
{
	struct step_queue *queue = &thread->steps;
	uint8_t *at;

	make_room(queue, STEP_HEAD_MAX + (size_t)step->count * VARINT_MAX);
	at = queue->bytes + queue->tail;
	*at++ = (uint8_t)step->kind;
	if (has_call(step->kind)) {
		call_keep(step->call);
		at = put_bytes(at, &step->call, sizeof step->call);
	}
	switch (step->kind) {
	case STEP_BEGINS:
		at = put_operation(queue, at, step->number);
		if (call_has_hash(step->call))
			at = put_varint(at, step->hash);
		break;
	case STEP_TAKES:
		at = put_operation(queue, at, step->number);
		break;
	case STEP_WAITS:
	case STEP_COMPLETES:
		at = put_varint(at, step->count);
		for (uint32_t i = 0; i < step->count; i++)
			at = put_operation(queue, at, step->numbers[i]);
		break;
	case STEP_AFTER:
		at = put_varint(at, step->hash);
		/* fall through */
	case STEP_WINDOW:
	case STEP_ENDS:
		at = put_varint(at, step->number);
		break;
	}
	execution->queued_bytes += (size_t)(at - queue->bytes) - queue->tail;
	queue->tail = (size_t)(at - queue->bytes);
	execution->queued++;
	thread->has_more = true;
}

static uint64_t take_operation(struct step_queue *queue, struct cursor *in)
{
	queue->take_base += (uint64_t)take_signed(in);
	return queue->take_base;
}

static void decode(struct step_queue *queue, struct cursor *in, struct execution *execution,
                   struct execution_step *step)
{
	*step = (struct execution_step){.kind = *in->at++};
	if (has_call(step->kind))
		memcpy(&step->call, take_bytes(in, sizeof step->call), sizeof step->call);
	switch (step->kind) {
	case STEP_BEGINS:
		step->number = take_operation(queue, in);
		if (step->call && call_has_hash(step->call))
			step->hash = take_varint(in);
		break;
	case STEP_TAKES:
		step->number = take_operation(queue, in);
		break;
	case STEP_WAITS:
	case STEP_COMPLETES:
		step->count = (uint32_t)take_varint(in);
		if (execution)
			array_reserve(&execution->executing, step->count);
		for (uint32_t i = 0; i < step->count; i++) {
			const uint64_t number = take_operation(queue, in);
			if (execution)
				execution->executing.items[i] = number;
		}
		if (execution)
			step->numbers = execution->executing.items;
		break;
	case STEP_AFTER:
		step->hash = take_varint(in);
		/* fall through */
	case STEP_WINDOW:
	case STEP_ENDS:
		step->number = take_varint(in);
		break;
	}
}

bool step_take(struct execution *execution, struct executed_thread *thread, struct execution_step *step)
{
	struct step_queue *queue = &thread->steps;
	struct cursor in = {.at = queue->bytes + queue->head, .end = queue->bytes + queue->tail};

	if (queue->head == queue->tail)
		return false;
	decode(queue, &in, execution, step);
	execution->queued--;
	execution->queued_bytes -= (size_t)(in.at - queue->bytes) - queue->head;
	queue->head = (size_t)(in.at - queue->bytes);
	thread->has_more = queue->head != queue->tail;
	if (!thread->has_more) {
		queue->head = queue->tail = 0;
		if (queue->room > QUEUE_BYTES_KEPT)
			steps_release(queue);
	}
	return true;
}

bool step_peek(struct execution *execution, const struct executed_thread *thread, struct execution_step *step)
{
	struct step_queue queue = thread->steps;
	struct cursor in = {.at = queue.bytes + queue.head, .end = queue.bytes + queue.tail};

	if (queue.head == queue.tail)
		return false;
	decode(&queue, &in, execution, step);
	return true;
}

void steps_visit_begins(struct execution *execution, const struct executed_thread *thread,
                        void (*visit)(struct execution *, struct executed_process *, uint64_t,
                                      struct analysed_call *))
{
	struct step_queue queue = thread->steps;
	struct cursor in = {.at = queue.bytes + queue.head, .end = queue.bytes + queue.tail};
	struct execution_step step;

	while (cursor_left(&in)) {
		decode(&queue, &in, NULL, &step);
		if (step.kind == STEP_BEGINS)
			visit(execution, thread->process, step.number, step.call);
	}
}

void steps_release(struct step_queue *queue)
{
	free(queue->bytes);
	queue->bytes = NULL;
	queue->head = queue->tail = queue->room = 0;
}
