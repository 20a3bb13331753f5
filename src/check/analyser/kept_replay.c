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

/* A word of the ring, with those that belong to it. */
struct kept_item {
	enum kept_kind kind;
	uint64_t number;
	uint64_t position;
	const uint64_t *words; /* that follow */
	uint64_t word_count;
};

/* How many words follow the one with this number; UINT64_MAX: more than there can be. */
static uint64_t words_behind(enum kept_kind kind, uint64_t number, const uint64_t *next)
{
	switch (kind) {
	case KEPT_WILDCARD:
		return 2;
	case KEPT_TAKES:
	case KEPT_WINDOW:
	case KEPT_ENDS:
	case KEPT_EVENT_WITH:
	case KEPT_MATCHES_WITH:
		return 1;
	case KEPT_CONTENT:
		return 3;
	case KEPT_WAITS:
		return *next < KEPT_WORDS * 2 ? 1 + (*next + 1) / 2 : UINT64_MAX;
	case KEPT_COMPLETES:
		return number < KEPT_WORDS * 2 ? (number + 1) / 2 : UINT64_MAX;
	default:
		return 0;
	}
}

/* False: it breaks off, or is none. There is a word behind the last one. */
static bool read_item(const struct kept_content *content, uint64_t at, struct kept_item *item)
{
	const uint64_t word = content->words[at];

	*item = (struct kept_item){.kind = word % (1u << KEPT_KIND_BITS),
	                           .number = word >> KEPT_KIND_BITS,
	                           .position = content->first + at,
	                           .words = content->words + at + 1};
	item->word_count = words_behind(item->kind, item->number, item->words);
	return item->word_count <= content->word_count - at - 1;
}

static void put_change(struct message_writer *out, enum event_change change, uint64_t number)
{
	put_number(out, 0);
	put_number(out, change);
	put_number(out, number);
}

static void put_distances(struct message_writer *out, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		put_number(out, (uint32_t)(words[i / 2] >> 32 * (i % 2)));
}

/* For the first analyser alone. */
static void put_course(struct message_writer *out, const struct kept_item *item)
{
	switch (item->kind) {
	case KEPT_BEGINS:
		put_change(out, CHANGE_BEGINS, item->number);
		break;
	case KEPT_TAKES:
		put_change(out, CHANGE_TAKES, item->number);
		put_integer(out, (int32_t)(item->words[0] >> 32));
		put_integer(out, (int32_t)(uint32_t)item->words[0]);
		break;
	case KEPT_WAITS:
		put_change(out, CHANGE_WAITS, item->number);
		put_number(out, item->words[0]);
		put_distances(out, item->words + 1, item->words[0]);
		break;
	case KEPT_COMPLETES:
		put_change(out, CHANGE_COMPLETES, item->number);
		put_distances(out, item->words, item->number);
		break;
	case KEPT_DROPS:
		put_change(out, CHANGE_DROPS, item->number >> 1);
		put_number(out, item->number & 1);
		break;
	case KEPT_THREAD:
		put_change(out, CHANGE_THREAD, item->number);
		break;
	default:
		put_change(out, CHANGE_WINDOW, item->number);
		put_number(out, item->words[0]);
	}
}

static enum event_change change_of(enum kept_kind kind)
{
	return kind == KEPT_CANCELLED ? CHANGE_CANCELLED
	       : kind == KEPT_CONTENT ? CHANGE_CONTENT
	                              : CHANGE_MATCHES;
}

/* Of a call whose data is compared: hash or ticket. */
static uint64_t number_with(const struct kept_item *item)
{
	return item->kind == KEPT_WILDCARD ? item->words[1] >> 32 : item->word_count ? item->words[0] : 0;
}

/* For the analyser that is responsible. */
static void put_for_matching(struct message_writer *out, const struct kept_item *item, bool has_content)
{
	if (item->kind == KEPT_EVENT || item->kind == KEPT_EVENT_WITH)
		put_number(out, item->number);
	else
		put_change(out, change_of(item->kind), item->number);
	if (item->kind == KEPT_WILDCARD) {
		put_integer(out, (int32_t)(item->words[0] >> 32));
		put_integer(out, (int32_t)(uint32_t)item->words[1]);
		put_integer(out, (int32_t)(uint32_t)item->words[0]);
	}
	if (item->kind == KEPT_CONTENT) {
		put_number(out, item->words[0] >> 32);
		put_number(out, item->words[1]);
		put_number(out, item->words[2]);
	} else if (has_content && item->kind != KEPT_CANCELLED) {
		put_number(out, number_with(item));
	}
}

static void put_position(struct message_writer *out, uint64_t position)
{
	put_number(out, 0);
	put_number(out, CHANGE_POSITION);
	put_number(out, position);
}

/* An item of a call. */
static void put_call_item(struct message_writer *out, const struct kept_item *item,
                          const struct analysed_call *call, uint32_t own, uint32_t analysers)
{
	const bool is_for_matching = item->kind <= KEPT_MATCHES || item->kind >= KEPT_EVENT_WITH,
		   begins = item->kind == KEPT_EVENT || item->kind == KEPT_EVENT_WITH;
	const int64_t peer = item->kind == KEPT_WILDCARD  ? (int32_t)(uint32_t)item->words[1]
	                     : item->kind == KEPT_CONTENT ? (int32_t)(uint32_t)item->words[0]
	                                                  : call->peer_in_world;

	if (is_for_matching && is_ours(call, peer, own, analysers)) {
		put_position(out, item->position);
		put_for_matching(out, item,
		                 call->operation != OPERATION_COLLECTIVE && call->flags & CHECK_CALL_CONTENT);
	} else if (!own && begins) {
		put_position(out, item->position);
		put_change(out, CHANGE_BEGINS, item->number);
	} else if (!own && !is_for_matching) {
		put_position(out, item->position);
		put_course(out, item);
	}
}

/* Words of the ring as an EVENTS frame. False: they break off, or name no call. */
static bool put_events(struct message_writer *out, const struct analysed_process *process,
                       const struct kept_content *content, uint32_t own, uint32_t analysers)
{
	struct kept_item item;

	for (uint64_t i = 0; i < content->word_count; i += 1 + item.word_count) {
		const struct analysed_call *call;

		if (!read_item(content, i, &item))
			return false;
		switch (item.kind) {
		case KEPT_COMM: /* is among the definitions */
			break;
		case KEPT_ENDS:
			put_position(out, item.position);
			put_change(out, CHANGE_ENDS, item.words[0]);
			break;
		case KEPT_TAKES:
		case KEPT_COMPLETES:
		case KEPT_DROPS:
		case KEPT_THREAD:
			if (own)
				break;
			put_position(out, item.position);
			put_course(out, &item);
			break;
		default:
			call = process_call(process, item.number);
			if (!call)
				return false;
			put_call_item(out, &item, call, own, analysers);
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
	/* The first analyser knows of all communicators. */
	bool has_some = put_events(&events, process, content, analyser, count) &&
	                (events.size || (!analyser && content->word_count));

	if (has_some)
		put_raw(frames, content->definitions, content->definition_bytes);
	if (has_some && events.size)
		frame_put(frames, MESSAGE_EVENTS, &events);
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
