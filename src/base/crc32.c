#include "base/crc32.h"

#include <string.h>

#ifdef __ARM_FEATURE_CRC32
#include <arm_acle.h>

uint32_t crc32_of(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint32_t crc = ~0u;

	for (; size >= 8; size -= 8, at += 8) {
		uint64_t word;
		memcpy(&word, at, sizeof word);
		crc = __crc32d(crc, word);
	}
	for (; size; size--)
		crc = __crc32b(crc, *at++);
	return ~crc;
}

#else

enum { SLICES = 8, POLYNOMIAL = 0xedb88320 };

static uint32_t slice[SLICES][256];

/* At load time, so that no caller pays for a test and no two threads race for the table. */
__attribute__((constructor)) static void fill_slices(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? (uint32_t)POLYNOMIAL : 0);
		slice[0][byte] = crc;
	}
	for (int s = 1; s < SLICES; s++)
		for (uint32_t byte = 0; byte < 256; byte++)
			slice[s][byte] = slice[s - 1][byte] >> 8 ^ slice[0][slice[s - 1][byte] & 0xff];
}

uint32_t crc32_of(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint32_t crc = ~0u;

	for (; size >= SLICES; size -= SLICES, at += SLICES) {
		uint64_t word;
		uint32_t next = 0;
		memcpy(&word, at, sizeof word);
		word ^= crc;
		for (int s = 0; s < SLICES; s++)
			next ^= slice[SLICES - 1 - s][word >> 8 * s & 0xff];
		crc = next;
	}
	for (; size; size--)
		crc = crc >> 8 ^ slice[0][(crc ^ *at++) & 0xff];
	return ~crc;
}

#endif
