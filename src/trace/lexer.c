#include "trace/lexer.h"

#include "base/hex.h"
#include "trace/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status lexer_report(const struct lexer *lexer, const char *at, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	return fail("%s:%u:%zu: %s", lexer->name, lexer->number, (size_t)(at - lexer->line) + 1, what);
}

const char *did_you_mean(const struct nearest *nearest)
{
	static _Thread_local char hint[128];
	const char *found = nearest_found(nearest);

	hint[0] = 0;
	if (found)
		snprintf(hint, sizeof hint, "; did you mean '%s'?", found);
	return hint;
}

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t' || letter == '\r';
}

/* A remark begins with '#' outside quotes. */
static const char *find_remark(const char *at, const char *end)
{
	bool quoted = false;

	for (; at < end; at++) {
		if (*at == '"')
			quoted = !quoted;
		else if (quoted && *at == '\\' && at + 1 < end)
			at++;
		else if (*at == '#' && !quoted)
			return at;
	}
	return end;
}

bool lexer_next_line(struct lexer *lexer)
{
	while (lexer->next < lexer->text_end) {
		const char *newline = memchr(lexer->next, '\n', (size_t)(lexer->text_end - lexer->next));
		const char *end = newline ? newline : lexer->text_end;
		lexer->line = lexer->at = lexer->next;
		lexer->end = find_remark(lexer->line, end);
		lexer->next = newline ? newline + 1 : end;
		lexer->number++;
		if (!lexer_at_end(lexer))
			return true;
	}
	return false;
}

bool lexer_at_end(struct lexer *lexer)
{
	while (lexer->at < lexer->end && is_blank(*lexer->at))
		lexer->at++;
	return lexer->at == lexer->end;
}

char lexer_peek(struct lexer *lexer)
{
	return lexer_at_end(lexer) ? 0 : *lexer->at;
}

const char *lexer_place(struct lexer *lexer)
{
	lexer_at_end(lexer);
	return lexer->at;
}

static size_t word_size(const struct lexer *lexer)
{
	const char *at = lexer->at;

	while (at < lexer->end && !is_blank(*at) && *at != '=' && *at != '"')
		at++;
	return (size_t)(at - lexer->at);
}

bool lexer_accept(struct lexer *lexer, const char *word)
{
	size_t size;

	if (lexer_at_end(lexer))
		return false;
	size = word_size(lexer);
	if (size != strlen(word) || memcmp(lexer->at, word, size) != 0)
		return false;
	if (lexer->at + size < lexer->end && lexer->at[size] == '=')
		return false;
	lexer->at += size;
	return true;
}

bool lexer_accept_mark(struct lexer *lexer, char mark)
{
	if (lexer->at == lexer->end || *lexer->at != mark)
		return false;
	lexer->at++;
	return true;
}

enum status lexer_word(struct lexer *lexer, const char **word, size_t *size)
{
	if (lexer_at_end(lexer))
		return lexer_fail(lexer, lexer->at, "the line ends where a word is expected");
	*word = lexer->at;
	*size = word_size(lexer);
	if (!*size)
		return lexer_fail(lexer, lexer->at, "a word is expected here");
	lexer->at += *size;
	return OK;
}

enum status lexer_key(struct lexer *lexer, const char **key, size_t *size)
{
	TRY(lexer_word(lexer, key, size));
	if (!lexer_accept_mark(lexer, '='))
		return lexer_fail(lexer, *key, "'%.*s' should be followed by '=' and a value", (int)*size,
		                  *key);
	return OK;
}

/* Two hexadecimal digits; -1 if they are not. */
static int hex_pair(const char *at, const char *end)
{
	int high = at < end ? hex_digit(*at) : -1;
	int low = at + 1 < end ? hex_digit(at[1]) : -1;

	return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* The characters after a backslash. */
static enum status take_escape(struct lexer *lexer, struct text *out)
{
	char letter = lexer->at < lexer->end ? *lexer->at++ : 0;
	int byte;

	switch (letter) {
	case 'n':
		letter = '\n';
		break;
	case 't':
		letter = '\t';
		break;
	case 'x':
		byte = hex_pair(lexer->at, lexer->end);
		if (byte <= 0)
			return lexer_fail(lexer, lexer->at,
			                  "'\\x' needs two hexadecimal digits other than 00");
		letter = (char)byte;
		lexer->at += 2;
		break;
	case '"':
	case '\\':
		break;
	default:
		return lexer_fail(lexer, lexer->at,
		                  "a backslash is followed by n, t, \", \\ or x and two digits");
	}
	text_add_bytes(out, &letter, 1);
	return OK;
}

static enum status take_quoted(struct lexer *lexer, struct text *out)
{
	const char *start = lexer->at++;

	while (lexer->at < lexer->end && *lexer->at != '"') {
		if (lexer_accept_mark(lexer, '\\'))
			TRY(take_escape(lexer, out));
		else
			text_add_bytes(out, lexer->at++, 1);
	}
	if (!lexer_accept_mark(lexer, '"'))
		return lexer_fail(lexer, start, "the string has no closing quote");
	return OK;
}

enum status lexer_string(struct lexer *lexer, struct text *out)
{
	const char *word = NULL;
	size_t size = 0;

	if (lexer_peek(lexer) == '"')
		return take_quoted(lexer, out);
	TRY(lexer_word(lexer, &word, &size));
	text_add_bytes(out, word, size);
	return OK;
}

/* strtoull() alone would also accept blanks and signs. */
static enum status take_digits(struct lexer *lexer, int base, uint64_t *number)
{
	const char *start = lexer->at;
	uint64_t value = 0;
	int digit;

	if (lexer->end - start > 2 && start[0] == '0' && start[1] == 'x') {
		base = 16;
		lexer->at += 2;
	}
	const char *digits = lexer->at;
	while (lexer->at < lexer->end && (digit = hex_digit(*lexer->at)) >= 0 && digit < base) {
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			return lexer_fail(lexer, start, "the number is more than 64 bits can hold");
		lexer->at++;
	}
	if (lexer->at == digits)
		return lexer_fail(lexer, start, "a number is expected here");
	*number = value;
	return OK;
}

enum status lexer_number(struct lexer *lexer, uint64_t *number)
{
	if (lexer_at_end(lexer))
		return lexer_fail(lexer, lexer->at, "the line ends where a number is expected");
	return take_digits(lexer, 10, number);
}

/* Hexadecimal, with or without 0x: worlds and runs. */
static enum status lexer_hex(struct lexer *lexer, uint64_t *number)
{
	if (lexer_at_end(lexer))
		return lexer_fail(lexer, lexer->at, "the line ends where a number is expected");
	return take_digits(lexer, 16, number);
}

enum status lexer_integer(struct lexer *lexer, int64_t *number)
{
	const char *start = lexer->at;
	bool negative = lexer_peek(lexer) == '-';
	uint64_t magnitude = 0;

	lexer->at += negative;
	TRY(lexer_number(lexer, &magnitude));
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return lexer_fail(lexer, start, "the number is more than 64 bits with a sign can hold");
	*number = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	return OK;
}

enum status lexer_real(struct lexer *lexer, int64_t *bits)
{
	char digits[64], *end;
	const char *start = lexer_place(lexer);
	size_t size = word_size(lexer);
	uint64_t magnitude = 0;
	double number;

	if (size > 2 && start[0] == '0' && start[1] == 'x') {
		TRY(lexer_number(lexer, &magnitude));
		*bits = (int64_t)magnitude;
		return OK;
	}
	snprintf(digits, sizeof digits, "%.*s", (int)size, start);
	number = strtod(digits, &end);
	if (end == digits || *end || size >= sizeof digits)
		return lexer_fail(lexer, start, "a number such as 2.5 is expected");
	memcpy(bits, &number, sizeof number);
	lexer->at += size;
	return OK;
}

/* Pairs of hexadecimal digits. */
static enum status lexer_bytes(struct lexer *lexer, struct arena *arena, void *target)
{
	uint8_t *bytes = arena_array(arena, uint8_t, (size_t)(lexer->end - lexer->at) / 2);
	struct record_list list = {.items = bytes};
	int byte;

	for (; (byte = hex_pair(lexer->at, lexer->end)) >= 0; lexer->at += 2)
		bytes[list.count++] = (uint8_t)byte;
	if (lexer->at < lexer->end && !is_blank(*lexer->at))
		return lexer_fail(lexer, lexer->at, "bytes are pairs of hexadecimal digits");
	memcpy(target, &list, sizeof list);
	return OK;
}

enum status lexer_choice(struct lexer *lexer, const char *const *names, uint64_t *number)
{
	char word[32] = "";
	struct nearest nearest = {.word = word};

	for (uint64_t i = 0; names[i]; i++) {
		if (lexer_accept(lexer, names[i])) {
			*number = i;
			return OK;
		}
	}
	if (hex_digit(lexer_peek(lexer)) >= 0 && hex_digit(lexer_peek(lexer)) < 10)
		return lexer_number(lexer, number);
	snprintf(word, sizeof word, "%.*s", (int)word_size(lexer), lexer->at);
	for (uint64_t i = 0; names[i]; i++)
		nearest_offer(&nearest, names[i]);
	return lexer_fail(lexer, lexer->at, "'%s' is not known here%s", word, did_you_mean(&nearest));
}

/* Keys */

/* After the first rank: nothing, "-last" or "/stride*count". */
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

static enum status take_run(struct lexer *lexer, struct rank_run *run)
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
		struct rank_run run;
		TRY(take_run(lexer, &run));
		arena_add(arena, group->runs, group->run_count, run);
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

static enum status take_value(struct lexer *lexer, const struct text_key *key, struct arena *arena)
{
	switch (key->kind) {
	case KEY_NUMBER:
		return lexer_number(lexer, key->target);
	case KEY_HEX:
		return lexer_hex(lexer, key->target);
	case KEY_CHOICE:
		return lexer_choice(lexer, key->names, key->target);
	case KEY_BYTES:
		return lexer_bytes(lexer, arena, key->target);
	case KEY_RANK:
		return take_process_rank(lexer, key->target);
	case KEY_GROUP:
		return take_group(lexer, arena, key->target);
	case KEY_FLAG:
		break;
	}
	return OK;
}

static enum status unknown_key(const struct lexer *lexer, const char *at, size_t size,
                               const struct text_key *keys)
{
	char word[64];
	struct nearest nearest = {.word = word};

	snprintf(word, sizeof word, "%.*s", (int)size, at);
	for (const struct text_key *key = keys; key->name; key++)
		nearest_offer(&nearest, key->name);
	return lexer_fail(lexer, at, "'%s' is not known here%s", word, did_you_mean(&nearest));
}

static bool accept_flag(struct lexer *lexer, const struct text_key *keys)
{
	for (const struct text_key *key = keys; key->name; key++) {
		if (key->kind == KEY_FLAG && lexer_accept(lexer, key->name)) {
			*(bool *)key->target = true;
			return true;
		}
	}
	return false;
}

enum status take_key(struct lexer *lexer, const struct text_key *keys, struct arena *arena)
{
	const char *word;
	size_t size;

	TRY(lexer_key(lexer, &word, &size));
	for (const struct text_key *key = keys; key->name; key++) {
		if (key->kind == KEY_FLAG || strlen(key->name) != size || memcmp(key->name, word, size) != 0)
			continue;
		if (key->given)
			*key->given = true;
		return take_value(lexer, key, arena);
	}
	return unknown_key(lexer, word, size, keys);
}

enum status take_keys(struct lexer *lexer, const struct text_key *keys, struct arena *arena,
                      struct text *string)
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
