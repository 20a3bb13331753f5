/* The times of an event, from their bytes: the reverse of encode_event() in encode.h. Internal to the reader.
 *
 *	take_times(&cursor, version, cursor_left(&cursor) >= EVENT_MAX, head, &gap, &duration);
 *
 * Most of the reading time is spent here: all functions are part of one loop. */
#ifndef TARRY_TRACE_DECODE_H
#define TARRY_TRACE_DECODE_H

#include "base/bytes.h"
#include "trace/format.h"

#include <stdbool.h>
#include <string.h>

#define PART_OF_LOOP static inline __attribute__((always_inline))

/* `is_whole`: all bytes of the longest event are there, so that nothing has to be checked. */
PART_OF_LOOP bool has_bytes(const struct cursor *cursor, size_t size, bool is_whole)
{
	return is_whole || __builtin_expect(cursor_left(cursor) >= size, 1);
}

/* A varint of up to four bytes, without a branch on its unpredictable length. */
PART_OF_LOOP uint64_t take_quick_varint(struct cursor *cursor, bool is_whole)
{
	uint32_t word, stops, bits;

	if (!has_bytes(cursor, sizeof word, is_whole))
		return take_varint(cursor);
	memcpy(&word, cursor->at, sizeof word);
	stops = ~word & 0x80808080;
	if (__builtin_expect(!stops, 0))
		return take_varint(cursor);
	bits = (uint32_t)__builtin_ctz(stops) + 1;
	word &= UINT32_MAX >> (32 - bits);
	cursor->at += bits / 8;
	return (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) | (word >> 3 & 0xfe00000);
}

/* A number with a code of all ones. */
PART_OF_LOOP uint64_t take_rest(struct cursor *cursor, uint64_t code)
{
	uint64_t number = code + take_quick_varint(cursor, false);

	cursor->bad |= number < code;
	return number;
}

/* `bits` is less than 64. */
PART_OF_LOOP uint64_t lowest(uint64_t word, uint32_t bits)
{
	return word & ((UINT64_C(1) << bits) - 1);
}

/* Takes the rests of a gap and of a duration, if any, as varints of up to four bytes. False: they are longer. Does not branch on their
 * unpredictable lengths. The second varint depends only on the end of the first. */
PART_OF_LOOP bool take_short_rests(struct cursor *cursor, bool is_whole, bool of_gap, bool of_duration,
                                   uint64_t *gap, uint64_t *duration)
{
	enum { SHORT_BITS = 32 };
	uint64_t word, ends;
	uint32_t gap_bits, bits;

	if (!has_bytes(cursor, sizeof word, is_whole))
		return false;
	memcpy(&word, cursor->at, sizeof word);
	ends = ~word & UINT64_C(0x8080808080808080);
	if (__builtin_expect(!ends, 0))
		return false;
	gap_bits = of_gap ? (uint32_t)__builtin_ctzll(ends) + 1 : 0;
	if (__builtin_expect(gap_bits > SHORT_BITS || !(ends >> gap_bits), 0))
		return false;
	bits = of_duration ? (uint32_t)__builtin_ctzll(ends >> gap_bits) + 1 : 0;
	if (__builtin_expect(bits > SHORT_BITS, 0))
		return false;
	cursor->at += (gap_bits + bits) / 8;
	/* One varint is in each half of the word. Seven bits of each byte count. */
	word = lowest(word, gap_bits) | lowest(word >> gap_bits, bits) << SHORT_BITS;
	word = (word & 0x007f007f007f007f) | (word >> 1 & 0x3f803f803f803f80);
	word = (word & 0x00003fff00003fff) | (word >> 2 & 0x0fffc0000fffc000);
	*gap += (uint32_t)word;
	*duration += word >> SHORT_BITS;
	return true;
}

/* Gap and duration of a predicted event with a head of at least HEAD_SHORT. Does not branch on its form. */
PART_OF_LOOP void take_packed(struct cursor *cursor, bool is_whole, uint8_t head, uint64_t *gap,
                              uint64_t *duration)
{
	const bool is_short = head < HEAD_PACKED;
	const size_t size = is_short ? 1 : 2;
	uint16_t word = 0;
	uint32_t times;

	if (has_bytes(cursor, sizeof word, is_whole))
		memcpy(&word, cursor->at, sizeof word);
	else if (cursor_left(cursor) >= size)
		word = *cursor->at;
	else
		cursor->bad = true;
	times = (uint32_t)(head % 16) << 16 | word;
	*gap = is_short ? (uint32_t)(head % 16) << 3 | (word & UINT8_MAX) >> 5 : times >> PACKED_BITS;
	*duration = is_short ? (uint32_t)(head - HEAD_SHORT) >> 4 << 5 | word % 32 : times % PACKED_DURATION;
	cursor->at += cursor->bad ? 0 : size;
}

/* Gap and duration of any other event. */
PART_OF_LOOP void take_times(struct cursor *cursor, uint8_t version, bool is_whole, uint8_t head,
                             uint64_t *gap, uint64_t *duration)
{
	const bool predicted = head < HEAD_EXPLICIT, is_wide = !predicted || version == 1;
	const uint64_t gap_rest = predicted && version == 1 ? GAP_REST_1 : GAP_REST;
	const uint64_t rest = is_wide ? DURATION_REST_EXPLICIT : DURATION_REST;
	bool long_gap, long_duration;

	*gap = head >> (is_wide ? GAP_SHIFT_EXPLICIT : GAP_SHIFT) & gap_rest;
	*duration = head & rest;
	long_gap = *gap == gap_rest;
	long_duration = *duration == rest;
	if (take_short_rests(cursor, is_whole, long_gap, long_duration, gap, duration))
		return;
	if (long_gap)
		*gap = take_rest(cursor, *gap);
	if (long_duration)
		*duration = take_rest(cursor, *duration);
}

#endif
