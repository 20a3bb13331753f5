/* Groups of chunks. Chunks of many processes mostly differ in their times only. A group has the rest once: a table of records that precede
 * those of each chunk, and the order of the calls. See docs/trace-format.md, "Groups". */
#ifndef TARRY_TRACE_GROUPS_H
#define TARRY_TRACE_GROUPS_H

#include "base/array.h"
#include "base/text.h"
#include "trace/reader.h"

/* The tables and groups of a file. */
struct shared_chunks {
	ARRAY(struct chunk) tables, groups;
	uint64_t bytes_before; /* of earlier files */
};

/* Chunks of a group, because a few damaged bytes must not claim all memory. */
enum { GROUP_MAX = 1 << 17 };

/* Adds the chunks of all groups to the reader. */
void take_groups(struct reader *reader, const struct shared_chunks *shared);

/* Ascending ranks. Those of a regular part of a grid take a few bytes, however many they are. */
void put_ranks(struct text *out, const uint32_t *ranks, size_t count);
/* False: the bytes are damaged. */
bool take_ranks(struct cursor *from, uint32_t *ranks, size_t count);

void text_add_varint(struct text *out, uint64_t number);
/* A long record. */
void text_add_long(struct text *out, enum record_kind kind, const void *body, size_t size);

#endif
