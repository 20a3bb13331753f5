/* The header of a chunk, its checksums, and copying chunks from file to file. Nothing here allocates, prints or exits, because the
 * recorder merges its parts with it, as does `tarry recover`.
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
	/* Appended to the payload of an open chunk when it is sealed; may be NULL. */
	const uint8_t *tail;
	uint32_t tail_size;
};

uint32_t chunk_identity_crc(const struct chunk_header *header);
uint32_t chunk_seal_crc(const struct chunk_header *header);

/* The reason why this is not the header of a chunk; NULL if it is. */
const char *chunk_header_problem(const struct chunk_header *header, bool checks_sum);

/* On failure sets errno: EIO if no chunk begins at this byte. */
bool chunk_read_header(int from, off_t offset, struct chunk_header *header);

/* Copies the chunk at `offset` without its unused room. The caller may change world and process in the header. `seal` makes an open
 * chunk final; the header must then have the right length and events. On failure sets errno: EIO if the payload has a wrong checksum
 * or is longer than its chunk. */
bool chunk_copy(const struct chunk_copier *copier, off_t offset, const struct chunk_header *header,
                bool seal);

#endif
