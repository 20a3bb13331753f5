/* What lexer and grammar share while they read one file. */
#ifndef TARRY_ANALYSIS_RULES_PARSE_H
#define TARRY_ANALYSIS_RULES_PARSE_H

#include "analysis/rules/syntax.h"

/* The scanner's own state: flex calls it so. */
typedef void *scanner_handle;

struct parse {
	struct arena *arena;
	const struct source *source;
	struct diagnostics *told;
	scanner_handle scanner;
	uint32_t at, end;  /* bytes read so far, and up to where */
	uint32_t block;    /* where the block of variants began */
	int braces;        /* that are open in it */
	bool has_variants; /* the next brace opens such a block */
	uint32_t string;   /* where the string or comment under way began */
	int resume;        /* state of the scanner behind the comment */
	int before;        /* the token before this one */
	int first;         /* handed out before the text; 0: nothing */
	bool is_cut;       /* the text ends inside of a string or comment, which was told */
	bool expression_only;
	bool without_tests;           /* what stands between their braces is passed over */
	uint32_t end_now, end_before; /* of this token and the one before it */
	size_t filled_bytes;          /* of all variants so far */
	struct declaration *declarations, *last;
	struct syntax *expression;
};

/* The declarations of a text that was made of this file, added to its own. */
void parse_filled(struct parse *parse, const struct source *filled, uint32_t begin);
bool is_keyword(const char *text);

struct syntax *syntax_new(struct parse *parse, enum syntax_kind kind, struct place place, struct place mark);
struct syntax *syntax_binary(struct parse *parse, enum operator op, struct place mark, struct syntax *left,
                             struct syntax *right);
struct syntax *syntax_unary(struct parse *parse, enum operator op, struct place mark, struct syntax *operand);
struct syntax *syntax_name(struct parse *parse, struct word name);
struct syntax *syntax_with(struct parse *parse, struct syntax *syntax, struct syntax *args);
struct place place_between(struct place first, struct place last);
struct word word_at(struct parse *parse, struct place place);
int64_t small_number(struct parse *parse, struct word number, const char *what);

#endif
