/* CRC-32 as in IEEE 802.3 and zlib, over the processor's own instruction where it has one. */
#ifndef TARRY_BASE_CRC32_H
#define TARRY_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32_of(const void *bytes, size_t size);
/* Extends `crc` by more bytes; the checksum of no bytes is 0. */
uint32_t crc32_more(uint32_t crc, const void *bytes, size_t size);

#endif
