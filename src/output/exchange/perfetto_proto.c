#include "output/exchange/perfetto_proto.h"

#include "base/bytes.h"

#include <string.h>

/* The lowest three bits of a field's key. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static void add_varint(struct text *out, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	text_add_bytes(out, (char *)bytes, (size_t)(put_varint(bytes, value) - bytes));
}

static void add_key(struct text *out, uint32_t field, enum wire_type type)
{
	add_varint(out, (uint64_t)field << 3 | type);
}

void proto_number(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_VARINT);
	add_varint(out, value);
}

void proto_fixed64(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_FIXED64);
	text_add_bytes(out, (const char *)&value, sizeof value);
}

void proto_bytes(struct text *out, uint32_t field, const void *bytes, size_t size)
{
	add_key(out, field, WIRE_BYTES);
	add_varint(out, size);
	text_add_bytes(out, bytes, size);
}

static bool is_continued(const unsigned char *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if ((at[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Bytes of the letter at the beginning of a text that ends with a zero byte; 0 if they are no letter. */
static size_t letter_size(const unsigned char *at)
{
	if (*at < 0x80)
		return 1;
	if (*at >= 0xc2 && *at <= 0xdf)
		return is_continued(at + 1, 1) ? 2 : 0;
	if ((*at & 0xf0) == 0xe0) {
		bool overlong = *at == 0xe0 && at[1] < 0xa0;
		bool surrogate = *at == 0xed && at[1] >= 0xa0;
		return !overlong && !surrogate && is_continued(at + 1, 2) ? 3 : 0;
	}
	if (*at >= 0xf0 && *at <= 0xf4) {
		bool overlong = *at == 0xf0 && at[1] < 0x90;
		bool too_large = *at == 0xf4 && at[1] >= 0x90;
		return !overlong && !too_large && is_continued(at + 1, 3) ? 4 : 0;
	}
	return 0;
}

static void add_letters(struct text *out, const char *string)
{
	static const char replacement[] = "\xef\xbf\xbd";

	while (*string) {
		size_t size = letter_size((const unsigned char *)string);
		text_add_bytes(out, size ? string : replacement, size ? size : strlen(replacement));
		string += size ? size : 1;
	}
}

void proto_text(struct text *out, uint32_t field, const char *string)
{
	size_t begun = proto_begin(out, field);

	add_letters(out, string);
	proto_end(out, begun);
}

/* The length is expected to take one byte, and makes room for itself if it takes more. */
size_t proto_begin(struct text *out, uint32_t field)
{
	add_key(out, field, WIRE_BYTES);
	text_add_bytes(out, "", 1);
	return out->length;
}

void proto_end(struct text *out, size_t begun)
{
	size_t length = out->length - begun;
	uint8_t bytes[VARINT_MAX];
	size_t size = (size_t)(put_varint(bytes, length) - bytes);

	if (size > 1) {
		text_add_repeated(out, '\0', size - 1);
		memmove(out->bytes + begun + size - 1, out->bytes + begun, length);
	}
	memcpy(out->bytes + begun - 1, bytes, size);
}
