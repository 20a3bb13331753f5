/* Numbers made from others in the same way by all processes: identities of what they have in common. */
#ifndef TARRY_JOB_RECORD_HASH_H
#define TARRY_JOB_RECORD_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

uint64_t hash_words(const int64_t *words, size_t count, uint64_t seed);
uint64_t hash_text(const char *text, size_t length);

#endif
