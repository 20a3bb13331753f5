/* State shared by lexer and grammar while they read one file. */
#ifndef TARRY_ANALYSIS_RULES_PARSE_H
#define TARRY_ANALYSIS_RULES_PARSE_H

#include "analysis/rules/syntax.h"

/* The scanner's own state; flex requires this name. */
typedef void *scanner_handle;

struct rule_parser {
	struct arena *arena;
	const struct rule_source *source;
	struct diagnostics *errors;
	scanner_handle scanner;
	uint32_t at, end;  /* bytes read so far, and the end */
	uint32_t block;    /* start of the block of variants */
	int braces;        /* open ones in it */
	bool has_variants; /* the next brace opens such a block */
	uint32_t string;   /* start of the current string or comment */
	int resume;        /* state of the scanner after the comment */
	int before;        /* the token before this one */
	int first;         /* returned before the text; 0: none */
	bool is_cut;       /* the text ends inside a string or comment, which was reported */
	bool expression_only;
	bool without_tests;           /* text between their braces is skipped */
	uint32_t end_now, end_before; /* of this token and the one before it */
	size_t filled_bytes;          /* of all variants so far */
	struct declaration *declarations, *last;
	struct syntax *expression;
};

/* Adds the declarations of a text generated from this file. */
void parse_filled(struct rule_parser *parse, const struct rule_source *filled, uint32_t begin);
bool is_keyword(const char *text);

struct syntax *syntax_new(struct rule_parser *parse, enum syntax_kind kind, struct source_range place,
                          struct source_range mark);
struct syntax *syntax_binary(struct rule_parser *parse, enum operator op, struct source_range mark,
                             struct syntax *left, struct syntax *right);
struct syntax *syntax_unary(struct rule_parser *parse, enum operator op, struct source_range mark,
                            struct syntax *operand);
struct syntax *syntax_name(struct rule_parser *parse, struct token name);
struct syntax *syntax_with(struct rule_parser *parse, struct syntax *syntax, struct syntax *args);
struct source_range place_between(struct source_range first, struct source_range last);
struct token word_at(struct rule_parser *parse, struct source_range place);
int64_t small_number(struct rule_parser *parse, struct token number, const char *what);

#endif
