/* Records as bytes for another process of the same program: the bytes in memory are copied.
 *
 *	PACK(&out, fact);                   any plain record
 *	pack_text(&out, "MPI_Send");
 *
 *	struct cursor in = unpack_begin(&block);
 *	while (cursor_left(&in))
 *		if (UNPACK(&in, &fact)) … */
#ifndef TARRY_BASE_PACKING_H
#define TARRY_BASE_PACKING_H

#include "base/bytes.h"
#include "base/text.h"

#define PACK(out, value) text_add_bytes(out, (const char *)&(value), sizeof(value))
/* False: not enough bytes are left, and the record is unchanged. */
#define UNPACK(in, value) unpack_bytes(in, value, sizeof *(value))

static inline void pack_text(struct text *out, const char *text)
{
	uint32_t length = (uint32_t)strlen(text);

	PACK(out, length);
	text_add_bytes(out, text, length + 1u);
}

static inline struct cursor unpack_begin(const struct text *block)
{
	const uint8_t *bytes = (const uint8_t *)text_get(block);

	return (struct cursor){.at = bytes, .end = bytes + block->length};
}

static inline bool unpack_bytes(struct cursor *in, void *value, size_t size)
{
	const uint8_t *bytes = take_bytes(in, size);

	if (bytes)
		memcpy(value, bytes, size);
	return bytes;
}

/* Valid as long as the block. "": missing. */
static inline const char *unpack_text(struct cursor *in)
{
	uint32_t length = 0;
	const uint8_t *bytes = UNPACK(in, &length) ? take_bytes(in, length + 1u) : NULL;

	return bytes ? (const char *)bytes : "";
}

#endif
