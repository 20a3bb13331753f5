#include "job/record/summary.h"

#include "job/record/known_calls.h"
#include "job/record/stream_define.h"

#include <string.h>

enum {
	REDUCED_WORDS = 64,
	/* Room in a chunk for calls by function: there are fewer than 600, and each takes about 80 bytes. */
	ROOM_FOR_FUNCTIONS = 3 * PAGE_BYTES / 4,
	CALLS_FOR_FUNCTIONS = 700,
};

static int64_t magnitude(int64_t bytes)
{
	return bytes > 0 ? INT64_C(1) << (63 - __builtin_clzll((uint64_t)bytes)) : bytes;
}

static uint64_t bytes_of(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

/* Bytes that completed requests received. */
static int64_t received_by_requests(const int64_t *key, uint32_t at, uint32_t words)
{
	int64_t received = 0;

	while (at < words) {
		struct field fields[FIELDS_OF_REST];
		size_t count = 0;
		at += describe_rest(key + at, fields, &count);
		for (size_t i = 0; i < count; i++)
			if (fields[i].key == FIELD_RECEIVED)
				received += fields[i].value;
	}
	return received;
}

/* Keeps only place, function and sizes of the key, and adds the sizes to `sums`. Returns the number of words. */
static uint32_t reduce(const int64_t *key, uint32_t words, int64_t *reduced, struct call_sums *sums)
{
	const uint8_t *fields = shape_of((uint32_t)key[KEY_WHAT])->fields;
	uint32_t at = KEY_VALUES;
	bool is_null = false;
	int64_t received;

	reduced[KEY_SITE] = key[KEY_SITE];
	reduced[KEY_WHAT] = key[KEY_WHAT];
	for (uint32_t i = 0; fields[i] && KEY_VALUES + i < words; i++)
		is_null |= (fields[i] == FIELD_PEER || fields[i] == FIELD_TARGET) &&
		           key[KEY_VALUES + i] == RANK_NULL;
	for (; *fields && at < words; fields++, at++) {
		bool is_size = (*fields == FIELD_SENT || *fields == FIELD_RECEIVED) && key[at] != ABSENT &&
		               !is_null;
		reduced[at] = is_size ? magnitude(key[at]) : ABSENT;
		if (is_size && *fields == FIELD_SENT)
			sums->sent += bytes_of(key[at]);
		else if (is_size)
			sums->received += bytes_of(key[at]);
	}
	received = received_by_requests(key, at, words);
	if (received <= 0)
		return at;
	sums->received += (uint64_t)received;
	reduced[at] = FIELD_RECEIVED;
	reduced[at + 1] = magnitude(received);
	return at + 2;
}

static bool has_room_for_places(const struct recording_stream *s)
{
	return encoder_has_room(&s->encoder, ROOM_FOR_FUNCTIONS) &&
	       s->encoder.calls + CALLS_FOR_FUNCTIONS < s->encoder.call_limit;
}

static void add(struct recording_stream *s, uint32_t call, const struct call_sums *more)
{
	struct known_key *known = &s->known[call];
	struct call_sums sums;
	uint8_t *at;

	if (!known->raw_first) {
		at = encode_summed(&s->encoder, call, more);
		known->raw_first = (uint32_t)(at - s->encoder.payload);
		return;
	}
	at = s->encoder.payload + known->raw_first;
	memcpy(&sums, at, sizeof sums);
	sums.count++;
	sums.inside += more->inside;
	sums.shortest = more->shortest < sums.shortest ? more->shortest : sums.shortest;
	sums.longest = more->longest > sums.longest ? more->longest : sums.longest;
	sums.sent += more->sent;
	sums.received += more->received;
	put_sums(at, &sums);
}

void summary_add(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start, uint64_t end)
{
	const uint32_t id = (uint32_t)key[KEY_WHAT];
	struct call_sums more = {
		.count = 1, .inside = end - start, .shortest = end - start, .longest = end - start};
	int64_t reduced[REDUCED_WORDS];
	uint32_t call;

	s->delay_before = s->blocked_before = 0;
	s->encoder.last_end = end; /* stream_start() compares the next call with it */
	if (id >= ALL_CALLS)
		return;
	words = reduce(key, words, reduced, &more);
	if (*stream_find_slot(s, reduced, words) == NO_CALL && !has_room_for_places(s)) {
		reduced[KEY_SITE] = 0;
		words = KEY_VALUES;
	}
	call = stream_find_call(s, reduced, words);
	if (call != NO_CALL)
		add(s, call, &more);
}

void summary_interrupt(struct recording_stream *s, uint64_t start)
{
	encode_time(&s->encoder, start);
}
