#include "job/record/known_calls.h"

#include "base/hash.h"
#include "job/record/stream_define.h"

#include <string.h>

uint32_t *stream_find_slot(struct recording_stream *s, const int64_t *key, uint32_t words)
{
	uint32_t at = hash_fold(stream_key_hash(key, words)) & s->slot_mask;

	while (s->slots[at] != NO_CALL && !stream_knows(s, s->slots[at], key, words))
		at = (at + 1) & s->slot_mask;
	return &s->slots[at];
}

/* Adds a call whose words already follow those in use. */
static void remember(struct recording_stream *s, uint32_t *slot, uint32_t call, uint32_t words)
{
	*slot = call;
	s->known[call] = (struct known_key){.first = s->words_used, .words = words};
	s->words_used += words;
}

_Static_assert(SITE_ENTRIES == 1 << (64 - 58), "the highest bits of a product choose the entry");

/* The entry for the last defined call of this place and function. */
static uint32_t *latest_like(struct recording_stream *s, const int64_t *key)
{
	const uint64_t place = (uint64_t)key[KEY_SITE] ^ (uint64_t)key[KEY_WHAT] << 48;

	return &s->latest[place * 0x9e3779b97f4a7c15u >> 58];
}

/* True for fields whose value in the trace differs from the number in the key. */
static bool is_translated(uint8_t field)
{
	const uint64_t translated = UINT64_C(1) << FIELD_COMM | UINT64_C(1) << FIELD_NEWCOMM |
	                            UINT64_C(1) << FIELD_WIN | UINT64_C(1) << FIELD_FILE |
	                            UINT64_C(1) << FIELD_REGION | UINT64_C(1) << FIELD_PORT |
	                            UINT64_C(1) << FIELD_PROGRAM;

	return translated >> field & 1;
}

/* The same for completed requests and other varying fields, from word `i` on. */
static __attribute__((noinline)) uint8_t *put_varying(uint8_t *at, const int64_t *known, const int64_t *key,
                                                      uint32_t i, uint32_t words, uint32_t position)
{
	while (i < words) {
		struct field before[FIELDS_OF_REST], now[FIELDS_OF_REST];
		size_t fields = 0, others = 0;
		uint32_t step = describe_rest(key + i, now, &fields);
		if (describe_rest(known + i, before, &others) != step || fields != others)
			return NULL;
		for (size_t j = 0; j < fields; j++, position++) {
			if (before[j].key != now[j].key ||
			    (is_named(now[j].key) && before[j].value != now[j].value))
				return NULL;
			if (before[j].value != now[j].value)
				at = like_differs(at, position,
				                  (uint64_t)now[j].value - (uint64_t)before[j].value);
		}
		i += step;
	}
	return at;
}

/* Writes the differences between the call and the known one, and copies its words to `copy`. If the call `is_open`, words of the known call
 * replace unknown words. NULL: they differ in more than numbers. */
static inline uint8_t *put_differences(uint8_t *at, const int64_t *known, const int64_t *key, uint32_t words,
                                       bool is_open, int64_t *copy)
{
	const uint32_t id = (uint32_t)key[KEY_WHAT];
	const uint8_t *field = LIKELY(id < ALL_CALLS) ? call_shapes[id].fields : shape_of(id)->fields;
	uint32_t position = 0, i = KEY_VALUES;

	copy[KEY_SITE] = key[KEY_SITE];
	copy[KEY_WHAT] = key[KEY_WHAT];
	for (; i < words && *field; i++, field++) {
		const int64_t before = known[i], now = key[i];
		copy[i] = now;
		if (UNLIKELY(before != now)) {
			if (is_open && now == ABSENT)
				copy[i] = before;
			else if (before == ABSENT || now == ABSENT || is_translated(*field))
				return NULL;
			else
				at = like_differs(at, position, (uint64_t)now - (uint64_t)before);
		}
		position += before != ABSENT;
	}
	if (LIKELY(i == words))
		return at;
	memcpy(copy + i, key + i, (words - i) * sizeof *key);
	return put_varying(at, known, key, i, words, position);
}

/* Writes the call after the chunk's payload, as differences from a similar call, and its words after those in use. NULL: there is no similar
 * call, or no room. */
static inline uint8_t *put_like(struct recording_stream *s, const int64_t *key, uint32_t words, bool is_open)
{
	const uint32_t base = *latest_like(s, key);
	const int64_t *known;
	uint8_t *end;

	if (base == NO_CALL || s->known[base].words != words || (uint32_t)key[KEY_WHAT] >= SHAPES ||
	    s->words_used + words > s->word_limit ||
	    !encoder_has_room(&s->encoder, NEXT_ROOM + LIKE_ROOM + 2 * (size_t)words * LIKE_FIELD_ROOM))
		return NULL;
	known = s->words + s->known[base].first;
	if (known[KEY_SITE] != key[KEY_SITE] || known[KEY_WHAT] != key[KEY_WHAT])
		return NULL;
	end = put_differences(like_begin(&s->encoder, base), known, key, words, is_open,
	                      s->words + s->words_used);
	return end && like_fits(&s->encoder, end) ? end : NULL;
}

static inline bool open_like(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                             bool is_open)
{
	uint8_t *end = put_like(s, key, words, is_open);

	s->draft = (struct like_draft){end ? s->encoder.payload + s->encoder.chunk->length : NULL, end,
	                               words};
	if (end)
		encode_open_like(&s->encoder, end, start);
	return end;
}

bool stream_open_like(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	return open_like(s, key, words, start, true);
}

/* A key with an unknown handle differs from all known keys. */
uint64_t stream_open_whole(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start)
{
	uint32_t *slot;

	s->opened_slot = NULL;
	s->opened_hash = 0;
	if (UNLIKELY(selection.active || s->polls.calls || s->origins || !encoder_has_call(&s->encoder)))
		return stream_open(s, key, words, start);
	slot = stream_find_slot(s, key, words);
	if (*slot != NO_CALL)
		encode_open(&s->encoder, *slot, start);
	else if (!open_like(s, key, words, start, false))
		return stream_open(s, key, words, start);
	s->opened_slot = slot;
	return start;
}

/* The description that was written before the call, if it is right and nothing was written since. */
static uint8_t *find_draft(const struct recording_stream *s, const int64_t *key, uint32_t words)
{
	const int64_t *drafted = s->words + s->words_used;
	int64_t differs = 0;

	if (s->draft.begin != s->encoder.payload + s->encoder.chunk->length || s->draft.words != words)
		return NULL;
	for (uint32_t i = 0; i < words; i++)
		differs |= drafted[i] ^ key[i];
	return differs ? NULL : s->draft.end;
}

/* Defines the call in full, in a new chunk if this one has no room. */
static uint32_t define(struct recording_stream *s, const int64_t *key, uint32_t words)
{
	size_t room = stream_define_room(key, words);
	uint32_t call;

	if ((!encoder_has_room(&s->encoder, room) || !encoder_has_call(&s->encoder) ||
	     s->words_used + words > s->word_limit) &&
	    !stream_next_chunk(s, room))
		return NO_CALL;
	call = stream_define(s, key, words);
	if (call == NO_CALL)
		return NO_CALL;
	if (words <= s->word_limit) {
		memcpy(s->words + s->words_used, key, words * sizeof *key);
		remember(s, stream_find_slot(s, key, words), call, words);
	} else {
		s->known[call] = (struct known_key){.words = UINT32_MAX}; /* too long to be remembered */
	}
	return call;
}

uint32_t stream_find_call(struct recording_stream *s, const int64_t *key, uint32_t words)
{
	uint32_t *slot = stream_find_slot(s, key, words), call;
	uint8_t *end = NULL;

	if (*slot != NO_CALL && encoder_has_room(&s->encoder, NEXT_ROOM))
		return *slot;
	if (*slot == NO_CALL && encoder_has_call(&s->encoder) && !(end = find_draft(s, key, words)))
		end = put_like(s, key, words, false);
	if (end) {
		call = encode_like(&s->encoder, end);
		remember(s, slot, call, words);
	} else {
		call = define(s, key, words);
	}
	if (call != NO_CALL)
		*latest_like(s, key) = call;
	return call;
}

bool stream_record_opened(struct recording_stream *s, uint64_t start, uint64_t end)
{
	uint32_t *slot = s->opened_slot, call;

	if (UNLIKELY(!slot || !stream_can_repeat(s, start, end)))
		return false;
	call = *slot;
	s->is_new = call == NO_CALL;
	if (s->is_new) {
		*latest_like(s, s->words + s->words_used) = s->encoder.calls;
		call = encode_like(&s->encoder, s->draft.end);
		remember(s, slot, call, s->draft.words);
	}
	encode_event(&s->encoder, call, start, end);
	stream_expect(s, s->encoder.successor[call]);
	return true;
}
