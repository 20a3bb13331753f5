/* Events in expressions: how the columns of an event that a rule names become nodes. A view is no data: it only knows
 * where each column of the event would come from, and columns that nobody asks for do not exist. */
#ifndef TARRY_ANALYSIS_ENGINE_VIEW_H
#define TARRY_ANALYSIS_ENGINE_VIEW_H

#include "analysis/engine/plan.h"

enum view_kind {
	VIEW_CALL,     /* a call in a relation: at `told` and `offset` */
	VIEW_RELATION, /* a row of a relation */
	VIEW_TABLE,    /* a composite */
	VIEW_CHOICE,   /* one of two, as a condition tells */
	VIEW_GATHERED, /* that of another row */
	VIEW_BROUGHT,  /* through an operator */
	VIEW_FIGURED,  /* that an operator picked of the members of a group */
};

struct view {
	enum view_kind kind;
	const struct event_type *type; /* NULL: a call of any function */
	struct share *share;
	struct table *table; /* RELATION, TABLE */
	struct space *space;
	enum row_part told;
	uint32_t offset;
	struct node *condition; /* CHOICE */
	struct view *one, *other;
	struct node *index; /* TAKEN: `one` at this row */
	const struct selection *selection;
	struct port *port; /* BROUGHT: into `space` */
	uint32_t flag;
	struct figure_plan *figure; /* FIGURED */
};

/* Of a call. */
struct node *view_part(const struct view *view, enum call_part part);
struct call_nodes view_parts(const struct view *view);
/* The call of an event that is charged if a rule does not say which. */
const struct view *view_call(const struct view *view);
/* NULL: the trail tells why it cannot be. */
struct node *view_column(const struct view *view, uint32_t column);
const struct view *view_event(const struct view *view, uint32_t column);
/* A number that tells this event from others. */
struct node *view_identity(const struct view *view);

/* When it starts or ends. */
struct node *view_time(const struct view *view, bool is_end);

struct view *view_new(struct share *share, enum view_kind kind, const struct event_type *type);
const struct view *view_choice(struct node *condition, const struct view *one, const struct view *other);
const struct view *view_gathered(const struct view *one, struct node *index,
                                 const struct selection *selection);

/* All calls that an event is made of. */
void view_calls(const struct view *view, struct call_nodes **calls, uint32_t *count);

#endif
