#include "fuzz.h"

#include "base/crc32.h"
#include "trace/format.h"

#include <string.h>

void mend_checksums(uint8_t *bytes, size_t size)
{
	struct chunk_header header;

	for (size_t at = 0; at + sizeof header <= size; at += CHUNK_ALIGNMENT) {
		memcpy(&header, bytes + at, sizeof header);
		if (memcmp(header.magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) != 0)
			continue;
		header.identity_crc = crc32_of(&header, offsetof(struct chunk_header, identity_crc));
		if (header.length <= size - at - sizeof header)
			header.payload_crc = crc32_of(bytes + at + sizeof header, header.length);
		header.seal_crc = crc32_of(&header.sealed, 4 * sizeof header.sealed);
		memcpy(bytes + at, &header, sizeof header);
	}
}
