/* From expressions of rules to nodes. */
#ifndef TARRY_ANALYSIS_ENGINE_COMPILE_H
#define TARRY_ANALYSIS_ENGINE_COMPILE_H

#include "analysis/engine/view.h"

/* What the names in an expression stand for. */
struct scope {
	struct share *share;
	struct table *table; /* the composite */
	const struct view *self;
	const struct view *const *members;
	const struct view *each;
	const struct view *mine;
	const struct view *previous;
	bool is_each; /* results are by member, not by group */
};

/* NULL: the trail tells why. */
struct node *compile(const struct expr *expr, const struct scope *scope);
const struct view *compile_event(const struct expr *expr, const struct scope *scope);

/* Adds the conjuncts of an expression, which may be NULL. */
enum status compile_conditions(const struct expr *expr, const struct scope *scope,
                               struct conditions *conditions) MUST_CHECK;
/* Sorts the words; the same set for the same ones. */
const struct word_set *engine_set(struct engine *engine, int64_t *words, uint32_t count);
/* What a distinct call answers alone becomes one of its facts; anything else stays as it is. */
struct node *answered_once(struct share *share, struct node *node);
/* Conjuncts that the calls of a row of the relation answer alone become bits. */
void answer_conditions(struct table *relation, struct conditions *conditions);

/* aggregates.c: `min`, `count` and the others over the members of a group. */
struct node *compile_aggregate(const struct expr *expr, const struct scope *scope);
const struct view *compile_event_aggregate(const struct expr *expr, const struct scope *scope);

bool expr_has(const struct expr *expr, enum expr_kind kind);

#endif
