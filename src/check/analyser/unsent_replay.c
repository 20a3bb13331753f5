#include "check/analyser/unsent_replay.h"

#include "base/files.h"
#include "base/memory.h"
#include "check/protocol/unsent_ring.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A word of the ring, with the words that belong to it. */
struct unsent_item {
	enum unsent_kind kind;
	uint64_t number;
	uint64_t position;
	const uint64_t *words; /* that follow */
	uint64_t word_count;
};

/* The number of words that follow this one; UINT64_MAX: too many. */
static uint64_t words_behind(enum unsent_kind kind, uint64_t number, const uint64_t *next)
{
	switch (kind) {
	case UNSENT_TAKES:
	case UNSENT_WINDOW:
	case UNSENT_ENDS:
	case UNSENT_EVENT_WITH:
	case UNSENT_RECEIVES:
		return 1;
	case UNSENT_CONTENT:
		return 3;
	case UNSENT_WAITS:
		return *next < UNSENT_WORDS * 2 ? 1 + (*next + 1) / 2 : UINT64_MAX;
	case UNSENT_COMPLETES:
		return number < UNSENT_WORDS * 2 ? (number + 1) / 2 : UINT64_MAX;
	default:
		return 0;
	}
}

/* False: it is incomplete or invalid. There is a word after the last one. */
static bool read_item(const struct unsent_content *content, uint64_t at, struct unsent_item *item)
{
	const uint64_t word = content->words[at];

	*item = (struct unsent_item){.kind = word % (1u << UNSENT_KIND_BITS),
	                             .number = word >> UNSENT_KIND_BITS,
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

static void put_item(struct message_writer *out, const struct unsent_item *item)
{
	switch (item->kind) {
	case UNSENT_EVENT:
	case UNSENT_EVENT_WITH:
		put_number(out, item->number);
		if (item->kind == UNSENT_EVENT_WITH)
			put_number(out, item->words[0]);
		break;
	case UNSENT_RECEIVES:
		put_change(out, CHANGE_RECEIVES, item->number);
		put_number(out, item->words[0]);
		break;
	case UNSENT_REJECTED:
		put_change(out, CHANGE_REJECTED, item->number);
		break;
	case UNSENT_TAKES:
		put_change(out, CHANGE_TAKES, item->number);
		put_integer(out, (int32_t)(item->words[0] >> 32));
		put_integer(out, (int32_t)(uint32_t)item->words[0]);
		break;
	case UNSENT_WAITS:
		put_change(out, CHANGE_WAITS, item->number);
		put_number(out, item->words[0]);
		put_distances(out, item->words + 1, item->words[0]);
		break;
	case UNSENT_COMPLETES:
		put_change(out, CHANGE_COMPLETES, item->number);
		put_distances(out, item->words, item->number);
		break;
	case UNSENT_DROPS:
		put_change(out, CHANGE_DROPS, item->number >> 1);
		put_number(out, item->number & 1);
		break;
	case UNSENT_THREAD:
		put_change(out, CHANGE_THREAD, item->number);
		break;
	case UNSENT_LEFT:
		put_change(out, CHANGE_LEFT, item->number);
		break;
	case UNSENT_WINDOW:
		put_change(out, CHANGE_WINDOW, item->number);
		put_number(out, item->words[0]);
		break;
	case UNSENT_ENDS:
		put_change(out, CHANGE_ENDS, item->words[0]);
		break;
	case UNSENT_CONTENT:
		put_change(out, CHANGE_CONTENT, item->number);
		for (int i = 0; i < 3; i++)
			put_number(out, item->words[i]);
		break;
	default:
		break;
	}
}

/* Words of the ring as an EVENTS frame, up to the first invalid one. */
static void put_events(struct message_writer *out, const struct unsent_content *content)
{
	struct unsent_item item;

	for (uint64_t i = 0; i < content->word_count; i += 1 + item.word_count) {
		if (!read_item(content, i, &item) || item.kind > UNSENT_LEFT)
			return;
		if (item.kind == UNSENT_COMM) /* is among the definitions */
			continue;
		put_change(out, CHANGE_POSITION, item.position);
		put_item(out, &item);
	}
}

/* True if these are complete frames with definitions only. */
static bool are_definitions(const uint8_t *bytes, uint64_t size)
{
	struct cursor in = {.at = bytes, .end = bytes + size}, body;
	enum message_kind kind;

	while (frame_next(&in, FRAME_BYTES_MAX, &kind, &body))
		if (kind != MESSAGE_COMM && kind != MESSAGE_TYPE && kind != MESSAGE_CALL)
			return false;
	return !cursor_left(&in);
}

bool unsent_frames(const struct unsent_content *content, struct message_writer *frames)
{
	struct message_writer events = {0};

	if (!are_definitions(content->definitions, content->definition_bytes))
		return false;
	put_raw(frames, content->definitions, content->definition_bytes);
	put_events(&events, content);
	if (events.size)
		frame_put(frames, MESSAGE_EVENTS, &events);
	writer_release(&events);
	return !frames->failed;
}

/* Older or shorter memory has none. */
static void read_crash(int file, uint64_t head, struct unsent_content *content)
{
	struct unsent_crash *crash = memory_new(1, sizeof *crash);

	if (pread_fully(file, crash, sizeof *crash, offsetof(struct unsent_ring, crash)) && crash->bytes &&
	    crash->bytes <= CRASH_BYTES && crash->head == head) {
		content->crash_bytes = crash->bytes;
		content->crash = memory_new(1, crash->bytes);
		memcpy(content->crash, crash->content, crash->bytes);
	}
	free(crash);
}

bool unsent_read(int file, struct unsent_content *content)
{
	const size_t size = offsetof(struct unsent_ring, frames);
	struct unsent_ring *kept = memory_new(1, size);
	bool right;

	*content = (struct unsent_content){0};
	/* Read it instead of mapping it, because its owner could truncate a mapped file. */
	right = pread_fully(file, kept, size, 0) && kept->magic == UNSENT_MAGIC &&
	        kept->frame_bytes <= UNSENT_FRAME_BYTES && kept->head - kept->tail <= UNSENT_WORDS;
	if (right) {
		content->definition_bytes = kept->frame_bytes;
		content->definitions = memory_new(1, kept->frame_bytes + 1);
		content->first = kept->tail;
		content->word_count = kept->head - kept->tail;
		content->words = memory_new(content->word_count + 1, sizeof *content->words);
		for (uint64_t i = 0; i < content->word_count; i++)
			content->words[i] = kept->words[(kept->tail + i) % UNSENT_WORDS];
		right = pread_fully(file, content->definitions, kept->frame_bytes, size);
	}
	if (right)
		read_crash(file, kept->head, content);
	content->current_call = kept->current_call;
	free(kept);
	if (!right)
		unsent_release(content);
	return right;
}

void unsent_release(struct unsent_content *content)
{
	free(content->definitions);
	free(content->words);
	free(content->crash);
	*content = (struct unsent_content){0};
}
