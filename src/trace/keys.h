/* Words of the form key=value, as a table for each line of a trace as text, and the bytes they become.
 *
 *	uint64_t base = 0;
 *	const struct key keys[] = {{"base", KEY_NUMBER, &base, NULL, NULL}, {0}};
 *	TRY(take_keys(lexer, keys, NULL)); */
#ifndef TARRY_TRACE_KEYS_H
#define TARRY_TRACE_KEYS_H

#include "base/text.h"
#include "trace/lexer.h"

enum key_kind { KEY_NUMBER, KEY_HEX, KEY_CHOICE, KEY_BYTES, KEY_RANK, KEY_RUNS, KEY_FLAG };

/* Members of a communicator: how many runs, as in a COMM record, and how many ranks they have. */
struct runs {
	struct text bytes;
	uint64_t count;
	uint64_t members;
};

struct key {
	const char *name;
	enum key_kind kind;
	void *target;             /* uint64_t; struct text for BYTES, struct runs for RUNS, bool for FLAG */
	const char *const *names; /* of a CHOICE */
	bool *given;              /* may be NULL */
};

enum status take_key(struct lexer *lexer, const struct key *keys) MUST_CHECK;
/* The rest of the line: keys in any order, and one quoted string if `string` is not NULL. */
enum status take_keys(struct lexer *lexer, const struct key *keys, struct text *string) MUST_CHECK;
enum status take_end(struct lexer *lexer) MUST_CHECK;

/* Parts of a record's body. */
void add_varint(struct text *body, uint64_t value);
void add_signed(struct text *body, int64_t value);
void add_u64(struct text *body, uint64_t value);
void add_text(struct text *body, const struct text *text);

#endif
