/* Members and asking rows are sorted by the compared value. The members that count for an asking row are then
 * a prefix of the order, a suffix, or both: the states of all prefixes and suffixes give the results. */
#include "analysis/engine/aggregate.h"
#include "base/sort_items.h"

#include "base/memory.h"

#include <stdlib.h>

struct compared_members {
	const struct compared_aggregate *plan;
	enum aggregate aggregate; /* of DISTINCT, the sum of weights */
	bool is_real;
	struct aggregate_functions functions;
	enum operator op;
	struct sort_item *members, *askers; /* in order of the compared value; `what` is the row */
	uint32_t member_count, asker_count;
	int64_t *weights; /* by place in `members`; NULL: not DISTINCT */
	int64_t value_count;
	struct aggregate_state *before; /* by place: of the members before it */
	struct aggregate_state *behind; /* of the members from it on; OP_EQUAL: of those equal to it */
};

static uint32_t row_at(struct rows rows, uint32_t i)
{
	return rows.selection ? rows.selection[i] : i;
}

static uint32_t count_of(struct rows rows)
{
	return rows.to > rows.from ? rows.to - rows.from : 0;
}

static uint64_t sort_number(bool is_real, union word word)
{
	return is_real ? sort_number_of_real(word.i) : sort_number_of_integer(word.i);
}

/* ---- states of beginnings and ends ---- */

static void add_member(const struct compared_members *comparison, struct aggregate_state *state,
                       uint32_t place)
{
	uint32_t row = (uint32_t)comparison->members[place].what;
	union word value = {.i = 0};

	if (comparison->weights)
		value.i = comparison->weights[place];
	else if (comparison->plan->values)
		value = comparison->plan->values[row];
	comparison->functions.add_any(state, value, (union word){.i = row});
}

static void find_states(const struct compared_members *comparison)
{
	const struct sort_item *members = comparison->members;
	struct aggregate_state none = aggregate_start(comparison->aggregate, comparison->is_real);
	uint32_t count = comparison->member_count;

	bool needs_before = comparison->op == OP_LESS || comparison->op == OP_LESS_EQUAL;
	bool needs_both = comparison->op == OP_UNEQUAL;

	comparison->before[0] = comparison->behind[count] = none;
	for (uint32_t i = 0; (needs_before || needs_both) && i < count; i++) {
		comparison->before[i + 1] = comparison->before[i];
		add_member(comparison, &comparison->before[i + 1], i);
	}
	for (uint32_t i = needs_before ? 0 : count; i-- > 0;) {
		bool is_last = comparison->op == OP_EQUAL && i + 1 < count &&
		               members[i].number != members[i + 1].number;
		comparison->behind[i] = is_last ? none : comparison->behind[i + 1];
		add_member(comparison, &comparison->behind[i], i);
	}
}

/* The result for an asking row that is equal to the members from `from` to `to` - 1. */
static struct aggregate_state state_for(const struct compared_members *comparison, uint32_t from, uint32_t to)
{
	struct aggregate_state state;

	switch (comparison->op) {
	case OP_LESS:
		return comparison->before[from];
	case OP_LESS_EQUAL:
		return comparison->before[to];
	case OP_GREATER:
		return comparison->behind[to];
	case OP_GREATER_EQUAL:
		return comparison->behind[from];
	case OP_EQUAL:
		return from < to ? comparison->behind[from] : comparison->before[0];
	default:
		state = comparison->before[from];
		comparison->functions.merge(&state, &comparison->behind[to]);
		return state;
	}
}

/* ---- distinct ----
 *
 * A value counts once: one of the members that have it has the weight 1, so that sums of weights count values. Which one
 * depends on the part of the order that is summed up. Members that differ from mine have all values but those that only
 * members equal to mine have: for OP_UNEQUAL these are counted. */

static void weigh_values(struct compared_members *comparison, struct sort_item *places,
                         struct sort_item *spare)
{
	const struct sort_item *members = comparison->members;
	uint32_t begin = 0, count = comparison->member_count;
	int64_t *weights = comparison->weights;
	enum operator op = comparison->plan->op;

	for (uint32_t i = 0; i < count; i++) {
		union word value = comparison->plan->values[members[i].what];
		places[i] = (struct sort_item){sort_number(comparison->plan->is_real, value), i};
		weights[i] = 0;
	}
	sort_items(places, spare, count);
	for (uint32_t i = 1; i <= count; i++) {
		/* places[begin] to places[i - 1] are the members that have one value, in order. */
		uint64_t first = places[begin].what, last = places[i - 1].what;

		if (i < count && places[i].number == places[begin].number)
			continue;
		if (op == OP_LESS || op == OP_LESS_EQUAL)
			weights[first] = 1;
		else if (op == OP_GREATER || op == OP_GREATER_EQUAL)
			weights[last] = 1;
		else if (op == OP_UNEQUAL)
			weights[first] = members[first].number == members[last].number;
		for (uint32_t k = begin; op == OP_EQUAL && k < i; k++)
			weights[places[k].what] = k == begin || members[places[k].what].number !=
			                                                members[places[k - 1].what].number;
		begin = i;
		comparison->value_count++;
	}
}

/* ---- all of it ---- */

static void find_members(struct compared_members *comparison, struct rows rows, struct sort_item *spare)
{
	const struct compared_aggregate *plan = comparison->plan;

	for (uint32_t i = rows.from; i < rows.to; i++) {
		uint32_t row = row_at(rows, i);
		union word theirs = plan->theirs[row];
		bool is_counted = plan->aggregate != AGGREGATE_DISTINCT ||
		                  !is_absent(plan->values[row], plan->is_real);
		/* Not-a-number differs from every value, and is neither less nor greater. */
		if (is_counted && (plan->op == OP_UNEQUAL || !plan->compares_real || theirs.r == theirs.r))
			comparison->members[comparison->member_count++] = (struct sort_item){
				sort_number(plan->compares_real, theirs), row};
	}
	sort_items(comparison->members, spare, comparison->member_count);
}

static void answer_askers(const struct compared_members *comparison, union word *out)
{
	const struct compared_aggregate *plan = comparison->plan;
	const struct sort_item *members = comparison->members;
	uint32_t from = 0, to = 0;

	for (uint32_t i = 0; i < comparison->asker_count; i++) {
		uint64_t mine = comparison->askers[i].number;
		uint32_t row = (uint32_t)comparison->askers[i].what;
		struct aggregate_state state = comparison->before[0];
		bool is_number = !plan->compares_real || plan->mine[row].r == plan->mine[row].r;

		while (from < comparison->member_count && members[from].number < mine)
			from++;
		while (to < comparison->member_count && members[to].number <= mine)
			to++;
		if (is_number)
			state = state_for(comparison, from, to);
		else if (comparison->op == OP_UNEQUAL)
			state = comparison->behind[0];
		out[row] = aggregate_finish(comparison->aggregate, comparison->is_real, &state,
		                            (union word){.i = -1});
		if (plan->aggregate == AGGREGATE_DISTINCT && plan->op == OP_UNEQUAL)
			out[row].i = comparison->value_count - out[row].i;
	}
}

void scratch_release(struct scratch *scratch)
{
	free(scratch->memory);
	*scratch = (struct scratch){0};
}

void aggregate_compared(const struct compared_aggregate *plan, struct rows members, struct rows askers,
                        struct scratch *scratch, union word *out)
{
	bool is_distinct = plan->aggregate == AGGREGATE_DISTINCT;
	size_t max = 1 +
	             (size_t)(count_of(members) > count_of(askers) ? count_of(members) : count_of(askers));
	struct compared_members comparison = {.plan = plan,
	                                      .aggregate = is_distinct ? AGGREGATE_SUM : plan->aggregate,
	                                      .is_real = plan->is_real && !is_distinct,
	                                      .op = is_distinct && plan->op == OP_UNEQUAL ? OP_EQUAL
	                                                                                  : plan->op};
	bool asks_itself = plan->theirs == plan->mine && members.selection == askers.selection &&
	                   members.from == askers.from && members.to == askers.to;
	struct sort_item *items;
	size_t bytes = max * (4 * sizeof *items + sizeof(int64_t) + 2 * sizeof(struct aggregate_state));

	if (bytes > scratch->bytes) {
		scratch->bytes = bytes + bytes / 2;
		scratch->memory = memory_grow(scratch->memory, scratch->bytes, 1);
	}
	items = scratch->memory;
	comparison.members = items;
	comparison.askers = items + max;
	comparison.before = (struct aggregate_state *)(items + 4 * max);
	comparison.behind = comparison.before + max;
	find_members(&comparison, members, items + 2 * max);
	if (asks_itself && comparison.member_count == count_of(askers)) {
		comparison.askers = items;
		comparison.asker_count = comparison.member_count;
	} else {
		for (uint32_t i = askers.from; i < askers.to; i++) {
			uint32_t row = row_at(askers, i);
			comparison.askers[comparison.asker_count++] = (struct sort_item){
				sort_number(plan->compares_real, plan->mine[row]), row};
		}
		sort_items(comparison.askers, items + 2 * max, comparison.asker_count);
	}
	comparison.functions = aggregate_functions(comparison.aggregate, comparison.is_real);
	if (is_distinct) {
		comparison.weights = (int64_t *)(comparison.behind + max);
		weigh_values(&comparison, items + 2 * max, items + 3 * max);
	}
	find_states(&comparison);
	answer_askers(&comparison, out);
}
