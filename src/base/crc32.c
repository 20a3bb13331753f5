#include "base/crc32.h"

#include <string.h>

#if defined(__aarch64__)
#include "base/crc32_aarch64.h"
#else
static inline int crc32_in_hardware(void)
{
	return 0; /* x86-64 has an instruction only for another polynomial */
}

static inline uint32_t crc32_hardware(uint32_t crc, const uint8_t *at, size_t size)
{
	(void)at;
	(void)size;
	return crc;
}
#endif

enum { SLICES = 8 };

static const uint32_t POLYNOMIAL = 0xedb88320;

static uint32_t slice[SLICES][256];
static int in_hardware;

/* At load time, so that no caller pays for a test and threads do not race for the table. */
__attribute__((constructor)) static void prepare(void)
{
	in_hardware = crc32_in_hardware();
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		slice[0][byte] = crc;
	}
	for (int s = 1; s < SLICES; s++)
		for (uint32_t byte = 0; byte < 256; byte++)
			slice[s][byte] = slice[s - 1][byte] >> 8 ^ slice[0][slice[s - 1][byte] & 0xff];
}

static uint32_t crc32_sliced(uint32_t crc, const uint8_t *at, size_t size)
{
	for (; size >= SLICES; size -= SLICES, at += SLICES) {
		uint64_t word;
		uint32_t next = 0;
		memcpy(&word, at, sizeof word);
		word ^= crc;
#pragma GCC unroll 8
		for (int s = 0; s < SLICES; s++)
			next ^= slice[SLICES - 1 - s][word >> 8 * s & 0xff];
		crc = next;
	}
	for (; size; size--)
		crc = crc >> 8 ^ slice[0][(crc ^ *at++) & 0xff];
	return crc;
}

uint32_t crc32_more(uint32_t crc, const void *bytes, size_t size)
{
	return ~(in_hardware ? crc32_hardware : crc32_sliced)(~crc, bytes, size);
}

uint32_t crc32_of(const void *bytes, size_t size)
{
	return crc32_more(0, bytes, size);
}
