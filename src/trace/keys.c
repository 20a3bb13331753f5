#include "trace/keys.h"

#include "trace/grow.h"
#include "trace/reader.h"

#include <stdio.h>
#include <string.h>

/* Behind the first rank: nothing, "-last" or "/stride*count". */
static enum status take_run_length(struct lexer *lexer, uint64_t first, int64_t *stride, uint64_t *count)
{
	uint64_t last;

	*stride = 1;
	*count = 1;
	if (lexer_accept_mark(lexer, '-')) {
		TRY(lexer_number(lexer, &last));
		if (last < first)
			return lexer_fail(lexer, lexer->at, "the last rank is below the first");
		*count = last - first + 1;
	} else if (lexer_accept_mark(lexer, '/')) {
		TRY(lexer_integer(lexer, stride));
		if (!lexer_accept_mark(lexer, '*'))
			return lexer_fail(lexer, lexer->at,
			                  "a stride is followed by '*' and the number of ranks");
		TRY(lexer_number(lexer, count));
	}
	return OK;
}

static enum status take_run(struct lexer *lexer, struct run *run)
{
	const char *start = lexer->at;
	uint64_t first, count;

	TRY(lexer_hex(lexer, &run->world));
	if (!lexer_accept_mark(lexer, ':'))
		return lexer_fail(lexer, lexer->at, "members are written WORLD:FIRST-LAST, such as 8f3a:0-3");
	TRY(lexer_number(lexer, &first));
	TRY(take_run_length(lexer, first, &run->stride, &count));
	if (!run_is_possible(first, run->stride, count))
		return lexer_fail(lexer, start, "a run has at least one rank, and ranks are from 0 to %d",
		                  INT32_MAX);
	run->first = (uint32_t)first;
	run->count = (uint32_t)count;
	return OK;
}

static enum status take_group(struct lexer *lexer, struct arena *arena, struct group *group)
{
	do {
		struct run run;
		TRY(take_run(lexer, &run));
		group->runs = arena_grown(arena, group->runs, group->run_count, sizeof run);
		group->runs[group->run_count++] = run;
	} while (lexer_accept_mark(lexer, ','));
	return OK;
}

static enum status take_process_rank(struct lexer *lexer, uint64_t *rank)
{
	const char *start = lexer->at;

	if (lexer_accept(lexer, "unknown")) {
		*rank = PROCESS_UNKNOWN;
		return OK;
	}
	TRY(lexer_number(lexer, rank));
	if (*rank >= PROCESS_UNKNOWN)
		return lexer_fail(lexer, start, "a rank is below %u", PROCESS_UNKNOWN);
	return OK;
}

static enum status take_value(struct lexer *lexer, const struct key *key, struct arena *arena)
{
	switch (key->kind) {
	case KEY_NUMBER:
		return lexer_number(lexer, key->target);
	case KEY_HEX:
		return lexer_hex(lexer, key->target);
	case KEY_CHOICE:
		return lexer_choice(lexer, key->names, key->target);
	case KEY_BYTES:
		return lexer_bytes(lexer, key->target);
	case KEY_RANK:
		return take_process_rank(lexer, key->target);
	case KEY_GROUP:
		return take_group(lexer, arena, key->target);
	case KEY_FLAG:
		break;
	}
	return OK;
}

static enum status unknown_key(const struct lexer *lexer, const char *at, size_t size, const struct key *keys)
{
	char word[64];
	struct nearest nearest = {.word = word};

	snprintf(word, sizeof word, "%.*s", (int)size, at);
	for (const struct key *key = keys; key->name; key++)
		nearest_offer(&nearest, key->name);
	return lexer_fail(lexer, at, "'%s' is not known here%s", word, did_you_mean(&nearest));
}

static bool accept_flag(struct lexer *lexer, const struct key *keys)
{
	for (const struct key *key = keys; key->name; key++) {
		if (key->kind == KEY_FLAG && lexer_accept(lexer, key->name)) {
			*(bool *)key->target = true;
			return true;
		}
	}
	return false;
}

enum status take_key(struct lexer *lexer, const struct key *keys, struct arena *arena)
{
	const char *word;
	size_t size;

	TRY(lexer_key(lexer, &word, &size));
	for (const struct key *key = keys; key->name; key++) {
		if (key->kind == KEY_FLAG || strlen(key->name) != size || memcmp(key->name, word, size) != 0)
			continue;
		if (key->given)
			*key->given = true;
		return take_value(lexer, key, arena);
	}
	return unknown_key(lexer, word, size, keys);
}

enum status take_keys(struct lexer *lexer, const struct key *keys, struct arena *arena, struct text *string)
{
	while (!lexer_at_end(lexer)) {
		if (string && lexer_peek(lexer) == '"')
			TRY(lexer_string(lexer, string));
		else if (!accept_flag(lexer, keys))
			TRY(take_key(lexer, keys, arena));
	}
	return OK;
}

enum status take_end(struct lexer *lexer)
{
	if (lexer_at_end(lexer))
		return OK;
	return lexer_fail(lexer, lexer->at, "the line should end here");
}
