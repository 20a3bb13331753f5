/* From syntax to a rulebook: names get a meaning, expressions a type. The parts of the checker share this file. Each
 * reports errors before it returns NULL or false.
 *
 *	resolve.c           names, and which declarations count: declared, overridden, disabled
 *	check_event.c       rule parameters, declared events, event types
 *	check_composite.c   composite events
 *	check_problem.c     problems and metrics; check_template.c their advice, and texts in several languages
 *	check_expression.c  expressions, with check_name.c, check_operator.c and check_aggregate.c
 *	check_test.c        tests */
#ifndef TARRY_ANALYSIS_RULES_CHECKER_H
#define TARRY_ANALYSIS_RULES_CHECKER_H

#include "analysis/rules/syntax.h"
#include "analysis/rules/types.h"
#include "base/array.h"
#include "base/map.h"
#include "base/text.h"

/* Names and what they were declared as: one table for each kind. */

enum symbol_state {
	SYMBOL_UNCHECKED,
	SYMBOL_CHECKING,
	SYMBOL_FINE,
	SYMBOL_WRONG,    /* was reported */
	SYMBOL_DISABLED, /* by the user, or made of something that is */
};

struct symbol {
	const char *name;
	const struct declaration *declaration; /* NULL: built in */
	enum symbol_state state;
	void *made;            /* the setting, event type or problem */
	struct symbol *reason; /* while it is checked: what needs it */
	uint32_t level;        /* above those that it is made of */
	struct symbol *next;   /* in order of declaration */
};

struct names {
	struct text_map by_name;
	struct symbol *first, *last;
};

/* NULL: none. */
struct symbol *names_find(const struct names *names, const char *name);
/* There must be none of that name. */
struct symbol *names_add(struct arena *arena, struct names *names, const char *name,
                         const struct declaration *declaration);
/* Symbols stay in the arena. */
void names_release(struct names *names);
void names_offer(const struct names *names, struct nearest *nearest);

struct checker {
	struct arena *arena; /* the book's */
	struct rulebook *book;
	const struct modules *modules;
	struct diagnostics *errors;
	struct names settings, types, problems, metrics;
	struct names functions; /* that are not MPI's, for which an event is declared */
	struct names generated; /* ids of problems that were given none */
	uint32_t depth;         /* of declarations that are checked because others need them */
	struct token *phrases;  /* those of the book */
};

/* What names mean at some place. */
struct name_scope {
	struct checker *checker;
	struct symbol *user;       /* what is being checked, for cycles */
	struct event_type *type;   /* whose members and columns have names here; NULL */
	uint32_t visible_columns;  /* the first ones of `type`, by their bare name */
	uint32_t first_member;     /* from this one … */
	uint32_t visible_members;  /* … so many */
	const struct syntax *keys; /* of a group or run */
	bool is_many;              /* members are many events: only aggregates make one value of them */
	bool is_each;              /* `each` is one of them */
	uint32_t each;
	bool has_previous;
	bool in_aggregate;
	bool in_aggregate_where;
	const struct prototype *prototype;
	bool in_event;                 /* that is declared for functions of MPI: their arguments have names */
	const struct problem *problem; /* whose duration, at and partner have names; NULL */
	bool is_condition;             /* its 'when', where columns come before these names */
};

/* resolve.c */
void resolve_declarations(struct checker *checker, struct declaration *const *files, size_t file_count);
/* A problem or metric by its id, or without its paradigm where that can be only one. NULL: none, or (reported) several. */
struct symbol *find_by_id(struct checker *checker, const struct names *names, struct token id);
/* "unknown column 'x': did you mean 'y'?", or with another beginning. NULL, as add_error(). */
void *error_missing(struct checker *checker, struct token word, const char *sentence,
                    const struct nearest *nearest);
void *error_unknown(struct checker *checker, struct token word, const char *what,
                    const struct nearest *nearest);

/* survey(EVENT.COLUMN, otherwise) */
struct expr *check_survey(struct name_scope *scope, const struct syntax *syntax);
/* Check the declaration of the symbol unless that was done. NULL: it is wrong or disabled. */
struct setting *check_setting(struct checker *checker, struct symbol *symbol, struct symbol *user);
struct event_type *check_type(struct checker *checker, struct symbol *symbol, struct symbol *user);
/* By name; reported if there is none. */
struct event_type *find_type(struct checker *checker, struct token name, struct symbol *user);
void check_problem(struct checker *checker, struct symbol *symbol, bool is_metric);
void check_test(struct checker *checker, const struct declaration *declaration);
bool give_setting(struct checker *checker, const char *text);

/* Notes that a symbol is made of another one. False: too many are made of each other, which was reported. */
bool symbol_uses(struct checker *checker, struct symbol *user, const struct symbol *symbol);

bool check_composite(struct checker *checker, struct symbol *symbol, struct event_type *type);
bool count_parameters(struct checker *checker, const struct declaration *declaration);
bool check_join(struct checker *checker, const struct declaration *declaration,
                const struct event_type *type);
/* `text` and its translations. */
bool check_template(struct name_scope *scope, const struct token *text, struct template *template);
void add_language(struct checker *checker, const char *lang);
const struct translation *translations_of(struct checker *checker, const struct token *text);
/* Of an expression: its translations are found by what it is in English, so that they must always be the same. */
bool add_phrase(struct checker *checker, const struct token *text);
const struct prototype *parse_prototype(struct checker *checker, struct token text);

/* Expressions */
struct expr *check_expression(struct name_scope *scope, const struct syntax *syntax);
/* Of this type, or it is reported that `what` must be one. */
struct expr *check_condition(struct name_scope *scope, const struct syntax *syntax, const char *what);
struct expr *check_name(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_field(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_element(struct name_scope *scope, const struct syntax *syntax);
/* An argument of the event's functions, or a part of one. `is_found`: it is one; NULL: there is something wrong with it. */
struct expr *check_call_argument(struct name_scope *scope, const struct syntax *syntax, bool *is_found);
void offer_arguments(const struct name_scope *scope, struct nearest *nearest);
struct expr *check_operator(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_choice(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_among(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_call(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_aggregate(struct name_scope *scope, const struct syntax *syntax, enum aggregate aggregate);
/* All arguments of a call or list; NULL: one is wrong. */
struct expr **check_arguments(struct name_scope *scope, const struct syntax *first, uint32_t *count);

struct expr *expr_new(struct checker *checker, enum expr_kind kind, struct type type,
                      struct source_range place);
/* Of one or two others. */
struct expr *expr_of(struct checker *checker, enum expr_kind kind, struct type type,
                     struct source_range place, struct expr *first, struct expr *second);
/* The event that is being declared. */
struct expr *expr_self(struct name_scope *scope, struct source_range place);
struct expr *expr_column(struct checker *checker, struct expr *event, uint32_t column,
                         struct source_range place);
struct expr *expr_aggregate(struct checker *checker, enum aggregate aggregate, struct expr *value,
                            struct expr *where, struct expr *result);
/* The call of an event: itself, or one of its columns. */
struct expr *expr_call_of(struct checker *checker, struct expr *event, struct source_range place);
/* The same, where the member of an aggregate and `mine` are taken for equal. */
bool expr_is_same(const struct expr *a, const struct expr *b);
/* A whole number without a unit becomes a rank where one is needed. */
void adapt_literals(struct expr *a, struct expr *b);

/* Columns that a type has, or every call if NULL. */
uint32_t column_count(const struct event_type *type);
const char *column_name(const struct event_type *type, uint32_t column);
struct type column_type(const struct event_type *type, uint32_t column);
/* UINT32_MAX if there is none. */
uint32_t column_find(const struct event_type *type, const char *name);
struct column *column_add(struct checker *checker, struct event_type *type, struct column column);
/* Those of every call. */
void add_call_columns(struct checker *checker, struct event_type *type);

const char *describe(struct checker *checker, const struct expr *expr);
/* The declaration's own text. */
const char *text_of(struct checker *checker, struct source_range place);

/* Levels: whatever walks through what something is made of may do it by recursion. */
enum { MEMBERS_MAX = 16, PARAMETERS_MAX = 256, LEVELS_MAX = 100 };

#endif
