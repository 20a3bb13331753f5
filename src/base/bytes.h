/* Numbers as bytes: little-endian fixed widths and varints (seven bits a byte, low bits first, high
 * bit set on all but the last). Signed numbers are written as zigzag varints, so that small ones of
 * either sign are short.
 *
 * Writers trust their caller to have left room (VARINT_MAX bytes for each varint). Readers trust nothing: a
 * cursor that runs past its end, or meets a varint longer than 64 bits, sets `bad` and returns zeros from
 * then on, so one test after a group of reads is enough. */
#ifndef TARRY_BASE_BYTES_H
#define TARRY_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Tarry writes its traces in the machine's own order, which has to be little-endian"
#endif

enum { VARINT_MAX = 10 };

static inline uint64_t zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t bits)
{
	return (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
}

static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

static inline uint8_t *put_signed(uint8_t *at, int64_t value)
{
	return put_varint(at, zigzag(value));
}

static inline uint8_t *put_u64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof value);
	return at + sizeof value;
}

static inline uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

static inline uint64_t take_varint(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
		uint8_t byte = *c->at++;
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	c->bad = true;
	c->at = c->end;
	return 0;
}

static inline int64_t take_signed(struct cursor *c)
{
	return unzigzag(take_varint(c));
}

/* The next `size` bytes, borrowed. If fewer are left: NULL, and `bad` is set. */
static inline const uint8_t *take_bytes(struct cursor *c, uint64_t size)
{
	const uint8_t *bytes = c->at;

	if (size > cursor_left(c)) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	c->at += size;
	return bytes;
}

static inline uint64_t take_u64(struct cursor *c)
{
	uint64_t value = 0;
	const uint8_t *bytes = take_bytes(c, sizeof value);

	if (!c->bad)
		memcpy(&value, bytes, sizeof value);
	return value;
}

#endif
