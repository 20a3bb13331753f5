/* The distinct calls of the thread's chunk, by their keys. In some programs, no two calls are equal, because tags or sizes count up. Such a
 * call is defined by its differences from the last call of the same place. */
#ifndef TARRY_JOB_RECORD_KNOWN_CALLS_H
#define TARRY_JOB_RECORD_KNOWN_CALLS_H

#include "job/record/stream.h"

#pragma GCC visibility push(hidden)

static inline bool stream_knows(const struct recording_stream *s, uint32_t call, const int64_t *key,
                                uint32_t words)
{
	const int64_t *known = s->words + s->known[call].first;

	if (s->known[call].words != words)
		return false;
	for (uint32_t i = 0; i < words; i++)
		if (known[i] != key[i])
			return false;
	return true;
}

/* Multiplies all words independently of each other, which is several times as fast as a chain of multiplications. */
static inline uint64_t stream_key_hash(const int64_t *key, uint32_t words)
{
	uint64_t hash = words, factor = 0xff51afd7ed558ccdu;

	for (uint32_t i = 0; i < words; i++, factor += 0x9e3779b97f4a7c16u)
		hash += ((uint64_t)key[i] ^ (uint64_t)key[i] >> 32) * factor;
	return hash;
}

/* The slot of the call, or the free slot for it. */
uint32_t *stream_find_slot(struct recording_stream *s, const int64_t *key, uint32_t words);

/* The number of a call in the current chunk. Defines the call if it is new; if the chunk is full, in a new one. NO_CALL: recording has ended. */
uint32_t stream_find_call(struct recording_stream *s, const int64_t *key, uint32_t words);

/* Opens a call as the differences from the last call of its place. False: there is none, or they differ in more than numbers. */
bool stream_open_like(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* Continues in a new chunk with room for `record_bytes` (stream.c). */
bool stream_next_chunk(struct recording_stream *s, size_t record_bytes);

#pragma GCC visibility pop

#endif
