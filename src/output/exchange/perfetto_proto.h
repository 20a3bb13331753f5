/* Protocol buffers, as far as writing them goes: fields of a message one behind the other.
 *
 *	size_t packet = proto_begin(out, PACKET);
 *	proto_number(out, TIMESTAMP, ns);
 *	proto_text(out, NAME, "rank 3");
 *	proto_end(out, packet); */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_PROTO_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_PROTO_H

#include "base/text.h"

void proto_number(struct text *out, uint32_t field, uint64_t value);
/* Eight bytes, whatever the value. */
void proto_fixed64(struct text *out, uint32_t field, uint64_t value);
void proto_bytes(struct text *out, uint32_t field, const void *bytes, size_t size);
/* Bytes that are no UTF-8 become U+FFFD: readers may refuse a text that is none. */
void proto_text(struct text *out, uint32_t field, const char *string);

/* A message in a message. What is begun last ends first. */
size_t proto_begin(struct text *out, uint32_t field);
void proto_end(struct text *out, size_t begun);

#endif
