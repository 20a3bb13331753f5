/* One hash for the whole tree.
 *
 *	uint64_t hash = hash_word(hash_word(0, comm), tag);
 *	uint64_t name = hash_bytes(text, strlen(text));
 *	slot = hash_fold(hash) & (slot_count - 1);
 *
 * hash_word() adds a word to a hash. Its low bits may be poor (keys that differ in their highest bits only),
 * so a table must take its slots from hash_fold(); base/map.h does this itself. Processes agree on hashes as
 * long as their machines have the same byte order. Not for input chosen to collide. */
#ifndef TARRY_BASE_HASH_H
#define TARRY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

/* Folds all bits of the hash into 32. */
static inline uint32_t hash_fold(uint64_t hash)
{
	return (uint32_t)(hash * 0xc4ceb9fe1a85ec53u >> 32);
}

static inline uint64_t hash_words(const int64_t *words, size_t count, uint64_t seed)
{
	uint64_t hash = hash_word(seed, count);

	for (size_t i = 0; i < count; i++)
		hash = hash_word(hash, (uint64_t)words[i]);
	return hash;
}

static inline uint64_t hash_bytes(const void *bytes, size_t size)
{
	const uint8_t *at = (const uint8_t *)bytes;
	uint64_t hash = hash_word(0x9e3779b97f4a7c15u, size), word;

	for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = hash_word(hash, word);
	}
	if (size) {
		word = 0;
		memcpy(&word, at, size);
		hash = hash_word(hash, word);
	}
	return hash;
}

#endif
