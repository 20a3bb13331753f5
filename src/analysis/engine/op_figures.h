/* The running values of the figures of a group or run, one after the other in its record. All zeros is the state of no
 * member at all.
 *
 *	struct figures figures;
 *	figures_init(&figures, plan->figures, plan->figure_count, room);
 *	int64_t state[figures.state_words] = {0};
 *	figures_add(&figures, state, tuple);
 *	figures_give(&figures, state, result);   figures.result_words words
 *	figures_clear(&figures, state);          as it was; gives back what `distinct` kept
 *	figures_release(&figures);
 */
#ifndef TARRY_ANALYSIS_ENGINE_OP_FIGURES_H
#define TARRY_ANALYSIS_ENGINE_OP_FIGURES_H

#include "analysis/engine/operator.h"

struct running {
	struct figure figure;
	const struct figure_kind *kind;
	uint32_t state;  /* its first word in the state */
	uint32_t result; /* its first word in the result */
};

struct figures {
	struct running *running;
	uint32_t count;
	uint32_t state_words, result_words;
	uint32_t distinct_count; /* of the figures */
	size_t value_room;       /* words that `distinct` may still use */
	uint64_t dropped;        /* values that it did not keep */
};

void figures_init(struct figures *figures, const struct figure *plan, uint32_t count, size_t value_room);
void figures_release(struct figures *figures);
void figures_add(struct figures *figures, int64_t *state, const int64_t *tuple);
void figures_give(const struct figures *figures, const int64_t *state, int64_t *result);
void figures_clear(struct figures *figures, int64_t *state);

#endif
