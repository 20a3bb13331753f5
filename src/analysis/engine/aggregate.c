#include "analysis/engine/aggregate.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- distinct values ---- */

enum { FIRST_SLOTS = 8 };

/* 0 is an empty slot, so a separate flag shows whether the value 0 occurred. */
struct value_table {
	uint64_t mask;
	bool has_zero;
	int64_t slots[];
};

static size_t table_words(uint64_t slot_count)
{
	return slot_count + sizeof(struct value_table) / sizeof(int64_t);
}

/* Where the value is, or would be. */
static int64_t *find_slot(struct value_table *table, int64_t value)
{
	uint64_t at = hash_fold(hash_word(0, (uint64_t)value)) & table->mask;

	while (table->slots[at] && table->slots[at] != value)
		at = (at + 1) & table->mask;
	return &table->slots[at];
}

static void table_keep(struct value_table *table, int64_t value)
{
	if (value)
		*find_slot(table, value) = value;
	else
		table->has_zero = true;
}

/* DISTINCT keeps its values in at most `room` words. Returns the number of values that were not kept, 0
 * or 1. */
static uint64_t distinct_add(struct aggregate_state *state, bool is_real, union word value, size_t *room)
{
	bool has_table = state->count > 1;
	struct value_table *old = has_table ? state->table : NULL, *table;
	bool is_known;

	if (is_absent(value, is_real))
		return 0;
	/* Zero has two signs, which are equal. */
	if (is_real && value.r == 0)
		value.i = 0;
	if (!state->count) {
		state->only = value.i;
		state->count = 1;
		return 0;
	}
	is_known = !has_table ? state->only == value.i
	           : value.i  ? *find_slot(old, value.i) != 0
	                      : old->has_zero;
	if (is_known)
		return 0;
	/* Makes the first table, or one with twice as many slots. */
	if (!has_table || state->count > old->mask / 2) {
		uint64_t slot_count = old ? (old->mask + 1) * 2 : FIRST_SLOTS;
		size_t available = *room + (old ? table_words(old->mask + 1) : 0);

		if (table_words(slot_count) > available)
			return 1;
		*room = available - table_words(slot_count);
		table = memory_new(table_words(slot_count), sizeof *table->slots);
		table->mask = slot_count - 1;
		for (uint64_t i = 0; old && i <= old->mask; i++)
			if (old->slots[i])
				table_keep(table, old->slots[i]);
		table->has_zero = old && old->has_zero;
		if (!has_table)
			table_keep(table, state->only);
		free(old);
		state->table = table;
	}
	table_keep(state->table, value.i);
	state->count++;
	return 0;
}

/* As it was before the first value. */
static void distinct_clear(struct aggregate_state *state, size_t *room)
{
	if (state->count > 1) {
		*room += table_words(state->table->mask + 1);
		free(state->table);
	}
	*state = (struct aggregate_state){0};
}

/* ---- groups whose rows lie together ---- */

/* A state is in registers until the next group begins. */
AGGREGATE_INLINE void go_through(enum aggregate aggregate, bool is_real, const struct aggregate_block *block,
                                 const uint32_t *rows)
{
	const uint32_t *group_of = block->group_of;
	const union word *values = block->values, none = {.i = -1};
	uint32_t k = 0, count = block->count;

	while (k < count) {
		uint32_t row = rows ? rows[k] : k, group = group_of[row];
		struct aggregate_state state = aggregate_start(aggregate, is_real);
		do {
			union word value = aggregate_has_value(aggregate) ? values[row] : none;
			aggregate_add(aggregate, is_real, &state, value, (union word){.i = row});
		} while (++k < count && group_of[row = rows ? rows[k] : k] == group);
		block->out[group] = aggregate_finish(aggregate, is_real, &state, none);
	}
}

/* Functions of one aggregate, of integers or doubles. */
#define INSTANCE(name, aggregate, is_real) \
	static void block_##name(const struct aggregate_block *block) \
	{ \
		if (block->rows) \
			go_through(aggregate, is_real, block, block->rows); \
		else \
			go_through(aggregate, is_real, block, NULL); \
	} \
	static void add_##name(struct aggregate_state *state, union word value, union word picked) \
	{ \
		aggregate_add(aggregate, is_real, state, value, picked); \
	} \
	static void merge_##name(struct aggregate_state *state, const struct aggregate_state *other) \
	{ \
		aggregate_merge(aggregate, is_real, state, other); \
	} \
	static void append_##name(struct aggregate_state *state, const struct aggregate_state *later) \
	{ \
		aggregate_unite(aggregate, is_real, state, later, !state->count); \
	} \
	static void add_any_##name(struct aggregate_state *state, union word value, union word picked) \
	{ \
		struct aggregate_state one = aggregate_start(aggregate, is_real); \
		aggregate_add(aggregate, is_real, &one, value, picked); \
		aggregate_merge(aggregate, is_real, state, &one); \
	}

#define INSTANCES(INSTANCE) \
	INSTANCE(min, AGGREGATE_MIN, false) \
	INSTANCE(max, AGGREGATE_MAX, false) \
	INSTANCE(sum, AGGREGATE_SUM, false) \
	INSTANCE(mean, AGGREGATE_MEAN, false) \
	INSTANCE(argmin, AGGREGATE_ARGMIN, false) \
	INSTANCE(argmax, AGGREGATE_ARGMAX, false) \
	INSTANCE(count, AGGREGATE_COUNT, false) \
	INSTANCE(first, AGGREGATE_FIRST, false) \
	INSTANCE(last, AGGREGATE_LAST, false) \
	INSTANCE(real_min, AGGREGATE_MIN, true) \
	INSTANCE(real_max, AGGREGATE_MAX, true) \
	INSTANCE(real_sum, AGGREGATE_SUM, true) \
	INSTANCE(real_mean, AGGREGATE_MEAN, true) \
	INSTANCE(real_argmin, AGGREGATE_ARGMIN, true) \
	INSTANCE(real_argmax, AGGREGATE_ARGMAX, true)

INSTANCES(INSTANCE)

static void block_distinct(const struct aggregate_block *block)
{
	uint32_t k = 0;

	while (k < block->count) {
		uint32_t row = block->rows ? block->rows[k] : k, group = block->group_of[row];
		struct aggregate_state state = {0};
		size_t room = SIZE_MAX / 2;
		do {
			(void)distinct_add(&state, block->is_real, block->values[row], &room);
			row = ++k < block->count && block->rows ? block->rows[k] : k;
		} while (k < block->count && block->group_of[row] == group);
		block->out[group].i = (int64_t)state.count;
		distinct_clear(&state, &room);
	}
}

struct aggregate_functions aggregate_functions(enum aggregate aggregate, bool is_real)
{
#define FUNCTIONS(name, aggregate, is_real) \
	[aggregate][is_real] = {add_##name, add_any_##name, merge_##name, append_##name},
	static const struct aggregate_functions functions[AGGREGATE_DISTINCT + 1][2] = {INSTANCES(FUNCTIONS)};
#undef FUNCTIONS

	return functions[aggregate][is_real && aggregate_has_value(aggregate)];
}

void aggregate_block(const struct aggregate_block *block)
{
#define BLOCK(name, aggregate, is_real) [aggregate][is_real] = block_##name,
	static void (*const loops[AGGREGATE_DISTINCT + 1][2])(const struct aggregate_block *) = {
		INSTANCES(BLOCK)[AGGREGATE_DISTINCT] = {block_distinct, block_distinct}};
#undef BLOCK

	loops[block->aggregate][block->is_real && aggregate_has_value(block->aggregate)](block);
}

union word aggregate_of_none(enum aggregate aggregate, bool is_real)
{
	struct aggregate_state state = aggregate_start(aggregate, is_real);

	return aggregate_finish(aggregate, is_real, &state, (union word){.i = -1});
}

/* ---- states that are kept for each key ---- */

struct accumulator {
	struct tuple_aggregate plan;
	void (*add)(struct aggregate_state *state, union word value, union word picked); /* NULL: DISTINCT */
	void (*append)(struct aggregate_state *state, const struct aggregate_state *later);
};

void accumulators_init(struct accumulators *accumulators, const struct tuple_aggregate *aggregates,
                       uint32_t count, size_t room)
{
	*accumulators = (struct accumulators){.count = count, .room = room};
	accumulators->all = memory_new(count, sizeof *accumulators->all);
	for (uint32_t i = 0; i < count; i++) {
		struct accumulator *one = &accumulators->all[i];
		one->plan = aggregates[i];
		one->add = aggregate_functions(one->plan.aggregate, one->plan.is_real).add;
		one->append = aggregate_functions(one->plan.aggregate, one->plan.is_real).append;
		/* Unused words may have any value. */
		if (!aggregate_has_value(one->plan.aggregate))
			one->plan.value = 0;
		if (!aggregate_picks(one->plan.aggregate))
			one->plan.result = 0;
	}
}

void accumulators_release(struct accumulators *accumulators)
{
	free(accumulators->all);
}

void accumulators_start(const struct accumulators *accumulators, struct aggregate_state *states)
{
	for (uint32_t i = 0; i < accumulators->count; i++)
		states[i] = aggregate_start(accumulators->all[i].plan.aggregate,
		                            accumulators->all[i].plan.is_real);
}

void accumulators_add(struct accumulators *accumulators, struct aggregate_state *states, const int64_t *tuple)
{
	for (uint32_t i = 0; i < accumulators->count; i++) {
		const struct accumulator *one = &accumulators->all[i];
		union word value = {.i = tuple[one->plan.value]};

		if (one->plan.filter != NO_WORD && !tuple[one->plan.filter])
			continue;
		if (one->add)
			one->add(&states[i], value, (union word){.i = tuple[one->plan.result]});
		else
			accumulators->dropped += distinct_add(&states[i], one->plan.is_real, value,
			                                      &accumulators->room);
	}
}

void accumulators_append(const struct accumulators *accumulators, struct aggregate_state *states,
                         const struct aggregate_state *later)
{
	for (uint32_t i = 0; i < accumulators->count; i++)
		accumulators->all[i].append(&states[i], &later[i]);
}

void accumulators_finish(struct accumulators *accumulators, struct aggregate_state *states, int64_t *result)
{
	for (uint32_t i = 0; i < accumulators->count; i++) {
		const struct tuple_aggregate *plan = &accumulators->all[i].plan;
		union word word = aggregate_finish(plan->aggregate, plan->is_real, &states[i], plan->absent);

		if (result)
			result[i] = word.i;
		if (plan->aggregate == AGGREGATE_DISTINCT)
			distinct_clear(&states[i], &accumulators->room);
	}
}
