/* From syntax to a rulebook: resolves names and types expressions. Shared by the parts of the checker. Each
 * reports errors before it returns NULL or false.
 *
 *	resolve.c           names, and active declarations: declared, overridden, disabled
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

/* Names and their declarations: one table for each kind. */

enum symbol_state {
	SYMBOL_UNCHECKED,
	SYMBOL_CHECKING,
	SYMBOL_FINE,
	SYMBOL_WRONG,    /* already reported */
	SYMBOL_DISABLED, /* by the user, or depends on a disabled one */
};

struct symbol {
	const char *name;
	const struct declaration *declaration; /* NULL: built in */
	enum symbol_state state;
	void *made;            /* the setting, event type or problem */
	struct symbol *reason; /* during its check: the symbol that needs it */
	uint32_t level;        /* above the levels of its parts */
	struct symbol *next;   /* in order of declaration */
};

struct names {
	struct text_map by_name;
	struct symbol *first, *last;
};

/* NULL: none. */
struct symbol *names_find(const struct names *names, const char *name);
/* The name must be new. */
struct symbol *names_add(struct arena *arena, struct names *names, const char *name,
                         const struct declaration *declaration);
/* Symbols stay in the arena. */
void names_release(struct names *names);
void names_offer(const struct names *names, struct nearest *nearest);

struct checker {
	struct arena *arena; /* of the book */
	struct rulebook *book;
	const struct modules *modules;
	struct diagnostics *errors;
	struct names settings, types, problems, metrics;
	struct names functions; /* functions outside MPI with a declared event */
	struct names generated; /* ids of problems without a given id */
	uint32_t depth;         /* nesting of checks of declarations that others need */
	struct token *phrases;  /* those of the book */
};

/* The meaning of names at some place. */
struct name_scope {
	struct checker *checker;
	struct symbol *user;       /* the checked symbol, for cycles */
	struct event_type *type;   /* the type whose members and columns are visible; NULL */
	uint32_t visible_columns;  /* the first ones of `type`, by their bare name */
	uint32_t first_member;     /* from this one … */
	uint32_t visible_members;  /* … so many */
	const struct syntax *keys; /* of a group or run */
	bool is_many;              /* members are many events: only aggregates reduce them to one value */
	bool is_each;              /* `each` is one of them */
	uint32_t each;
	bool has_previous;
	bool in_aggregate;
	bool in_aggregate_where;
	const struct prototype *prototype;
	bool in_event;                 /* declared for MPI functions: their arguments are visible */
	const struct problem *problem; /* its duration, at and partner are visible; NULL */
	bool is_condition;             /* its 'when', where columns precede these names */
};

/* resolve.c */
void resolve_declarations(struct checker *checker, struct declaration *const *files, size_t file_count);
/* A problem or metric by its id, or without its paradigm if unambiguous. NULL: none,
 * or (reported) several. */
struct symbol *find_by_id(struct checker *checker, const struct names *names, struct token id);
/* "unknown column 'x': did you mean 'y'?", or with another beginning. Returns NULL, like add_error(). */
void *error_missing(struct checker *checker, struct token word, const char *sentence,
                    const struct nearest *nearest);
void *error_unknown(struct checker *checker, struct token word, const char *what,
                    const struct nearest *nearest);

/* survey(EVENT.COLUMN, otherwise) */
struct expr *check_survey(struct name_scope *scope, const struct syntax *syntax);
/* Checks the declaration of the symbol if that is not done yet. NULL: wrong or disabled. */
struct setting *check_setting(struct checker *checker, struct symbol *symbol, struct symbol *user);
struct event_type *check_type(struct checker *checker, struct symbol *symbol, struct symbol *user);
/* By name; reports an unknown one. */
struct event_type *find_type(struct checker *checker, struct token name, struct symbol *user);
void check_problem(struct checker *checker, struct symbol *symbol, bool is_metric);
void check_test(struct checker *checker, const struct declaration *declaration);
bool give_setting(struct checker *checker, const char *text);

/* Notes that a symbol depends on another one. False: too deeply nested, which was reported. */
bool symbol_uses(struct checker *checker, struct symbol *user, const struct symbol *symbol);

bool check_composite(struct checker *checker, struct symbol *symbol, struct event_type *type);
bool count_parameters(struct checker *checker, const struct declaration *declaration);
bool check_join(struct checker *checker, const struct declaration *declaration,
                const struct event_type *type);
/* `text` and its translations. */
bool check_template(struct name_scope *scope, const struct token *text, struct template *template);
void add_language(struct checker *checker, const char *lang);
const struct translation *translations_of(struct checker *checker, const struct token *text);
/* For a text in an expression: its translations are found by the English text, so they
 * must always be the same. */
bool add_phrase(struct checker *checker, const struct token *text);
const struct prototype *parse_prototype(struct checker *checker, struct token text);

/* Expressions */
struct expr *check_expression(struct name_scope *scope, const struct syntax *syntax);
/* With this type; otherwise reports what `what` must be. */
struct expr *check_condition(struct name_scope *scope, const struct syntax *syntax, const char *what);
struct expr *check_name(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_field(struct name_scope *scope, const struct syntax *syntax);
struct expr *check_element(struct name_scope *scope, const struct syntax *syntax);
/* An argument of the event's functions, or a part of one. `is_found`: it is one; NULL: it is wrong. */
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
/* With one or two operands. */
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
/* Equality, where the member of an aggregate and `mine` count as equal. */
bool expr_is_same(const struct expr *a, const struct expr *b);
/* A whole number without a unit becomes a rank where one is needed. */
void adapt_literals(struct expr *a, struct expr *b);

/* The number of columns of a type, or of every call if NULL. */
uint32_t column_count(const struct event_type *type);
const char *column_name(const struct event_type *type, uint32_t column);
struct type column_type(const struct event_type *type, uint32_t column);
/* UINT32_MAX: none. */
uint32_t column_find(const struct event_type *type, const char *name);
struct column *column_add(struct checker *checker, struct event_type *type, struct column column);
/* Those of every call. */
void add_call_columns(struct checker *checker, struct event_type *type);

const char *describe(struct checker *checker, const struct expr *expr);
/* The declaration's own text. */
const char *text_of(struct checker *checker, struct source_range place);

/* LEVELS_MAX allows recursion over dependences. */
enum { MEMBERS_MAX = 16, PARAMETERS_MAX = 256, LEVELS_MAX = 100 };

#endif
