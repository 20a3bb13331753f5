/* The CRC instructions of AArch64. They are optional in its first version, so their presence
 * is tested at run time. */
#ifndef TARRY_BASE_CRC32_AARCH64_H
#define TARRY_BASE_CRC32_AARCH64_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif

static inline int crc32_in_hardware(void)
{
	return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
}

static uint32_t crc32_hardware(uint32_t crc, const uint8_t *at, size_t size)
{
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, at, sizeof word);
		__asm__(".arch_extension crc\n\tcrc32x %w0, %w0, %x1" : "+r"(crc) : "r"(word));
	}
	for (; size; size--, at++)
		__asm__(".arch_extension crc\n\tcrc32b %w0, %w0, %w1" : "+r"(crc) : "r"((uint32_t)*at));
	return crc;
}

#endif
