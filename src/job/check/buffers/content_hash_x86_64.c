#include "job/check/buffers/content_hash.h"

#ifdef __x86_64__
/* Clang has no such pragma. */
#if __has_include(<xxhash.h>) && !defined(__clang__)
#pragma GCC target("avx2")
#define XXH_INLINE_ALL
#define XXH_VECTOR 2 /* AVX2 */
#include <xxhash.h>

/* With this pragma, GCC does not clear the upper halves of the registers, which would make the program's SSE instructions several times slower. */
static uint64_t hash_avx2(const void *data, size_t bytes, uint64_t seed)
{
	const uint64_t hash = XXH3_64bits_withSeed(data, bytes, seed);

	_mm256_zeroupper();
	return hash;
}

content_hash *content_hash_find(void)
{
	return __builtin_cpu_supports("avx2") ? hash_avx2 : NULL;
}
#else
content_hash *content_hash_find(void)
{
	return NULL;
}
#endif
#endif
