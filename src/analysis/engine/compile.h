/* From expressions of rules to nodes. */
#ifndef TARRY_ANALYSIS_ENGINE_COMPILE_H
#define TARRY_ANALYSIS_ENGINE_COMPILE_H

#include "analysis/engine/plan.h"

/* ---- views ---- */

/* Events in expressions: how the columns of an event that a rule names become nodes. A view contains no data.
 * It only describes the origin of each column of the event; columns that no rule needs do not exist. */
enum view_kind {
	VIEW_CALL,     /* a call in a relation: at `part` and `offset` */
	VIEW_RELATION, /* a row of a relation */
	VIEW_TABLE,    /* a composite */
	VIEW_CHOICE,   /* one of two events, by a condition */
	VIEW_GATHERED, /* the event of another row */
	VIEW_PORT,     /* an event after an operator */
	VIEW_PICKED,   /* the member of a group that an operator picked */
};

struct view {
	enum view_kind kind;
	const struct event_type *type; /* NULL: a call of any function */
	struct partition *partition;
	struct table *table; /* RELATION, TABLE */
	struct space *space;
	enum row_part part;
	uint32_t offset;
	struct node *condition; /* CHOICE */
	struct view *one, *other;
	struct node *index; /* GATHERED: `one` at this row */
	const struct row_selection *selection;
	struct port *port; /* PORT: into `space` */
	uint32_t flag;
	struct pick_plan *pick; /* PICKED */
};

/* Of a call. */
struct node *view_part(const struct view *view, enum call_part part);
struct call_nodes view_parts(const struct view *view);
/* The call of an event that is charged if the rule names none. */
const struct view *view_call(const struct view *view);
/* NULL: failed, see the trail. */
struct node *view_column(const struct view *view, uint32_t column);
/* Of a call: the value that was recorded under this name because a rule needs it. */
struct node *view_param(const struct view *view, const char *name, bool is_real);
const struct view *view_event(const struct view *view, uint32_t column);
/* A number that identifies the event. */
struct node *view_identity(const struct view *view);

/* The start or end of the event. */
struct node *view_time(const struct view *view, bool is_end);

struct view *view_new(struct partition *partition, enum view_kind kind, const struct event_type *type);
const struct view *view_choice(struct node *condition, const struct view *one, const struct view *other);
const struct view *view_gathered(const struct view *one, struct node *index,
                                 const struct row_selection *selection);

/* All calls of an event. */
void view_calls(const struct view *view, struct call_nodes **calls, uint32_t *count);

/* ---- expressions ---- */

/* The meaning of the names in an expression. */
struct scope {
	struct partition *partition;
	struct table *table; /* the composite */
	const struct view *self;
	const struct view *const *members;
	const struct view *each;
	const struct view *mine;
	const struct view *previous;
};

/* NULL: failed, see the trail. */
struct node *compile(const struct expr *expr, const struct scope *scope);
const struct view *compile_event(const struct expr *expr, const struct scope *scope);

/* Adds the conjuncts of an expression, which may be NULL. */
enum status compile_conditions(const struct expr *expr, const struct scope *scope,
                               struct conditions *conditions) MUST_CHECK;
/* Sorts the words. Equal words give the same set. */
const struct word_set *engine_set(struct engine *engine, int64_t *words, uint32_t count);
/* Turns an expression that depends only on the distinct call into one of its facts; other expressions are
 * returned unchanged. */
struct node *answered_once(struct partition *partition, struct node *node);
/* Turns conjuncts that depend only on the calls of a row of the relation into bits. */
void answer_conditions(struct table *relation, struct conditions *conditions);

/* aggregate.c: `min`, `count` and the other aggregates over the members of a group. */
struct node *compile_aggregate(const struct expr *expr, const struct scope *scope);
const struct view *compile_event_aggregate(const struct expr *expr, const struct scope *scope);

#endif
