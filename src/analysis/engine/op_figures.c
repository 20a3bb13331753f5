#include "analysis/engine/op_figures.h"

#include "analysis/engine/op_value_set.h"
#include "analysis/engine/op_wide.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* What is kept of one kind of figure, and how. */
struct figure_kind {
	uint32_t state_words; /* besides the words that it gives, if `gives_words` */
	bool gives_words;
	void (*add)(struct figures *figures, const struct figure *figure, int64_t *state,
	            const int64_t *tuple);
	void (*give)(const struct figure *figure, const int64_t *state, int64_t *result);
};

static int64_t absent_of(bool is_real)
{
	return is_real ? real_to_word(NAN) : ABSENT;
}

static bool is_less(const struct figure *figure, int64_t x, int64_t y)
{
	return figure->is_real ? word_to_real(x) < word_to_real(y) : x < y;
}

/* MIN, MAX: whether there is one, the value. */
static void add_min(struct figures *figures, const struct figure *figure, int64_t *state,
                    const int64_t *tuple)
{
	(void)figures;
	if (!state[0] || is_less(figure, tuple[figure->value], state[1]))
		state[1] = tuple[figure->value];
	state[0] = 1;
}

static void add_max(struct figures *figures, const struct figure *figure, int64_t *state,
                    const int64_t *tuple)
{
	(void)figures;
	if (!state[0] || is_less(figure, state[1], tuple[figure->value]))
		state[1] = tuple[figure->value];
	state[0] = 1;
}

static void give_extreme(const struct figure *figure, const int64_t *state, int64_t *result)
{
	*result = state[0] ? state[1] : absent_of(figure->is_real);
}

/* SUM, MEAN: the sum in two words, the count. */
static void add_sum(struct figures *figures, const struct figure *figure, int64_t *state,
                    const int64_t *tuple)
{
	(void)figures;
	if (figure->is_real)
		state[0] = real_to_word(word_to_real(state[0]) + word_to_real(tuple[figure->value]));
	else
		wide_store(state, wide_load(state) + tuple[figure->value]);
}

static void give_sum(const struct figure *figure, const int64_t *state, int64_t *result)
{
	*result = figure->is_real ? state[0] : wide_to_word(wide_load(state));
}

static void add_mean(struct figures *figures, const struct figure *figure, int64_t *state,
                     const int64_t *tuple)
{
	add_sum(figures, figure, state, tuple);
	state[2]++;
}

static void give_mean(const struct figure *figure, const int64_t *state, int64_t *result)
{
	double sum = figure->is_real ? word_to_real(state[0]) : (double)wide_load(state);

	*result = state[2] ? real_to_word(sum / (double)state[2]) : absent_of(true);
}

static void add_count(struct figures *figures, const struct figure *figure, int64_t *state,
                      const int64_t *tuple)
{
	(void)figures;
	(void)figure;
	(void)tuple;
	state[0]++;
}

static void give_count(const struct figure *figure, const int64_t *state, int64_t *result)
{
	(void)figure;
	*result = state[0];
}

/* FIRST, LAST: whether there is one, its words. */
static void add_last(struct figures *figures, const struct figure *figure, int64_t *state,
                     const int64_t *tuple)
{
	(void)figures;
	state[0] = 1;
	memcpy(state + 1, tuple + figure->value, figure_words(figure) * sizeof *state);
}

static void add_first(struct figures *figures, const struct figure *figure, int64_t *state,
                      const int64_t *tuple)
{
	if (!state[0])
		add_last(figures, figure, state, tuple);
}

static void give_words(const struct figure *figure, bool is_there, const int64_t *words, int64_t *result)
{
	for (uint32_t i = 0; i < figure_words(figure); i++)
		result[i] = is_there ? words[i] : ABSENT;
}

static void give_one(const struct figure *figure, const int64_t *state, int64_t *result)
{
	give_words(figure, state[0], state + 1, result);
}

/* ARGMIN, ARGMAX: whether there is one, its value, its words. */
static void keep_best(const struct figure *figure, int64_t *state, const int64_t *tuple)
{
	state[0] = 1;
	state[1] = tuple[figure->value];
	memcpy(state + 2, tuple + figure->result, figure_words(figure) * sizeof *state);
}

static void add_argmin(struct figures *figures, const struct figure *figure, int64_t *state,
                       const int64_t *tuple)
{
	(void)figures;
	if (!state[0] || is_less(figure, tuple[figure->value], state[1]))
		keep_best(figure, state, tuple);
}

static void add_argmax(struct figures *figures, const struct figure *figure, int64_t *state,
                       const int64_t *tuple)
{
	(void)figures;
	if (!state[0] || is_less(figure, state[1], tuple[figure->value]))
		keep_best(figure, state, tuple);
}

static void give_best(const struct figure *figure, const int64_t *state, int64_t *result)
{
	give_words(figure, state[0], state + 2, result);
}

static void add_distinct(struct figures *figures, const struct figure *figure, int64_t *state,
                         const int64_t *tuple)
{
	figures->dropped += value_set_add((struct value_set *)state, tuple[figure->value],
	                                  &figures->value_room);
}

static void give_distinct(const struct figure *figure, const int64_t *state, int64_t *result)
{
	(void)figure;
	*result = (int64_t)((const struct value_set *)state)->count;
}

static const struct figure_kind kinds[] = {
	[AGGREGATE_MIN] = {2, false, add_min, give_extreme},
	[AGGREGATE_MAX] = {2, false, add_max, give_extreme},
	[AGGREGATE_SUM] = {2, false, add_sum, give_sum},
	[AGGREGATE_COUNT] = {1, false, add_count, give_count},
	[AGGREGATE_MEAN] = {3, false, add_mean, give_mean},
	[AGGREGATE_FIRST] = {1, true, add_first, give_one},
	[AGGREGATE_LAST] = {1, true, add_last, give_one},
	[AGGREGATE_ARGMIN] = {2, true, add_argmin, give_best},
	[AGGREGATE_ARGMAX] = {2, true, add_argmax, give_best},
	[AGGREGATE_DISTINCT] = {sizeof(struct value_set) / 8, false, add_distinct, give_distinct},
};

uint32_t figure_words(const struct figure *figure)
{
	return kinds[figure->aggregate].gives_words && figure->words ? figure->words : 1;
}

void figures_init(struct figures *figures, const struct figure *plan, uint32_t count, size_t value_room)
{
	*figures = (struct figures){.count = count, .value_room = value_room};
	figures->running = memory_new(count, sizeof *figures->running);
	for (uint32_t i = 0; i < count; i++) {
		const struct figure_kind *kind = &kinds[plan[i].aggregate];

		figures->running[i] = (struct running){.figure = plan[i],
		                                       .kind = kind,
		                                       .state = figures->state_words,
		                                       .result = figures->result_words};
		figures->result_words += figure_words(&plan[i]);
		figures->state_words += kind->state_words + (kind->gives_words ? figure_words(&plan[i]) : 0);
		figures->distinct_count += plan[i].aggregate == AGGREGATE_DISTINCT;
	}
}

void figures_release(struct figures *figures)
{
	free(figures->running);
}

void figures_add(struct figures *figures, int64_t *state, const int64_t *tuple)
{
	for (uint32_t i = 0; i < figures->count; i++) {
		const struct running *running = &figures->running[i];
		const struct figure *figure = &running->figure;

		if (figure->filter == NO_WORD || tuple[figure->filter])
			running->kind->add(figures, figure, state + running->state, tuple);
	}
}

void figures_give(const struct figures *figures, const int64_t *state, int64_t *result)
{
	for (uint32_t i = 0; i < figures->count; i++) {
		const struct running *running = &figures->running[i];

		running->kind->give(&running->figure, state + running->state, result + running->result);
	}
}

void figures_clear(struct figures *figures, int64_t *state)
{
	for (uint32_t i = 0; figures->distinct_count && i < figures->count; i++)
		if (figures->running[i].figure.aggregate == AGGREGATE_DISTINCT)
			value_set_clear((struct value_set *)(state + figures->running[i].state),
			                &figures->value_room);
	memset(state, 0, figures->state_words * sizeof *state);
}
