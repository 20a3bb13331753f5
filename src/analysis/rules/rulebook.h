/* Rules in the form for the engine: loaded, imported, overridden, resolved and typed. Errors in rules are
 * found before a rulebook exists.
 *
 *	struct rulebook *book;
 *	TRY(rulebook_load(&options, &book));
 *	for (size_t i = 0; i < book->problem_count; i++)
 *		compile(book->problems[i]);
 *	rulebook_free(book);
 *
 * Event types form an acyclic graph: in `types`, members precede composites, and native types are
 * first, types[RELATION_…].
 *
 * Numbers are in ns and bytes and in powers of these: a rate is in bytes per ns. Quotients are real. `at` and
 * `partner` of a problem are always calls: for other events the language chooses one. */
#ifndef TARRY_ANALYSIS_RULES_RULEBOOK_H
#define TARRY_ANALYSIS_RULES_RULEBOOK_H

#include "analysis/relations/types.h"
#include "base/arena.h"
#include "base/status.h"
#include "language/language.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in a rule file, for messages and `tarry rules show`. */
struct origin {
	const char *file;
	uint32_t line, column;
};

enum expr_kind {
	EXPR_LITERAL,  /* `number`, `real` or `text`, by its type */
	EXPR_SETTING,  /* a rule parameter: `setting` */
	EXPR_RUN,      /* a figure of the whole run: `run` */
	EXPR_SURVEY,   /* in a rule parameter: the result of survey `number`, or args[0] */
	EXPR_MEMBER,   /* the event of member `member`; of type EVENT */
	EXPR_EACH,     /* problem for each member of a group: that member; of type EVENT */
	EXPR_MINE,     /* in an aggregate's `where`: the member for which the value is computed */
	EXPR_PREVIOUS, /* in a run's `while`: the event before EXPR_MEMBER */
	EXPR_SELF,     /* in a problem, and in later parameters of a composite: the composite itself */
	EXPR_COLUMN,   /* `column` of the event args[0]: in its type's columns, or enum call_column */
	EXPR_UNARY,    /* `op` args[0] */
	EXPR_BINARY,   /* args[0] `op` args[1] */
	EXPR_CHOICE,   /* if args[0] then args[1] else args[2] */
	EXPR_LEAST,    /* min(args…) of several expressions */
	EXPR_GREATEST, /* max(args…) */
	EXPR_AMONG,    /* args[0] in (args[1], …) */
	EXPR_ARGUMENT, /* in a declared event of a C function: argument `member`; ARGUMENT_RESULT: what it returned. Of one of
	                * MPI's: `text` as calls/arguments.h writes it; `number` 1: known after the call */
	EXPR_AGGREGATE, /* over the members of a group or run: `aggregate` of args[0]; always three args: args[1] is
	                 * its `where`, args[2] what argmin and argmax give; NULL if there is none */
};

enum operator{
	OP_NONE,
	OP_NOT,
	OP_MINUS, /* unary */
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_AND,
	OP_OR,
};

enum aggregate {
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_SUM,
	AGGREGATE_COUNT,
	AGGREGATE_MEAN,
	AGGREGATE_FIRST,
	AGGREGATE_LAST, /* in the order of arrival */
	AGGREGATE_ARGMIN,
	AGGREGATE_ARGMAX,   /* of args[0], returning args[2]: argmax(c.start, c) */
	AGGREGATE_DISTINCT, /* number of different values */
};

#define ARGUMENT_RESULT UINT32_MAX

struct expr {
	enum expr_kind kind;
	struct type type;
	struct origin origin;
	enum operator op;
	enum aggregate aggregate;
	int64_t number; /* of a literal: bool, integer, ns, bytes, rank, function, … */
	double real;
	const char *text;
	uint32_t member;
	uint32_t column;
	const struct setting *setting;
	enum run_figure run;
	const struct event_type *event; /* of an EVENT: its type; NULL: a call of any function */
	struct expr **args;
	uint32_t arg_count;
};

/* A rule parameter. `value` is a constant expression, or one of run figures and other settings. */
struct setting {
	const char *name;
	const char *description;
	const struct translation *descriptions;
	struct expr *value;
	struct origin origin;
	const char *text; /* of its declaration */
	bool is_given;    /* on the command line */
};

struct column {
	const char *name;
	struct type type;
	const struct event_type *event; /* of type EVENT */
	struct expr *value;             /* of a composite or a declared event; NULL: native */
	uint32_t native;                /* enum native_column or enum call_column */
	bool is_out;                    /* of a declared event: needs the function's result */
	struct origin origin;
};

enum type_form {
	FORM_CALL,   /* a simple event: calls of `functions`; columns are those of every call, then its own */
	FORM_NATIVE, /* rows of the model: `relation` */
	FORM_JOIN,
	FORM_GROUP,
	FORM_RUN,
};

enum member_order { MEMBER_ANY, MEMBER_LAST_BEFORE, MEMBER_FIRST_AFTER };

struct member {
	const char *name;
	const struct event_type *type;
	bool is_shared;
	struct expr *where; /* a condition on this member alone; NULL */
	enum member_order order;
	uint32_t other; /* of LAST_BEFORE, FIRST_AFTER: the reference member */
};

struct event_type {
	const char *name;
	const char *description; /* "" */
	const struct translation *descriptions;
	struct origin origin;
	const char *text; /* of its declaration; "" if native */
	enum type_form form;
	uint32_t number; /* in book->types */
	struct column *columns;
	uint32_t column_count;
	/* of FORM_CALL */
	const char *const *functions; /* "MPI_Send", "write"; NULL-terminated; NULL: every function of MPI */
	const struct prototype *prototype; /* of a function outside MPI; NULL */
	/* of FORM_NATIVE */
	enum relation relation;
	/* of the others */
	struct member *members;
	uint32_t member_count;
	struct expr **keys; /* group by, run by */
	uint32_t key_count;
	struct expr *while_condition; /* of a run: between EXPR_PREVIOUS and the member; NULL */
	struct expr *when;            /* NULL: always */
};

enum confidence { CONFIDENCE_CERTAIN, CONFIDENCE_LIKELY, CONFIDENCE_SUSPICION };

/* Changes after which a problem would not occur (analysis/whatif/remedy.h). */
enum remedy_kind {
	REMEDY_USUAL,   /* REMEDY_NO_WAIT with a partner, otherwise REMEDY_SHORTEN */
	REMEDY_WORK,    /* less computing of the late process */
	REMEDY_SHARE,   /* all processes share the computing that one does alone */
	REMEDY_NO_WAIT, /* the late call is made in time */
	REMEDY_HIDE,    /* transfers overlap with computing */
	REMEDY_REMOVE,  /* the calls are gone */
	REMEDY_SERVE,   /* work after each request of a queue is done by two */
	REMEDY_PARALLEL, /* processes that work one after the other work at the same time: no receive there waits */
	REMEDY_SHORTEN,     /* the calls take less time */
	REMEDY_EVEN_TEAM,   /* the threads of a team share their work evenly */
	REMEDY_SHARE_TASKS, /* the threads of a team share the work of tasks evenly, so none waits for one */
	REMEDY_SHARE_TEAM,  /* the threads of a team share work between regions that one does alone */
	REMEDY_SERIAL_REGION, /* one thread executes the region */
	REMEDY_FREE_LOCK,     /* threads take the lock without waiting */
	REMEDY_NONE,          /* not known: a replay cannot show it */
	REMEDIES_END
};

/* As rules write them; of REMEDY_USUAL NULL. */
extern const char *const remedy_names[REMEDIES_END];

enum template_mark { MARK_VALUE, MARK_WHEN, MARK_END };

/* The content of braces: a value, possibly with a noun after it; or the begin or end of conditional text. */
struct template_part {
	enum template_mark mark;
	const char *const *nouns; /* one per plural form of the language (plural_form); NULL: none */
};

/* Text with values in it: "rank {partner.rank} sends {count | message | messages}{when bytes > 0 B} of
 * {bytes}{end}". Pieces alternate, beginning with a text. The end of a conditional text repeats the
 * value of its condition. */
struct template
{
	const char **texts; /* count + 1 */
	struct expr **values;
	struct template_part *parts;
	uint32_t count;
	const char *lang;            /* NULL: English */
	const struct template *next; /* in another language */
};

struct problem {
	const char *id; /* "mpi.late-sender": with the paradigm, except for metrics */
	bool is_metric; /* counted, but not a finding */
	struct origin origin;
	const char *text; /* of its declaration */
	const struct event_type *type;
	bool is_for_each; /* member of a group: EXPR_EACH */
	struct expr *when;
	const char *name;
	const char *description;
	const struct translation *names, *descriptions;
	struct template advice;
	struct expr *duration;    /* a time */
	struct expr *occurrences; /* of a metric, the weight of each instance; NULL: 1 */
	struct expr *at;          /* EVENT: the charged call */
	struct expr *partner;     /* EVENT: the responsible call; NULL */
	enum confidence confidence;
	enum remedy_kind remedy;
	uint32_t number; /* in book->problems */
};

/* A parameter or the result of a C function outside MPI, for the wrapper. */
struct argument {
	const char *name;
	const char *c_type; /* "const char *" */
};

struct prototype {
	const char *function;
	const char *result; /* "ssize_t", "void" */
	struct argument *arguments;
	uint32_t argument_count;
	const char *text; /* as written in the rule */
};

/* A text in expressions that has translations. */
struct phrase {
	const char *text;
	const struct translation *others;
};

struct rulebook {
	struct arena arena;
	struct event_type **types;
	size_t type_count;
	struct problem **problems;
	size_t problem_count;
	struct setting **settings;
	size_t setting_count;
	/* Queries of parameters about the whole run, answered by a pass before the analysis: metrics whose
	 * duration is the value, if there is one instance. */
	struct problem **surveys;
	size_t survey_count;
	struct rule_test **tests; /* rules/rule_test.h */
	size_t test_count;
	size_t file_count;
	struct phrase *phrases;
	size_t phrase_count;
	const char **languages; /* languages of any text, except English */
	size_t language_count;
};

/* The name of settings of the options in diagnostics. */
#define RULE_SETTINGS "--set"

struct rule_options {
	const char *shipped;         /* folder of the shipped modules */
	const char *const *files;    /* the user's, NULL-terminated; may be NULL */
	bool without_shipped;        /* only the files and their imports */
	bool without_tests;          /* tests will not be run: their contents are skipped */
	const char *const *settings; /* "eps=5us", NULL-terminated; may be NULL */
};

/* On failure the message has all errors in the format of a compiler: file, line,
 * column, the line, a caret. */
enum status rulebook_load(const struct rule_options *options, struct rulebook **book) MUST_CHECK;
void rulebook_free(struct rulebook *book);

/* True if `word` is the id without its paradigm: "late-sender" of "mpi.late-sender". */
bool is_short_id(const char *word, const char *id);

/* In the language `lang`; in English if there is no translation, or `lang` is NULL. */
const char *problem_name(const struct problem *problem, const char *lang);
const char *problem_description(const struct problem *problem, const char *lang);
const struct template *problem_advice(const struct problem *problem, const char *lang);
/* For the text of an expression. */
const char *rulebook_translate(const struct rulebook *book, const char *text, const char *lang);

/* True if it, or one of its operands, is of this kind. */
bool expr_uses(const struct expr *expr, enum expr_kind kind);
/* The members in it: one bit each. */
uint64_t expr_members(const struct expr *expr);
static inline bool is_one_member(uint64_t members)
{
	return members && !(members & (members - 1));
}

/* NULL is a call of any function. */
static inline bool type_is_call(const struct event_type *type)
{
	return !type || type->form == FORM_CALL ||
	       (type->form == FORM_NATIVE && type->relation == RELATION_CALL);
}

/* True if it is the metric of this problem: with its name, and in its file, because paradigms may have
 * problems of the same name. */
bool is_metric_for(const struct problem *metric, const struct problem *problem);

#endif
