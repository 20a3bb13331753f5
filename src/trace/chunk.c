#include "trace/chunk.h"

#include "base/crc32.h"
#include "base/files.h"

#include <errno.h>
#include <string.h>

enum {
	IDENTITY_SIZE = offsetof(struct chunk_header, identity_crc),
	SEAL_START = offsetof(struct chunk_header, sealed),
	SEAL_SIZE = offsetof(struct chunk_header, seal_crc) - SEAL_START,
};

uint32_t chunk_identity_crc(const struct chunk_header *header)
{
	return crc32_of(header, IDENTITY_SIZE);
}

uint32_t chunk_seal_crc(const struct chunk_header *header)
{
	return crc32_of((const uint8_t *)header + SEAL_START, SEAL_SIZE);
}

const char *chunk_header_problem(const struct chunk_header *header, bool checks_sum)
{
	if (memcmp(header->magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) != 0)
		return "no chunk begins here";
	if (checks_sum && header->identity_crc != chunk_identity_crc(header))
		return "a chunk's header has a wrong checksum";
	if (!header->version || header->version > TRACE_VERSION)
		return "a chunk has an unknown version";
	return NULL;
}

bool chunk_read_header(int from, off_t offset, struct chunk_header *header)
{
	if (!pread_fully(from, header, sizeof *header, offset))
		return false;
	errno = EIO;
	return !chunk_header_problem(header, true);
}

/* Reads the payload through the buffer and computes its checksum. `write` also writes it to the output. A payload that fits into the
 * buffer is in it afterwards. */
static bool pass_payload(const struct chunk_copier *copier, off_t at, uint32_t length, bool write,
                         uint32_t *crc)
{
	*crc = 0;
	while (length > 0) {
		uint32_t piece = length < CHUNK_COPY_BUFFER ? length : CHUNK_COPY_BUFFER;
		if (!pread_fully(copier->from, copier->buffer, piece, at))
			return false;
		if (write && !write_fully(copier->to, copier->buffer, piece))
			return false;
		*crc = crc32_more(*crc, copier->buffer, piece);
		at += (off_t)piece;
		length -= piece;
	}
	return true;
}

static bool write_payload(const struct chunk_copier *copier, off_t at, uint32_t length, uint32_t tail_size)
{
	static const uint8_t padding[CHUNK_ALIGNMENT];
	uint32_t crc;

	if (!(length <= CHUNK_COPY_BUFFER ? write_fully(copier->to, copier->buffer, length)
	                                  : pass_payload(copier, at, length, true, &crc)))
		return false;
	if (tail_size && !write_fully(copier->to, copier->tail, tail_size))
		return false;
	length += tail_size;
	return write_fully(copier->to, padding, chunk_align(length) - length);
}

bool chunk_copy(const struct chunk_copier *copier, off_t offset, const struct chunk_header *header, bool seal)
{
	struct chunk_header copy = *header;
	off_t payload = offset + (off_t)sizeof copy;
	uint32_t crc, length = copy.length, tail_size = 0;

	errno = EIO;
	if (copy.length > copy.capacity || !pass_payload(copier, payload, copy.length, false, &crc))
		return false;
	errno = EIO;
	if (copy.sealed && (copy.payload_crc != crc || copy.seal_crc != chunk_seal_crc(&copy)))
		return false;
	if (seal && !copy.sealed) {
		tail_size = copier->tail_size;
		copy.length += tail_size;
		copy.sealed = 1;
		copy.payload_crc = tail_size ? crc32_more(crc, copier->tail, tail_size) : crc;
		copy.seal_crc = chunk_seal_crc(&copy);
	}
	if (!copy.sealed && copy.events == (uint32_t)OPEN_CALL_UNDEFINED)
		copy.events = OPEN_CALL_NONE; /* only the payload is copied */
	copy.capacity = (uint32_t)chunk_align(copy.length);
	copy.identity_crc = chunk_identity_crc(&copy);
	return write_fully(copier->to, &copy, sizeof copy) &&
	       write_payload(copier, payload, length, tail_size);
}
