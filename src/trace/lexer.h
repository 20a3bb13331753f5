/* Splits the text of a trace into words. Errors have line and column.
 *
 *	while (lexer_next_line(&lexer))
 *		while (!lexer_at_end(&lexer)) {
 *			TRY(lexer_key(&lexer, &key, &size));   // "tag=" of "tag=7"
 *			TRY(lexer_integer(&lexer, &value)); } */
#ifndef TARRY_TRACE_LEXER_H
#define TARRY_TRACE_LEXER_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lexer {
	const char *name; /* of the text, for errors */
	const char *next; /* the line after this one */
	const char *text_end;
	const char *line;
	const char *at;
	const char *end; /* of the line, without its remark */
	unsigned number;
};

/* Steps to the next line that holds more than blanks and a remark. False at the end of the text. */
bool lexer_next_line(struct lexer *lexer);
/* Skips blanks; true if nothing is left of the line. */
bool lexer_at_end(struct lexer *lexer);
char lexer_peek(struct lexer *lexer);
/* The beginning of the next word. */
const char *lexer_place(struct lexer *lexer);
/* Takes the word if it is the next one. */
bool lexer_accept(struct lexer *lexer, const char *word);
/* Takes the next letter if it is this one, with no blank before it. */
bool lexer_accept_mark(struct lexer *lexer, char mark);

/* A word up to a blank or '='. Borrowed from the text. */
enum status lexer_word(struct lexer *lexer, const char **word, size_t *size) MUST_CHECK;
/* "key=". The value is next. */
enum status lexer_key(struct lexer *lexer, const char **key, size_t *size) MUST_CHECK;
/* A word or a quoted string, added to `out` without its quotes. */
enum status lexer_string(struct lexer *lexer, struct text *out) MUST_CHECK;
/* Decimal, or hexadecimal after 0x. */
enum status lexer_number(struct lexer *lexer, uint64_t *number) MUST_CHECK;
enum status lexer_integer(struct lexer *lexer, int64_t *number) MUST_CHECK;
/* The bits of a double, given as a decimal number, or as bits after 0x. */
enum status lexer_real(struct lexer *lexer, int64_t *bits) MUST_CHECK;
/* A number, or a word of a NULL-terminated table, which gives its index. */
enum status lexer_choice(struct lexer *lexer, const char *const *names, uint64_t *number) MUST_CHECK;

/* Fails with "name:line:column: …". The column is that of `at`. */
enum status lexer_report(const struct lexer *lexer, const char *at, const char *format, ...)
	PRINTF_LIKE(3, 4) MUST_CHECK;
/* Never OK. A static analyser cannot see that in a variadic function. */
#define lexer_fail(...) (lexer_report(__VA_ARGS__) ?: FAILED)

/* The end of an error message: "; did you mean 'tag'?" or "". Valid until the next call. */
const char *did_you_mean(const struct nearest *nearest);

/* Tables of key=value words, one for each kind of line.
 *
 *	uint64_t base = 0;
 *	const struct text_key keys[] = {{"base", KEY_NUMBER, &base, NULL, NULL}, {0}};
 *	TRY(take_keys(lexer, keys, NULL, NULL)); */
enum key_kind { KEY_NUMBER, KEY_HEX, KEY_CHOICE, KEY_BYTES, KEY_RANK, KEY_GROUP, KEY_FLAG };

struct text_key {
	const char *name;
	enum key_kind kind;
	void *target; /* uint64_t; for BYTES and GROUP a list as in trace/records.h; bool for FLAG */
	const char *const *names; /* of a CHOICE */
	bool *given;              /* may be NULL */
};

/* Lists are allocated in the arena, which may be NULL without BYTES and GROUP keys. */
enum status take_key(struct lexer *lexer, const struct text_key *keys, struct arena *arena) MUST_CHECK;
/* The rest of the line: keys in any order, and one quoted string if `string` is not NULL. */
enum status take_keys(struct lexer *lexer, const struct text_key *keys, struct arena *arena,
                      struct text *string) MUST_CHECK;
enum status take_end(struct lexer *lexer) MUST_CHECK;

#endif
