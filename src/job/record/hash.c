#include "job/record/hash.h"

uint64_t hash_words(const int64_t *words, size_t count, uint64_t seed)
{
	uint64_t hash = mix(seed, count);

	for (size_t i = 0; i < count; i++)
		hash = mix(hash, (uint64_t)words[i]);
	return hash;
}

uint64_t hash_text(const char *text, size_t length)
{
	uint64_t hash = mix(length, 0x706f7274);

	for (size_t i = 0; i < length; i++)
		hash = mix(hash, (uint8_t)text[i]);
	return hash;
}
