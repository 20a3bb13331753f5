#include "job/check/buffer_contents.h"

#include "base/settings.h"
#include "job/check/content_hash.h"
#include "job/check/receive_shadows.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<xxhash.h>)
#define XXH_INLINE_ALL
#include <xxhash.h>
#else
#include "base/crc32.h"
#endif

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
	receive_shadows_wanted = setting && strcmp(setting, BUFFERS_ALL) == 0;
	buffer_contents_wanted = receive_shadows_wanted || (setting && strcmp(setting, BUFFERS_SEND) == 0);
}

static uint64_t hash_more(uint64_t hash, int64_t address, int64_t bytes)
{
	return hash_bytes_of((const void *)(uintptr_t)address,
	                     (size_t)bytes, /* NOLINT(performance-no-int-to-ptr) */
	                     hash);
}

uint64_t byte_pattern_hash(const struct byte_pattern *pattern)
{
	uint64_t hash = 0;

	for (int64_t i = 0; i < pattern->times; i++) {
		const int64_t start = pattern->start + i * pattern->stride;

		/* Elements without gaps are one piece. */
		if (pattern->count == 1 && pattern->stride == pattern->run[0].length)
			return hash_more(hash, start + pattern->run[0].offset,
			                 pattern->run[0].length * pattern->times);
		for (uint32_t j = 0; j < pattern->count; j++)
			hash = hash_more(hash, start + pattern->run[j].offset, pattern->run[j].length);
	}
	return hash;
}

void buffer_contents_keep(struct active_buffer *buffer)
{
	buffer->has_content = !buffer->receives;
	if (buffer->has_content)
		buffer->content = byte_pattern_hash(&buffer->pattern);
}

void buffer_contents_compare(struct agent_call *call, const struct active_buffer *buffer)
{
	struct finding_draft draft;

	/* What another operation may have written to is reported as an overlap. */
	if (!buffer->has_content || buffer->overlaps || call->nested ||
	    byte_pattern_hash(&buffer->pattern) == buffer->content)
		return;
	finding_draft(&draft, CHECK_MEMORY_SEND_CHANGED, call);
	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(buffer->by, (uint32_t)buffer->parameter));
	finding_draft_value(&draft, "bytes", "%lld", (long long)byte_pattern_bytes(&buffer->pattern));
	active_buffer_origin(&draft, buffer);
	finding_report(&draft);
}
