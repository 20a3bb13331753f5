#include "check/analyser/kept_replay.h"

#include "base/files.h"
#include "check/protocol/kept_events.h"
#include "check/protocol/routing.h"

#include <stddef.h>

/* Definitions that came over the connection are there again: the numbers are the same. */
static bool is_known(const struct analysed_process *process, uint8_t kind, struct cursor body)
{
	uint64_t number = take_varint(&body);

	if (kind == MESSAGE_TYPE)
		return number < process->types.count && process->types.items[number];
	return kind == MESSAGE_CALL && process_call(process, number);
}

static bool take_definitions(struct checked_run *run, struct analysed_process *process, struct cursor *in)
{
	while (cursor_left(in)) {
		const uint8_t *head = take_bytes(in, FRAME_HEADER_BYTES);
		struct cursor body = {0};
		uint32_t length = 0;
		if (head)
			memcpy(&length, head, sizeof length);
		body.at = length ? take_bytes(in, length - 1) : NULL;
		if (!body.at)
			return false;
		body.end = body.at + length - 1;
		if (head[sizeof length] != MESSAGE_COMM && head[sizeof length] != MESSAGE_TYPE &&
		    head[sizeof length] != MESSAGE_CALL)
			return false;
		if (!is_known(process, head[sizeof length], body) &&
		    !analysis_frame(run, process, head[sizeof length], &body))
			return false;
	}
	return true;
}

static bool is_ours(const struct analysed_call *call, int64_t peer_in_world, uint32_t own, uint32_t count)
{
	const struct analysed_process *process = call->process;

	if (count <= 1)
		return true;
	if (!call->member) /* it belongs to no message and to no collective call */
		return false;
	if (call->operation == OPERATION_COLLECTIVE)
		return analyser_of_object(call->member->comm->identity, count) == own;
	return analyser_of_message(process->rank, peer_in_world, process->size, call->member->comm->identity,
	                           count) == own;
}

/* Words of the ring as an EVENTS frame. False: they break off, or name no call. */
static bool put_events(struct message_writer *out, const struct analysed_process *process,
                       const struct kept_content *content, uint32_t own, uint32_t analysers)
{
	const uint64_t *words = content->words, count = content->word_count;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t number = words[i] >> KEPT_KIND_BITS, kind = words[i] & ((1u << KEPT_KIND_BITS) - 1);
		const struct analysed_call *call = process_call(process, number);
		int64_t peer_in_world = call ? call->peer_in_world : -1;
		uint64_t envelope = 0, position = content->first + i;
		if (!call || (kind == KEPT_WILDCARD && count - i < 3))
			return false;
		if (kind == KEPT_WILDCARD) {
			envelope = words[++i];
			peer_in_world = (int32_t)(uint32_t)words[++i];
		}
		if (!is_ours(call, peer_in_world, own, analysers))
			continue;
		put_number(out, 0);
		put_number(out, CHANGE_POSITION);
		put_number(out, position);
		if (kind == KEPT_CANCELLED) {
			put_number(out, 0);
			put_number(out, CHANGE_CANCELLED);
		}
		put_number(out, number);
		if (kind == KEPT_WILDCARD) {
			put_integer(out, (int32_t)(envelope >> 32));
			put_integer(out, peer_in_world);
			put_integer(out, (int32_t)(uint32_t)envelope);
		}
	}
	return !out->failed;
}

bool kept_replay(struct checked_run *run, struct analysed_process *process,
                 const struct kept_content *content, uint32_t own, uint32_t count)
{
	struct cursor definitions = {.at = content->definitions,
	                             .end = content->definitions + content->definition_bytes};
	struct message_writer events = {0};
	struct cursor in;
	struct analysed_call *current;
	bool right = take_definitions(run, process, &definitions) &&
	             put_events(&events, process, content, own, count);

	in = (struct cursor){.at = events.bytes, .end = events.bytes + events.size};
	if (events.size)
		right &= analysis_frame(run, process, MESSAGE_EVENTS, &in);
	writer_release(&events);
	current = process_call(process, content->current_call >> 1);
	if (current)
		process->last = current;
	return right;
}

bool kept_forward(const struct analysed_process *process, const struct kept_content *content,
                  uint32_t analyser, uint32_t count, struct message_writer *frames)
{
	struct message_writer events = {0};
	bool has_some = put_events(&events, process, content, analyser, count) && events.size;

	if (has_some) {
		put_raw(frames, content->definitions, content->definition_bytes);
		frame_put(frames, MESSAGE_EVENTS, &events);
	}
	writer_release(&events);
	return has_some && !frames->failed;
}

static bool read_definitions(int file, uint64_t size, struct kept_content *content)
{
	if (size > KEPT_FRAME_BYTES)
		return false;
	content->definitions = memory_new(1, size + 1);
	content->definition_bytes = size;
	return pread_fully(file, content->definitions, size, offsetof(struct kept_events, frames));
}

static bool read_words(const struct kept_events *kept, struct kept_content *content)
{
	content->first = kept->tail;
	content->word_count = kept->head - kept->tail;
	if (content->word_count > KEPT_WORDS)
		return false;
	content->words = memory_new(content->word_count + 1, sizeof *content->words);
	for (uint64_t i = 0; i < content->word_count; i++)
		content->words[i] = kept->words[(kept->tail + i) % KEPT_WORDS];
	return true;
}

bool kept_read(int file, struct kept_content *content)
{
	const size_t size = offsetof(struct kept_events, frames);
	struct kept_events *kept = memory_new(1, size);
	bool right;

	*content = (struct kept_content){0};
	/* Read, not mapped: nobody can take it away meanwhile. */
	right = pread_fully(file, kept, size, 0) && kept->magic == KEPT_MAGIC &&
	        read_definitions(file, kept->frame_bytes, content) && read_words(kept, content);
	content->current_call = kept->current_call;
	free(kept);
	if (!right)
		kept_release(content);
	return right;
}

void kept_release(struct kept_content *content)
{
	free(content->definitions);
	free(content->words);
	*content = (struct kept_content){0};
}
