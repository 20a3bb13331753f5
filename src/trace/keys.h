/* Words of the form key=value, as a table for each line of a trace as text.
 *
 *	uint64_t base = 0;
 *	const struct key keys[] = {{"base", KEY_NUMBER, &base, NULL, NULL}, {0}};
 *	TRY(take_keys(lexer, keys, NULL, NULL)); */
#ifndef TARRY_TRACE_KEYS_H
#define TARRY_TRACE_KEYS_H

#include "base/arena.h"
#include "base/text.h"
#include "trace/lexer.h"

enum key_kind { KEY_NUMBER, KEY_HEX, KEY_CHOICE, KEY_BYTES, KEY_RANK, KEY_GROUP, KEY_FLAG };

struct key {
	const char *name;
	enum key_kind kind;
	void *target;             /* uint64_t; struct text for BYTES, struct group for GROUP, bool for FLAG */
	const char *const *names; /* of a CHOICE */
	bool *given;              /* may be NULL */
};

/* Runs of a group are made in the arena, which may be NULL if no key is a GROUP. */
enum status take_key(struct lexer *lexer, const struct key *keys, struct arena *arena) MUST_CHECK;
/* The rest of the line: keys in any order, and one quoted string if `string` is not NULL. */
enum status take_keys(struct lexer *lexer, const struct key *keys, struct arena *arena,
                      struct text *string) MUST_CHECK;
enum status take_end(struct lexer *lexer) MUST_CHECK;

#endif
