/* CRC-32 as in IEEE 802.3 and zlib, over the processor's own instruction where it has one. */
#ifndef TARRY_BASE_CRC32_H
#define TARRY_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32_of(const void *bytes, size_t size);
/* Of more bytes after those that `crc` is of; 0 is that of none. */
uint32_t crc32_more(uint32_t crc, const void *bytes, size_t size);

#endif
