/* Which rows can matter to any rule at all, so that most are forgotten as soon as they are told. It is worked out of all
 * conditions on the rows of a relation: a row is of interest if it meets what some rule needs at the least. What cannot be
 * told by a glance at the row is left out of that, so that a row may be of interest in vain, but never be missed.
 *
 *	engine->intakes[relation].interest = interest_find(parts->shares, parts->count, relation);
 *	if (!interest_in(interest, group, rows, count))
 *		… nobody wants to know … */
#ifndef TARRY_ANALYSIS_ENGINE_INTEREST_H
#define TARRY_ANALYSIS_ENGINE_INTEREST_H

#include "analysis/engine/plan.h"
#include "analysis/model/relations.h"

/* NULL: all rows are of interest, or it would take too long to tell. Lives as long as the engine. */
struct interest *interest_find(struct share *const *shares, uint32_t count, enum relation relation);

/* Notes among what calls have in common what it has to know of them: when all else is there. */
void interest_answer(const struct interest *interest, int64_t *common);
/* A call with these was met. Whether it is worth while to look there: for role->is_asked. */
bool interest_meet(struct interest *interest, const int64_t *common);
/* In one of the rows of a group. */
bool interest_in(const struct interest *interest, const void *group, const void *rows, uint32_t count);

/* For messages that the call which sent them, or that which received them, completed alone. NULL: there are none. */
const struct glances *interest_glances(const struct interest *interest, bool is_send);

#endif
