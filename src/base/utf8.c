#include "base/utf8.h"

#include <string.h>

/* By the first byte; 0: it cannot begin a character. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

uint32_t utf8_next(const char **at, const char *end)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)(*at)++;
	size_t length = length_of(*bytes);
	uint32_t code;

	if (length <= 1)
		return length ? *bytes : UTF8_INVALID;
	if ((size_t)(end - (const char *)bytes) < length)
		return UTF8_INVALID;
	code = *bytes & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return UTF8_INVALID;
		code = code << 6 | (bytes[i] & 0x3fu);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return UTF8_INVALID;
	*at += length - 1;
	return code;
}

void utf8_strip_controls(char *bytes, size_t size, const char *kept)
{
	const char *at = bytes, *end = bytes + size;

	while (at < end) {
		char *begin = bytes + (at - bytes);
		uint32_t code = utf8_next(&at, end);
		bool is_kept = code && code < 0x80 && strchr(kept, (int)code);
		if (code == UTF8_INVALID || (utf8_is_control(code) && !is_kept))
			memset(begin, '?', (size_t)(at - begin));
	}
}
