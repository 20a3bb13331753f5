#include "analysis/model/gaps.h"

#include "analysis/model/call_semantics.h"
#include "base/memory.h"
#include "calls/select.h"

#include <stdlib.h>
#include <string.h>

struct left_out left_out_of(const struct process *process)
{
	bool wanted[SELECTABLE], some_recorded = false;
	struct left_out left_out = {0};

	if (process_property(process, "counted") || !process_property(process, "selection"))
		return left_out;
	left_out.some_traffic = process_property(process, "left_out");
	memset(wanted, true, sizeof wanted);
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0)
			select_apply(process->properties[i].value, wanted);
	for (size_t i = 0; i < ALL_CALLS; i++) {
		if (call_flow(&all_calls[i]) || all_calls[i].starts) {
			some_recorded |= wanted[i];
			/* For the others, the recorder says whether the program called one
			 * (property `left_out`). */
			left_out.some_traffic |= !wanted[i] && all_calls[i].class == CLASS_POINT_TO_POINT &&
			                         !call_has(&all_calls[i], KIND_newrequest);
		} else if (all_calls[i].class == CLASS_REQUEST) {
			left_out.some_completions |= !wanted[i];
		}
	}
	left_out.some_traffic &= some_recorded;
	return left_out;
}

static void mark_chunks(const struct chunk *chunks, size_t count, bool *is_there, size_t most)
{
	for (size_t i = 0; i < count; i++)
		if (chunks[i].identity.sequence < most)
			is_there[chunks[i].identity.sequence] = true;
}

/* The sequence of the first missing chunk before an existing one; UINT64_MAX: none. */
static uint64_t first_lost(const struct process *process)
{
	size_t count = process->chunk_count, first = 0;
	bool *is_there;

	for (size_t i = 0; i < process->stream_count; i++)
		count += process->streams[i].chunk_count;
	is_there = memory_new(count + 1, sizeof *is_there);
	mark_chunks(process->chunks, process->chunk_count, is_there, count);
	for (size_t i = 0; i < process->stream_count; i++)
		mark_chunks(process->streams[i].chunks, process->streams[i].chunk_count, is_there, count);
	while (first < count && is_there[first])
		first++;
	free(is_there);
	return first < count ? first : UINT64_MAX;
}

/* Chunks of all threads were begun in the order of their sequence. */
uint64_t lost_since(const struct process *process)
{
	uint64_t lost = first_lost(process), last = 0, since = 0;

	if (lost == UINT64_MAX)
		return UINT64_MAX;
	for (size_t i = 0; i < process->stream_count; i++) {
		const struct stream *stream = &process->streams[i];
		for (size_t j = 0; j < stream->chunk_count; j++) {
			uint64_t sequence = stream->chunks[j].identity.sequence;
			if (sequence >= lost || sequence < last)
				continue;
			last = sequence;
			since = stream->chunks[j].base_tick;
		}
	}
	return since;
}

uint64_t unrecorded_since(const struct stream *stream)
{
	uint64_t since = UINT64_MAX;

	for (size_t i = 0; i < stream->pause_count && since == UINT64_MAX; i++)
		if (!stream->pauses[i].is_counted)
			since = stream->pauses[i].tick;
	return stream->loss_count && stream->losses[0].tick < since ? stream->losses[0].tick : since;
}
