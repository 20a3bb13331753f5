/* The syntax tree of a rule file, before names are resolved. */
#ifndef TARRY_ANALYSIS_RULES_SYNTAX_H
#define TARRY_ANALYSIS_RULES_SYNTAX_H

#include "analysis/rules/rulebook.h"
#include "analysis/rules/source.h"

#include <stdbool.h>

/* Deeper expressions are rejected: code that walks them may recurse. */
enum { SYNTAX_MAX_DEPTH = 400 };

enum syntax_kind {
	SYNTAX_NUMBER, /* `number`, in `unit` if that is not NULL */
	SYNTAX_STRING,
	SYNTAX_BOOL,
	SYNTAX_NAME,
	SYNTAX_FIELD, /* `name` of args */
	SYNTAX_CALL,  /* `name` of args, `where` a condition */
	SYNTAX_UNARY,
	SYNTAX_BINARY,
	SYNTAX_CHOICE,
	SYNTAX_AMONG,   /* the first of args among the others */
	SYNTAX_CAST,    /* the first of args as `unit` */
	SYNTAX_ELEMENT, /* `element` of the first of args */
};

struct token {
	const char *text;
	struct source_range place;
	struct translation_syntax *others; /* of a text: its translations */
};

struct translation_syntax {
	struct token lang, text;
	struct translation_syntax *next;
};

/* An expression. */
struct syntax {
	enum syntax_kind kind;
	struct source_range place;
	struct source_range mark; /* of the operator or the name: position of the caret */
	struct token name;
	struct token unit;
	const char *number; /* as written */
	bool truth;
	int64_t element;
	enum operator op;
	struct syntax *args; /* the first */
	struct syntax *where;
	uint32_t depth;
	struct syntax *next; /* of a list of arguments */
};

enum binding_kind { BINDING_PLAIN, BINDING_IN, BINDING_OUT };

/* name = value */
struct binding {
	struct token name;
	struct syntax *value;
	enum binding_kind kind;
	struct token kind_word;
	struct binding *next;
};

struct member_syntax {
	bool is_shared;
	enum member_order order;
	struct token order_word;
	struct token type, name;
	struct token other;
	struct syntax *where;
	struct member_syntax *next;
};

/* A repeated call. */
struct repeat_syntax {
	int64_t count;
	struct syntax *every; /* NULL: once */
};

struct test_event {
	int64_t rank, thread;
	struct source_range place;
	struct token function;
	struct binding *fields;
	struct syntax *start, *end;
	struct repeat_syntax repeat;
	struct token file;
	int64_t line;
	struct test_event *next;
};

struct test_expectation {
	struct token id; /* NULL text: none */
	int64_t rank;    /* -1: any */
	int64_t count;   /* 0: one */
	struct syntax *duration;
	struct test_expectation *next;
};

/* One of the two. */
struct test_item {
	struct test_event *event;
	struct test_expectation *expectation;
};

struct test_syntax {
	struct test_event *events, *last_event;
	struct test_expectation *expectations, *last_expectation;
};

/* One row of values, in the order of the names. */
struct variant_syntax {
	struct source_range place;
	struct syntax *values;
	struct variant_syntax *next;
};

enum declaration_kind {
	DECLARE_IMPORT,
	DECLARE_SETTING,
	DECLARE_EVENT,
	DECLARE_COMPOSITE,
	DECLARE_PROBLEM,
	DECLARE_METRIC,
	DECLARE_TEST,
};

enum declaration_verb { VERB_DECLARE, VERB_OVERRIDE, VERB_DISABLE };

enum grouping { GROUPING_NONE, GROUPING_GROUP, GROUPING_RUN };

struct grouping_syntax {
	enum grouping kind;
	struct syntax *keys;
	struct syntax *while_condition;
};

/* The kind determines which fields are used. */
struct declaration {
	enum declaration_kind kind;
	enum declaration_verb verb;
	struct source_range place; /* all of it, up to its `;` */
	struct token name;         /* of a problem without an id: NULL text */
	struct token description;
	struct token path;      /* import */
	struct syntax *value;   /* setting */
	struct token prototype; /* event; NULL text: MPI's functions */
	struct syntax *functions;
	struct member_syntax *members; /* composite */
	struct grouping_syntax grouping;
	struct syntax *when;
	struct binding *parameters;
	struct token type; /* problem for … */
	struct token each; /* NULL text: not for each */
	struct test_syntax test;
	struct declaration *next;
};

/* The declarations of a file, in order; unreadable ones are reported and omitted. Without
 * tests, these are empty. */
struct declaration *parse_file(struct arena *arena, const struct rule_source *source, bool without_tests,
                               struct diagnostics *errors);
/* A separate expression: in a template, or in a setting of the command line. NULL:
 * wrong; already reported. */
struct syntax *parse_expression(struct arena *arena, struct source_range place, struct diagnostics *errors);
/* The text between quotes. A line break with the blanks around it is one space; escapes are resolved. */
const char *string_contents(struct arena *arena, struct source_range inside);
/* The number of spaces, tabs and line breaks at the start of the text. */
size_t count_blanks(const char *text);

#endif
