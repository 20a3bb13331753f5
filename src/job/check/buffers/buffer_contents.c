#include "job/check/buffers/buffer_contents.h"

#include "base/settings.h"
#include "job/check/buffers/content_hash.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/buffers/receive_shadows.h"
#include "job/check/wire/process_state.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<xxhash.h>)
#define XXH_INLINE_ALL
#include <xxhash.h>
#else
#include "base/crc32.h"
#endif

enum { COLLECTED_BYTES = 4096 };

bool buffer_contents_wanted;

static uint64_t hash_anywhere(const void *data, size_t bytes, uint64_t seed)
{
#if __has_include(<xxhash.h>)
	return XXH3_64bits_withSeed(data, bytes, seed);
#else
	return crc32_more((uint32_t)seed, data, bytes);
#endif
}

static content_hash *hash_bytes_of = hash_anywhere;

void buffer_contents_init(void)
{
	const char *setting = setting_get(SETTING_BUFFERS);
	content_hash *best = content_hash_find();

	if (best)
		hash_bytes_of = best;
	receive_shadows_wanted = message_contents_wanted = setting && strcmp(setting, BUFFERS_ALL) == 0;
	buffer_contents_wanted = receive_shadows_wanted || (setting && strcmp(setting, BUFFERS_SEND) == 0);
}

#if __has_include(<xxhash.h>)
typedef XXH3_state_t hash_stream;

static void stream_begin(hash_stream *stream)
{
	XXH3_64bits_reset_withSeed(stream, 0);
}

static void stream_add(hash_stream *stream, const void *data, size_t bytes)
{
	XXH3_64bits_update(stream, data, bytes);
}

static uint64_t stream_end(hash_stream *stream)
{
	return XXH3_64bits_digest(stream);
}
#else
typedef uint32_t hash_stream;

static void stream_begin(hash_stream *stream)
{
	*stream = 0;
}

static void stream_add(hash_stream *stream, const void *data, size_t bytes)
{
	*stream = crc32_more(*stream, data, bytes);
}

static uint64_t stream_end(hash_stream *stream)
{
	return *stream;
}
#endif

static const void *memory_at(int64_t address)
{
	return (const void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

/* Short runs are collected and hashed together, which is faster than one at a time. */
struct run_hash {
	hash_stream stream;
	bool is_streamed; /* otherwise everything is in `collected` */
	size_t count;
	uint8_t collected[COLLECTED_BYTES];
};

static void add_to_stream(struct run_hash *hash, const void *data, size_t bytes)
{
	if (!hash->is_streamed)
		stream_begin(&hash->stream);
	hash->is_streamed = true;
	stream_add(&hash->stream, data, bytes);
}

static void add_collected(struct run_hash *hash)
{
	if (hash->count)
		add_to_stream(hash, hash->collected, hash->count);
	hash->count = 0;
}

static void add_run(struct run_hash *hash, const void *data, size_t bytes)
{
	if (bytes > sizeof hash->collected - hash->count)
		add_collected(hash);
	if (bytes > sizeof hash->collected) {
		add_to_stream(hash, data, bytes);
		return;
	}
	if (bytes == sizeof(double)) /* inlined by the compiler */
		memcpy(hash->collected + hash->count, data, sizeof(double));
	else
		memcpy(hash->collected + hash->count, data, bytes);
	hash->count += bytes;
}

static uint64_t hash_runs(const struct byte_pattern *pattern, int64_t limit)
{
	struct run_hash hash;

	hash.is_streamed = false;
	hash.count = 0;
	for (int64_t i = 0; i < pattern->times && limit > 0; i++) {
		const int64_t start = pattern->start + i * pattern->stride;

		for (uint32_t j = 0; j < pattern->count && limit > 0; j++) {
			const struct byte_run *run = &pattern->run[j];
			const int64_t bytes = run->length < limit ? run->length : limit;

			add_run(&hash, memory_at(start + run->offset), (size_t)bytes);
			limit -= bytes;
		}
	}
	if (!hash.is_streamed)
		return hash_bytes_of(hash.collected, hash.count, 0);
	add_collected(&hash);
	return stream_end(&hash.stream);
}

uint64_t byte_pattern_hash_first(const struct byte_pattern *pattern, int64_t limit)
{
	const int64_t bytes = byte_pattern_bytes(pattern);

	/* Elements without gaps are one piece. */
	if (pattern->count == 1 && (pattern->times == 1 || pattern->stride == pattern->run[0].length))
		return hash_bytes_of(memory_at(pattern->start + pattern->run[0].offset),
		                     (size_t)(bytes < limit ? bytes : limit), 0);
	return hash_runs(pattern, limit);
}

uint64_t byte_pattern_hash(const struct byte_pattern *pattern)
{
	return byte_pattern_hash_first(pattern, INT64_MAX);
}

void buffer_contents_keep(struct active_buffer *buffer, uint64_t hash)
{
	buffer->has_content = !buffer->receives;
	if (!buffer->has_content)
		return;
	buffer->content = hash ? hash : byte_pattern_hash(&buffer->pattern);
	if (receive_shadows_wanted && !buffer->overlaps && !agent_is_off())
		buffer->guard = active_buffer_guard(buffer, GUARD_WRITES);
}

bool buffer_contents_compare(struct agent_call *call, struct active_buffer *buffer)
{
	struct page_access access;
	const bool was_written = guard_end(buffer->guard, &access) && !access.in_call;

	buffer->guard = 0;
	/* If another operation may have changed the data, there is a report of the overlap. */
	if (!buffer->has_content || buffer->overlaps || call->nested ||
	    (!was_written && byte_pattern_hash(&buffer->pattern) == buffer->content))
		return false;
	if (!buffer->is_reported)
		active_buffer_report(call, buffer, CHECK_MEMORY_SEND_CHANGED, was_written ? &access : NULL);
	return true;
}
