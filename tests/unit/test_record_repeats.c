/* Repetition keeps traces small: a predicted call takes one byte and its times. */
#include "scenario.h"

enum { TIMES = 5000 };

static char buffer[64];

static void one_call_again_and_again(void)
{
	MPI_Init(NULL, NULL);
	for (int i = 0; i < TIMES; i++)
		MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void exchange(void)
{
	MPI_Request requests[2];

	MPI_Irecv(buffer, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(buffer, 8, MPI_INT, 3, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Allreduce(buffer, buffer, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void exchanges(void)
{
	MPI_Init(NULL, NULL);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 1, .MPI_TAG = 0, .bytes = 32};
	for (int i = 0; i < TIMES; i++)
		exchange();
	MPI_Finalize();
}

/* The size of a chunk's events. */
struct size {
	size_t events, predicted;
	size_t bytes;       /* without times, which depend on the machine */
	size_t definitions; /* bytes of other records */
};

static const uint8_t *skip_varint(const uint8_t *at)
{
	while (*at & 0x80)
		at++;
	return at + 1;
}

static const uint8_t *read_varint(const uint8_t *at, uint64_t *value)
{
	const uint8_t *end = skip_varint(at);

	*value = 0;
	for (int shift = 0; at < end; at++, shift += 7)
		*value |= (uint64_t)(*at & 0x7f) << shift;
	return end;
}

static const uint8_t *measure_event(const uint8_t *at, struct size *size)
{
	const uint8_t *start = at;
	bool predicted = !(*at & HEAD_EXPLICIT);
	int gap = *at >> (predicted ? GAP_SHIFT : GAP_SHIFT_EXPLICIT) & GAP_REST;
	int rest = predicted ? DURATION_REST : DURATION_REST_EXPLICIT, duration = *at & rest;

	at = predicted ? at + 1 : skip_varint(at + 1);
	size->events++;
	size->predicted += predicted;
	size->bytes += (size_t)(at - start);
	if (predicted && *start >= HEAD_SHORT)
		return at + (*start < HEAD_PACKED ? 1 : 2);
	if (gap == GAP_REST)
		at = skip_varint(at);
	return duration == rest ? skip_varint(at) : at;
}

static void measure(const struct chunk *chunk, struct size *size)
{
	const uint8_t *at = chunk->payload, *end = at + chunk->length;

	while (at < end) {
		uint64_t length;

		if ((*at & HEAD_LONG) != HEAD_LONG) {
			at = measure_event(at, size);
			continue;
		}
		const uint8_t *record = at;

		at = read_varint(at + 1, &length);
		at += length;
		size->definitions += (size_t)(at - record);
	}
}

static void expect_small(void (*scenario)(void), size_t events)
{
	struct size size = {0};
	struct recording r;

	record(scenario, &r);
	assert_int_equal(r.count, events);
	for (size_t i = 0; i < r.process->streams[0].chunk_count; i++)
		measure(&r.process->streams[0].chunks[i], &size);
	assert_int_equal(size.events, events);
	assert_true(size.predicted >= events - 20);
	assert_true(10 * size.bytes <= 12 * size.events);
	recording_release(&r);
}

static void a_repeated_call_takes_a_byte(void **state)
{
	(void)state;
	expect_small(one_call_again_and_again, TIMES + 2);
}

static void a_repeated_exchange_takes_a_byte_a_call(void **state)
{
	(void)state;
	expect_small(exchanges, 4 * TIMES + 2);
}

/* The same line with other values: raw keys must distinguish them. */
static void one_line_other_values(void)
{
	MPI_Init(NULL, NULL);
	for (int i = 0; i < TIMES; i++)
		MPI_Send(buffer, i % 7, MPI_INT, i % 3, i % 5, i % 2 ? MPI_COMM_WORLD : MPI_COMM_SELF);
	for (int i = 0; i < TIMES; i++) {
		fake->statuses[0] = (MPI_Status){.MPI_SOURCE = i % 3, .MPI_TAG = i % 5, .bytes = i % 7};
		MPI_Recv(buffer, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
}

static void equal_calls_are_equal_in_everything(void **state)
{
	int64_t comms[2];
	struct recording r;

	(void)state;
	record(one_line_other_values, &r);
	assert_int_equal(r.count, 2 * TIMES + 2);
	comms[1] = (int64_t)r.process->comms[0].identity;
	comms[0] = (int64_t)r.process->comms[1].identity;
	for (int i = 0; i < TIMES; i++) {
		const struct call *send = r.events[1 + i].call, *receive = r.events[1 + TIMES + i].call;

		assert_int_equal(field(send, FIELD_SENT), 4 * (i % 7));
		assert_int_equal(field(send, FIELD_PEER), i % 3);
		assert_int_equal(field(send, FIELD_TAG), i % 5);
		assert_int_equal(field(send, FIELD_COMM), comms[i % 2]);
		assert_int_equal(field(receive, FIELD_SOURCE), i % 3);
		assert_int_equal(field(receive, FIELD_SOURCE_TAG), i % 5);
		assert_int_equal(field(receive, FIELD_RECEIVED), i % 7);
	}
	recording_release(&r);
}

/* No two calls are equal: tags, sizes and results of requests count up. */
static void counting(void)
{
	MPI_Request requests[2];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < TIMES; i++)
		MPI_Send(buffer, 3 * i, MPI_INT, 1, i, MPI_COMM_WORLD);
	for (int i = 0; i < TIMES; i++) {
		fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 1, .MPI_TAG = i, .bytes = 7 * i};
		MPI_Irecv(buffer, 9, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(buffer, 8, MPI_INT, 3, -5 + i, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Finalize();
}

static void expect_counted(const struct recording *r, int i)
{
	const struct event *exchange = &r->events[1 + TIMES + 3 * i];
	const struct call *send = r->events[1 + i].call, *wait = exchange[2].call;

	assert_int_equal(field(send, FIELD_SENT), 12 * i);
	assert_int_equal(field(send, FIELD_TAG), i);
	assert_int_equal(field(send, FIELD_PEER), 1);
	assert_int_equal(field(send, FIELD_SIZE), 4);
	assert_int_equal(field(exchange[0].call, FIELD_TAG), i);
	assert_int_equal(field(exchange[0].call, FIELD_ROOM), 36);
	assert_int_equal(field(exchange[0].call, FIELD_REQUEST), 0);
	assert_int_equal(field(exchange[1].call, FIELD_TAG), -5 + i);
	assert_int_equal(field(exchange[1].call, FIELD_REQUEST), 1);
	assert_int_equal(nth_field(wait, FIELD_DONE, 0), 0);
	assert_int_equal(field(wait, FIELD_SOURCE_TAG), i);
	assert_int_equal(field(wait, FIELD_RECEIVED), 7 * i);
	assert_int_equal(nth_field(wait, FIELD_DONE, 1), 1);
}

static void calls_that_differ_are_told_by_what_they_differ_in(void **state)
{
	struct size size = {0};
	struct recording r;

	(void)state;
	record(counting, &r);
	assert_int_equal(r.count, 4 * TIMES + 2);
	for (int i = 0; i < TIMES; i++)
		expect_counted(&r, i);
	for (size_t i = 0; i < r.process->streams[0].chunk_count; i++)
		measure(&r.process->streams[0].chunks[i], &size);
	assert_int_equal(size.events, r.count);
	assert_true(size.predicted >= size.events - 100);
	assert_true(size.bytes + size.definitions <= 8 * size.events);
	recording_release(&r);
}

/* New handles occur among calls that differ. Their meaning is unknown until the call has ended. */
static void with_new_handles(void)
{
	const MPI_Datatype pair = 0x7701;
	const MPI_Comm other = 0x7702;

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 100; i++)
		MPI_Send(buffer, 1, i < 50 ? MPI_INT : pair, 1, i, i < 75 ? MPI_COMM_WORLD : other);
	MPI_Finalize();
}

static void handles_that_are_new_stand_for_themselves(void **state)
{
	const struct call *last;
	struct recording r;

	(void)state;
	record(with_new_handles, &r);
	assert_int_equal(r.count, 102);
	last = r.events[100].call;
	assert_int_not_equal(field(last, FIELD_SIZE), 4);
	assert_int_not_equal(field(last, FIELD_COMM), r.process->comms[0].identity);
	assert_int_not_equal(field(last, FIELD_COMM), 0);
	for (int i = 0; i < 100; i++) {
		const struct call *send = r.events[1 + i].call;

		assert_int_equal(field(send, FIELD_TAG), i);
		assert_int_equal(field(send, FIELD_SIZE), i < 50 ? 4 : field(last, FIELD_SIZE));
		assert_int_equal(field(send, FIELD_SENT), field(send, FIELD_SIZE));
		assert_int_equal(field(send, FIELD_COMM),
		                 i < 75 ? (int64_t)r.process->comms[0].identity : field(last, FIELD_COMM));
	}
	recording_release(&r);
}

/* An error or a run of polls among repetitions must not be recorded as one of them. The same holds among calls whose tags count up. */
static int tag_step;

static void interrupted(void)
{
	int flag;

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 100; i++) {
		fake->codes[CALL_Send] = i % 10 == 9 ? MPI_ERR_COMM : MPI_SUCCESS;
		MPI_Send(buffer, 1, MPI_INT, 0, tag_step * i, MPI_COMM_WORLD);
		if (i % 10 == 4)
			MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
}

static void expect_interrupted(int step)
{
	struct recording r;
	size_t at = 1;

	tag_step = step;
	record(interrupted, &r);
	assert_int_equal(r.count, 112);
	for (int i = 0; i < 100; i++) {
		assert_string_equal(r.events[at].call->outline->name, "MPI_Send");
		assert_int_equal(field(r.events[at].call, FIELD_TAG), step * i);
		assert_int_equal(has_field(r.events[at++].call, FIELD_RESULT), i % 10 == 9);
		if (i % 10 == 4)
			assert_string_equal(r.events[at++].call->outline->name, "MPI_Iprobe");
	}
	recording_release(&r);
}

static void interruptions_keep_their_place(void **state)
{
	(void)state;
	expect_interrupted(0);
	expect_interrupted(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repeated_call_takes_a_byte),
		cmocka_unit_test(a_repeated_exchange_takes_a_byte_a_call),
		cmocka_unit_test(equal_calls_are_equal_in_everything),
		cmocka_unit_test(calls_that_differ_are_told_by_what_they_differ_in),
		cmocka_unit_test(handles_that_are_new_stand_for_themselves),
		cmocka_unit_test(interruptions_keep_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
