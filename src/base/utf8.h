/* UTF-8 text from traces and files, which may contain any bytes.
 *
 *	for (const char *at = text, *end = at + strlen(at); at < end;) {
 *		const char *begin = at;
 *		uint32_t code = utf8_next(&at, end);
 *		if (code == UTF8_INVALID) …            one byte, from `begin`
 *	}
 *
 *	columns += utf8_count(text, strlen(text));
 *	while (utf8_continues(text[cut])) cut--;       never inside a character */
#ifndef TARRY_BASE_UTF8_H
#define TARRY_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_INVALID UINT32_MAX
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The character at `*at`; moves `*at` past it. UTF8_INVALID for a byte that does not begin a valid character:
 * truncated, overlong, a surrogate or beyond the last code point. `*at` must be before `end`. */
uint32_t utf8_next(const char **at, const char *end);

/* Marks that change the direction of text: they make a name look like another one. */
static inline bool utf8_turns_direction(uint32_t code)
{
	return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

/* C0, DEL and C1, which a terminal may obey, and marks that change the direction of text. */
static inline bool utf8_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || utf8_turns_direction(code);
}

/* Replaces control characters and invalid bytes by question marks, so that a terminal does not obey them. The
 * control characters in `kept` stay. */
void utf8_strip_controls(char *bytes, size_t size, const char *kept);

/* True for any byte but the first of a character. */
static inline bool utf8_continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The number of characters: their columns on a terminal, if none of them is wide. */
static inline size_t utf8_count(const char *bytes, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += !utf8_continues(bytes[i]);
	return count;
}

/* The number of bytes of the first `characters` characters. */
static inline size_t utf8_bytes(const char *text, size_t characters)
{
	size_t bytes = 0;

	while (text[bytes] && (characters || utf8_continues(text[bytes])))
		characters -= !utf8_continues(text[bytes++]);
	return bytes;
}

#endif
