/* The header of a chunk, its checksums, and copying chunks from file to file. Nothing here allocates, prints or ends the
 * process: the recorder puts its parts together with it, and so does `tarry recover`.
 *
 *	struct chunk_copier copier = {.from = part, .to = trace, .buffer = room};
 *	struct chunk_header header;
 *
 *	if (chunk_read_header(part, offset, &header) && chunk_copy(&copier, offset, &header, false))
 *		offset += sizeof header + header.capacity; */
#ifndef TARRY_TRACE_CHUNK_H
#define TARRY_TRACE_CHUNK_H

#include "trace/format.h"

#include <stdbool.h>
#include <sys/types.h>

enum { CHUNK_COPY_BUFFER = 1 << 18 };

struct chunk_copier {
	int from;
	int to;
	uint8_t *buffer; /* of CHUNK_COPY_BUFFER bytes */
	/* What an open chunk gets behind its payload when it is sealed; may be NULL. */
	const uint8_t *tail;
	uint32_t tail_size;
};

uint32_t chunk_identity_crc(const struct chunk_header *header);
uint32_t chunk_seal_crc(const struct chunk_header *header);

/* Why this is not the header of a chunk; NULL: it is. */
const char *chunk_header_problem(const struct chunk_header *header);

/* False: errno; no chunk begins at this byte: EIO. */
bool chunk_read_header(int from, off_t offset, struct chunk_header *header);

/* Bytes that a payload of this length takes up in a file. */
static inline uint32_t chunk_padded(uint32_t length)
{
	return (length + CHUNK_ALIGNMENT - 1) & ~(uint32_t)(CHUNK_ALIGNMENT - 1);
}

/* Writes the chunk at `offset` without the room that it did not use. The caller may have given the header another world
 * and process. With `seal` an open chunk becomes final; its length and events must be right by then. False: errno; a
 * payload that is not what its checksum says, or longer than its chunk: EIO. */
bool chunk_copy(const struct chunk_copier *copier, off_t offset, const struct chunk_header *header,
                bool seal);

#endif
