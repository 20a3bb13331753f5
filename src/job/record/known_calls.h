/* The distinct calls that the thread's chunk has defined, by their keys. A program may also make calls of which no two are equal, with tags or sizes
 * that count up: then a call is defined by what it differs in from the last one that was made from the same place. */
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

/* The words are multiplied side by side: one after the other would take the processor several times as long. */
static inline uint64_t stream_key_hash(const int64_t *key, uint32_t words)
{
	uint64_t hash = words, factor = 0xff51afd7ed558ccdu;

	for (uint32_t i = 0; i < words; i++, factor += 0x9e3779b97f4a7c16u)
		hash += ((uint64_t)key[i] ^ (uint64_t)key[i] >> 32) * factor;
	return hash;
}

/* The slot that holds the call, or the free one where it belongs. */
uint32_t *stream_find_slot(struct recording_stream *s, const int64_t *key, uint32_t words);

/* The number of a call in the current chunk, defined if need be, in a new chunk if this one is full. NO_CALL:
 * recording has ended. */
uint32_t stream_find_call(struct recording_stream *s, const int64_t *key, uint32_t words);

/* The thread is in a call like the last one from that place. False: none is known, or it differs in more than numbers. */
bool stream_open_like(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start);

/* Goes on in a fresh chunk that has room for a record of `record_bytes` (stream.c). */
bool stream_next_chunk(struct recording_stream *s, size_t record_bytes);

#pragma GCC visibility pop

#endif
