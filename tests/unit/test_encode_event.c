/* The reader returns the events of the encoder, at every limit of their codes. */
#include "base/memory.h"
#include "trace/encode.h"
#include "trace/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNK = 1 << 16, CALLS = 1000 };

struct chunk_in_file {
	struct encoder encoder;
	uint32_t successor[CALLS];
	uint8_t *memory;
	char path[64];
};

static void begin(struct chunk_in_file *chunk, uint64_t base_tick)
{
	struct chunk_identity identity = {.world = 1};

	memset(chunk, 0, sizeof *chunk);
	chunk->memory = memory_new(1, CHUNK);
	chunk->encoder.successor = chunk->successor;
	chunk->encoder.call_limit = CALLS;
	encoder_open(&chunk->encoder, chunk->memory, CHUNK, &identity, base_tick);
	encode_name(&chunk->encoder, "MPI_Send");
}

static void define_calls(struct chunk_in_file *chunk, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct field tag = {FIELD_TAG, i};
		assert_int_equal(encode_call(&chunk->encoder, 0, NO_SITE, &tag, 1), i);
	}
}

/* Seals the chunk, writes it as a trace and opens the trace. */
static struct reader *reread(struct chunk_in_file *chunk, bool seal)
{
	struct reader *reader;
	int fd;

	strcpy(chunk->path, "/tmp/tarry-unit-XXXXXX");
	fd = mkstemp(chunk->path);
	assert_true(fd >= 0);
	if (seal)
		encoder_seal(&chunk->encoder, true);
	assert_int_equal(write(fd, chunk->memory, CHUNK), CHUNK);
	close(fd);
	free(chunk->memory);
	assert_int_equal(reader_open(chunk->path, &reader), OK);
	unlink(chunk->path);
	assert_int_equal(reader->process_count, 1);
	assert_int_equal(reader->processes[0].stream_count, 1);
	return reader;
}

static void iterate(struct reader *reader, struct event_iter *iter)
{
	reader_events(reader, &reader->processes[0].streams[0], iter);
}

static int64_t tag_of(const struct event *event)
{
	int64_t tag = -1;

	assert_true(call_field(event->call, FIELD_TAG, &tag));
	return tag;
}

static const uint64_t edges[] = {
	0,
	1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	13,
	14,
	15,
	16,
	127,
	128,
	134,
	135,
	142,
	143,
	16383,
	16384,
	16390,
	16391,
	1 << 21,
	(1 << 21) - 1,
	1 << 28,
	(1 << 28) - 1,
	(1 << 28) + 20,
	1ull << 35,
	1ull << 56,
	(1ull << 62) - 1,
	1ull << 62,
};

enum { EDGES = sizeof edges / sizeof *edges };

static void events_at_every_edge(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event event;
	uint64_t end = 7;

	(void)state;
	begin(&chunk, end);
	define_calls(&chunk, 2);
	/* Twice the same call, then the other: explicit and predicted events of each kind. */
	for (size_t i = 0; i < EDGES * EDGES; i++) {
		uint64_t gap = edges[i / EDGES], duration = edges[i % EDGES];
		if (end > UINT64_MAX - gap - duration)
			end = 7;
		encode_event(&chunk.encoder, i % 3 == 2, end + gap, end + gap + duration);
		end += gap + duration;
	}
	reader = reread(&chunk, true);
	iterate(reader, &iter);
	end = 7;
	for (size_t i = 0; i < EDGES * EDGES; i++) {
		uint64_t gap = edges[i / EDGES], duration = edges[i % EDGES];
		if (end > UINT64_MAX - gap - duration)
			end = 7;
		assert_true(reader_next(&iter, &event));
		assert_int_equal(event.start, end + gap);
		assert_int_equal(event.end, end + gap + duration);
		assert_int_equal(tag_of(&event), i % 3 == 2);
		assert_int_equal(event.polls, 0);
		end += gap + duration;
	}
	assert_false(reader_next(&iter, &event));
	assert_int_equal(reader->damage_count, 0);
	reader_close(reader);
}

static void sizes_are_as_promised(void **state)
{
	static const struct {
		uint64_t gap, duration;
		uint32_t bytes;
	} predicted[] = {{2, 6, 1},     {3, 6, 2},      {2, 7, 2},      {127, 159, 2}, {128, 159, 3},
	                 {127, 160, 3}, {511, 2047, 3}, {512, 2047, 5}, {511, 2048, 5}};
	struct chunk_in_file chunk;
	uint32_t length;
	uint64_t end = 116;

	(void)state;
	begin(&chunk, 100);
	define_calls(&chunk, 1);
	length = chunk.encoder.chunk->length;
	encode_event(&chunk.encoder, 0, 102, 116); /* explicit: head and call */
	assert_int_equal(chunk.encoder.chunk->length - length, 2);
	encode_event(&chunk.encoder, 0, 116, 116); /* not yet predicted */
	assert_int_equal(chunk.encoder.chunk->length - length, 4);
	for (size_t i = 0; i < sizeof predicted / sizeof *predicted; i++) {
		length = chunk.encoder.chunk->length;
		encode_event(&chunk.encoder, 0, end + predicted[i].gap,
		             end + predicted[i].gap + predicted[i].duration);
		assert_int_equal(chunk.encoder.chunk->length - length, predicted[i].bytes);
		end += predicted[i].gap + predicted[i].duration;
	}
	free(chunk.memory);
}

static void many_calls_and_wrong_predictions(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event event;
	uint32_t at = 0;

	(void)state;
	begin(&chunk, 0);
	define_calls(&chunk, CALLS);
	for (uint32_t i = 0; i < 5000; i++, at = (at * 31 + i / 7) % CALLS)
		encode_event(&chunk.encoder, at, i, i);
	reader = reread(&chunk, true);
	iterate(reader, &iter);
	at = 0;
	for (uint32_t i = 0; i < 5000; i++, at = (at * 31 + i / 7) % CALLS) {
		assert_true(reader_next(&iter, &event));
		assert_int_equal(tag_of(&event), at);
	}
	assert_false(reader_next(&iter, &event));
	reader_close(reader);
}

static void a_clock_may_go_backwards(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event event;

	(void)state;
	begin(&chunk, 1000);
	define_calls(&chunk, 1);
	encode_event(&chunk.encoder, 0, 2000, 2010);
	encode_event(&chunk.encoder, 0, 5, UINT64_MAX);
	encode_event(&chunk.encoder, 0, 0, 0);
	reader = reread(&chunk, true);
	iterate(reader, &iter);
	assert_true(reader_next(&iter, &event));
	assert_true(reader_next(&iter, &event));
	assert_int_equal(event.start, 5);
	assert_true(event.end == UINT64_MAX);
	assert_true(reader_next(&iter, &event));
	assert_int_equal(event.end, 0);
	assert_false(reader_next(&iter, &event));
	reader_close(reader);
}

static void polls_belong_to_the_next_event(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event event;

	(void)state;
	begin(&chunk, 0);
	define_calls(&chunk, 1);
	encode_polls(&chunk.encoder, UINT64_MAX, 3);
	encode_event(&chunk.encoder, 0, 1, 2);
	encode_event(&chunk.encoder, 0, 3, 4);
	reader = reread(&chunk, true);
	iterate(reader, &iter);
	assert_true(reader_next(&iter, &event));
	assert_true(event.polls == UINT64_MAX);
	assert_int_equal(event.busy, 3);
	assert_true(reader_next(&iter, &event));
	assert_int_equal(event.polls, 0);
	assert_int_equal(event.busy, 0);
	assert_false(reader_next(&iter, &event));
	reader_close(reader);
}

static void a_scheduling_delay_belongs_to_the_next_event(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event events[4];

	(void)state;
	begin(&chunk, 0);
	define_calls(&chunk, 1);
	encode_event(&chunk.encoder, 0, 1, 2);
	encode_delay(&chunk.encoder, UINT32_MAX, 7);
	encode_event(&chunk.encoder, 0, 3, 4);
	encode_event(&chunk.encoder, 0, 5, 6);
	reader = reread(&chunk, true);
	iterate(reader, &iter);
	for (uint32_t got = 0; got < 3;)
		got += reader_next_many(&iter, events + got, 3 - got);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(events[i].delay_before, i == 1 ? UINT32_MAX : 0);
		assert_int_equal(events[i].delay_inside, i == 1 ? 7 : 0);
	}
	assert_true(iter.stream->has_delays);
	assert_false(reader_next(&iter, events));
	reader_close(reader);
}

static void an_open_chunk_is_readable(void **state)
{
	struct chunk_in_file chunk;
	struct reader *reader;
	struct event_iter iter;
	struct event event;

	(void)state;
	begin(&chunk, 0);
	define_calls(&chunk, 1);
	encode_event(&chunk.encoder, 0, 1, 2);
	encode_record(&chunk.encoder, RECORD_LOSS, &(struct event_loss){9, "no disk"});
	reader = reread(&chunk, false);
	iterate(reader, &iter);
	assert_true(reader_next(&iter, &event));
	assert_false(reader_next(&iter, &event));
	assert_int_equal(reader->damage_count, 0);
	assert_int_equal(reader->processes[0].streams[0].loss_count, 1);
	assert_string_equal(reader->processes[0].streams[0].losses[0].reason, "no disk");
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_at_every_edge),
		cmocka_unit_test(sizes_are_as_promised),
		cmocka_unit_test(many_calls_and_wrong_predictions),
		cmocka_unit_test(a_clock_may_go_backwards),
		cmocka_unit_test(polls_belong_to_the_next_event),
		cmocka_unit_test(a_scheduling_delay_belongs_to_the_next_event),
		cmocka_unit_test(an_open_chunk_is_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
