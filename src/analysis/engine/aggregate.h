/* Aggregates over rows: the only definition of `min`, `sum` and the others.
 *
 *	struct aggregate_state state = aggregate_start(AGGREGATE_MAX, is_real);
 *	aggregate_add(AGGREGATE_MAX, is_real, &state, value, picked);     for each row, in order
 *	union word latest = aggregate_finish(AGGREGATE_MAX, is_real, &state, absent);
 *
 * A value is absent if it is ABSENT or not-a-number. MIN, MAX, SUM, MEAN, ARGMIN, ARGMAX and DISTINCT skip
 * absent values. COUNT counts rows; FIRST and LAST pick a row with any value. If no value is present, COUNT,
 * SUM and DISTINCT are 0, and all others are absent. Among equal values, ARGMIN and ARGMAX pick the first
 * row. SUM of integers is exact and saturates; MEAN is a double, computed from the exact sum of integers.
 *
 * Three loops use these functions: groups with adjacent rows in columns (aggregate_block), states for each
 * key (struct accumulators), and rows that are compared with an asking row (aggregate_compared). */
#ifndef TARRY_ANALYSIS_ENGINE_AGGREGATE_H
#define TARRY_ANALYSIS_ENGINE_AGGREGATE_H

#include "analysis/engine/vector.h"
#include "analysis/rules/rulebook.h"

#include <math.h>
#include <stddef.h>

struct value_table;

struct aggregate_state {
	uint64_t count; /* rows, or present values; DISTINCT: distinct values */
	union {
		__int128 sum __attribute__((packed, aligned(8)));
		double real_sum;
		struct {
			union word best;   /* absent: none yet */
			union word picked; /* the value of the picked row */
		};
		int64_t only;              /* DISTINCT: the value, while there is only one */
		struct value_table *table; /* DISTINCT: several values */
	};
};

/* Callers pass the aggregate as a constant, so each gets a loop of its own. */
#define AGGREGATE_INLINE static inline __attribute__((always_inline))

static inline bool is_absent(union word value, bool is_real)
{
	return is_real ? value.r != value.r : value.i == ABSENT;
}

static inline union word absent_word(bool is_real)
{
	return is_real ? (union word){.r = NAN} : (union word){.i = ABSENT};
}

static inline bool aggregate_has_value(enum aggregate aggregate)
{
	return aggregate != AGGREGATE_COUNT && aggregate != AGGREGATE_FIRST && aggregate != AGGREGATE_LAST;
}

/* True if the result is the value of a row, not a computed value. */
static inline bool aggregate_picks(enum aggregate aggregate)
{
	return aggregate >= AGGREGATE_FIRST && aggregate <= AGGREGATE_ARGMAX;
}

/* True if the computed value is a double. `is_real`: the values of the rows are. */
static inline bool aggregate_gives_real(enum aggregate aggregate, bool is_real)
{
	return aggregate == AGGREGATE_MEAN || (is_real && aggregate <= AGGREGATE_SUM);
}

static inline bool aggregate_is_sum(enum aggregate aggregate)
{
	return aggregate == AGGREGATE_SUM || aggregate == AGGREGATE_MEAN;
}

AGGREGATE_INLINE struct aggregate_state aggregate_start(enum aggregate aggregate, bool is_real)
{
	struct aggregate_state state = {0};

	if (aggregate == AGGREGATE_MIN || aggregate == AGGREGATE_MAX || aggregate_picks(aggregate))
		state.best = absent_word(is_real);
	return state;
}

/* True if the value is present, and is less (MAX, ARGMAX: greater) than the best one, or there is no best
 * one. */
AGGREGATE_INLINE bool aggregate_prefers(enum aggregate aggregate, bool is_real, union word value,
                                        union word best)
{
	bool is_min = aggregate == AGGREGATE_MIN || aggregate == AGGREGATE_ARGMIN;

	if (is_real && is_min)
		return !(value.r >= best.r) & (value.r == value.r);
	if (is_real)
		return !(value.r <= best.r) & (value.r == value.r);
	/* After subtracting 1, ABSENT is the greatest integer. */
	if (is_min)
		return (int64_t)((uint64_t)value.i - 1) < (int64_t)((uint64_t)best.i - 1);
	return value.i > best.i;
}

/* Adds the next row; `picked` is the result if this row is picked. Not for DISTINCT. */
AGGREGATE_INLINE void aggregate_add(enum aggregate aggregate, bool is_real, struct aggregate_state *state,
                                    union word value, union word picked)
{
	bool is_present = !aggregate_has_value(aggregate) || !is_absent(value, is_real);
	bool is_preferred;

	if (aggregate_is_sum(aggregate) && is_real)
		state->real_sum += is_present ? value.r : 0;
	else if (aggregate_is_sum(aggregate))
		state->sum += is_present ? value.i : 0;
	else if (aggregate != AGGREGATE_COUNT) {
		is_preferred = aggregate == AGGREGATE_FIRST ? !state->count
		               : aggregate == AGGREGATE_LAST
		                       ? true
		                       : aggregate_prefers(aggregate, is_real, value, state->best);
		state->best = is_preferred ? value : state->best;
		state->picked = is_preferred ? picked : state->picked;
	}
	state->count += is_present;
}

/* Merges the states of two sets of rows. `is_first`: those of `other` came before the others. Not for DISTINCT. */
AGGREGATE_INLINE void aggregate_unite(enum aggregate aggregate, bool is_real, struct aggregate_state *state,
                                      const struct aggregate_state *other, bool is_first)
{
	bool is_preferred;

	if (!other->count)
		return;
	if (aggregate_is_sum(aggregate) && is_real)
		state->real_sum += other->real_sum;
	else if (aggregate_is_sum(aggregate))
		state->sum += other->sum;
	else if (aggregate != AGGREGATE_COUNT) {
		if (aggregate == AGGREGATE_FIRST || aggregate == AGGREGATE_LAST)
			is_preferred = !state->count || is_first == (aggregate == AGGREGATE_FIRST);
		else
			is_preferred = aggregate_prefers(aggregate, is_real, other->best, state->best) ||
			               (is_first &&
			                !aggregate_prefers(aggregate, is_real, state->best, other->best));
		state->best = is_preferred ? other->best : state->best;
		state->picked = is_preferred ? other->picked : state->picked;
	}
	state->count += other->count;
}

/* Merges the states of two sets of rows in any order. `picked` must be the number of the row. */
AGGREGATE_INLINE void aggregate_merge(enum aggregate aggregate, bool is_real, struct aggregate_state *state,
                                      const struct aggregate_state *other)
{
	aggregate_unite(aggregate, is_real, state, other, !state->count || other->picked.i < state->picked.i);
}

/* `absent` is the result if no row was picked. */
AGGREGATE_INLINE union word aggregate_finish(enum aggregate aggregate, bool is_real,
                                             const struct aggregate_state *state, union word absent)
{
	switch (aggregate) {
	case AGGREGATE_COUNT:
	case AGGREGATE_DISTINCT:
		return (union word){.i = (int64_t)state->count};
	case AGGREGATE_SUM:
		if (is_real)
			return (union word){.r = state->real_sum};
		return (union word){.i = state->sum > INT64_MAX    ? INT64_MAX
		                         : state->sum < -INT64_MAX ? -INT64_MAX
		                                                   : (int64_t)state->sum};
	case AGGREGATE_MEAN:
		if (!state->count)
			return absent_word(true);
		return (union word){.r = (is_real ? state->real_sum : (double)state->sum) /
		                         (double)state->count};
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		return state->best;
	default:
		return state->count ? state->picked : absent;
	}
}

/* The same for an aggregate that is known only at run time; not for DISTINCT. `add_any` is for rows in any
 * order; `picked` must be the number of the row. */
struct aggregate_functions {
	void (*add)(struct aggregate_state *state, union word value, union word picked);
	void (*add_any)(struct aggregate_state *state, union word value, union word picked);
	void (*merge)(struct aggregate_state *state, const struct aggregate_state *other);
	/* Merges with the state of later rows. */
	void (*append)(struct aggregate_state *state, const struct aggregate_state *later);
};

struct aggregate_functions aggregate_functions(enum aggregate aggregate, bool is_real);

/* ---- groups with adjacent rows ---- */

struct aggregate_block {
	enum aggregate aggregate;
	bool is_real;             /* the values are doubles */
	const union word *values; /* by row; NULL for aggregates without a value */
	const uint32_t *rows;     /* ascending; NULL: 0, …, count - 1 */
	uint32_t count;
	const uint32_t *group_of; /* by row, ascending */
	union word *out;          /* by group; the number of the row if one is picked */
};

/* Sets the results of groups with at least one of the rows. */
void aggregate_block(const struct aggregate_block *block);
/* The result of a group without rows: -1 for the number of a row. */
union word aggregate_of_none(enum aggregate aggregate, bool is_real);

/* ---- states for each key ---- */

#define NO_WORD UINT32_MAX

/* An aggregate of tuples; gives one word. */
struct tuple_aggregate {
	enum aggregate aggregate;
	bool is_real;      /* the value is a double */
	uint32_t value;    /* word with the value, if the aggregate has one */
	uint32_t filter;   /* word that is not 0 in tuples that count; NO_WORD: all count */
	uint32_t result;   /* word of the picked tuple that is the result */
	union word absent; /* the result if no tuple is picked */
};

/* The states of several aggregates, one after the other.
 *
 *	accumulators_init(&accumulators, plan, count, room);
 *	struct aggregate_state states[count];
 *	accumulators_start(&accumulators, states);
 *	accumulators_add(&accumulators, states, tuple);
 *	accumulators_finish(&accumulators, states, result);      `count` words; start the states again before use
 *	accumulators_release(&accumulators); */
struct accumulators {
	struct accumulator *all;
	uint32_t count;
	size_t room;      /* words that `distinct` may still use */
	uint64_t dropped; /* values of `distinct` that were not kept */
};

void accumulators_init(struct accumulators *accumulators, const struct tuple_aggregate *aggregates,
                       uint32_t count, size_t room);
void accumulators_release(struct accumulators *accumulators);
void accumulators_start(const struct accumulators *accumulators, struct aggregate_state *states);
void accumulators_add(struct accumulators *accumulators, struct aggregate_state *states,
                      const int64_t *tuple);
/* Adds the states of later tuples; not for DISTINCT. */
void accumulators_append(const struct accumulators *accumulators, struct aggregate_state *states,
                         const struct aggregate_state *later);
/* Releases the states. `result` may be NULL. */
void accumulators_finish(struct accumulators *accumulators, struct aggregate_state *states, int64_t *result);

/* ---- rows that are compared with an asking row ----
 *
 *	max(c.start where c.rank < mine.rank)
 *
 * For each asking row, this is the maximum over the members with a lower rank. */

/* Ascending rows: selection[from], …, selection[to - 1]; without a selection, from, …, to - 1. */
struct rows {
	const uint32_t *selection;
	uint32_t from, to;
};

struct compared_aggregate {
	enum aggregate aggregate;
	bool is_real;             /* the values are doubles */
	const union word *values; /* by row; NULL for those without a value */
	/* A member counts for an asking row if `theirs[row] op mine[asking row]`. */
	enum operator op; /* OP_LESS, OP_LESS_EQUAL, OP_GREATER, OP_GREATER_EQUAL, OP_EQUAL or OP_UNEQUAL */
	bool compares_real;
	const union word *theirs, *mine;
};

/* Reused memory; initialize with {0}. */
struct scratch {
	void *memory;
	size_t bytes;
};

/* out[row] is the result for the asking row; for picked rows their number, or -1. Takes time proportional to
 * n log n, or to n if the compared values are close together, as ranks are. */
void aggregate_compared(const struct compared_aggregate *compared, struct rows members, struct rows askers,
                        struct scratch *scratch, union word *out);
void scratch_release(struct scratch *scratch);

#endif
