/* One value over rows: a tally is what is known of some members, in a form in which the tallies of two sets of members
 * can be put together. Members that count for an asker by comparison are a part of all members in order of what is
 * compared: from the beginning, to the end, or both but for the equal ones in the middle. */
#include "analysis/engine/op_sort.h"
#include "analysis/engine/op_wide.h"
#include "analysis/engine/operator.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Of the members so far. `best` is that which MIN, MAX, ARGMIN, ARGMAX, FIRST or LAST would choose; `at` is its place
 * in the order of being told. */
struct tally {
	__int128 sum;
	double real_sum;
	uint64_t count;
	int64_t best;
	uint32_t best_row, best_at;
};

static uint32_t row_of(struct rows rows, uint32_t i)
{
	return rows.selection ? rows.selection[i] : i;
}

static uint32_t count_of(struct rows rows)
{
	return rows.to > rows.from ? rows.to - rows.from : 0;
}

static void *room_for(struct fold_room *room, size_t bytes)
{
	if (bytes > room->bytes) {
		room->bytes = bytes + bytes / 2;
		room->memory = memory_grow(room->memory, room->bytes, 1);
	}
	return room->memory;
}

void fold_room_release(struct fold_room *room)
{
	free(room->memory);
	*room = (struct fold_room){0};
}

static bool is_less(const struct fold *fold, int64_t x, int64_t y)
{
	return fold->is_real ? word_to_real(x) < word_to_real(y) : x < y;
}

/* Whether a member is to be preferred to the best so far. */
static bool is_better(const struct fold *fold, int64_t value, uint32_t at, const struct tally *tally)
{
	bool is_equal = false;

	switch (fold->aggregate) {
	case AGGREGATE_MIN:
	case AGGREGATE_ARGMIN:
		if (is_less(fold, value, tally->best))
			return true;
		is_equal = !is_less(fold, tally->best, value);
		break;
	case AGGREGATE_MAX:
	case AGGREGATE_ARGMAX:
		if (is_less(fold, tally->best, value))
			return true;
		is_equal = !is_less(fold, value, tally->best);
		break;
	case AGGREGATE_LAST:
		return at > tally->best_at;
	default:
		return at < tally->best_at;
	}
	return is_equal && at < tally->best_at;
}

static void choose(const struct fold *fold, struct tally *tally, int64_t value, uint32_t row, uint32_t at)
{
	if (tally->count && !is_better(fold, value, at, tally))
		return;
	tally->best = value;
	tally->best_row = row;
	tally->best_at = at;
}

static void add_member(const struct fold *fold, struct tally *tally, uint32_t row, uint32_t at)
{
	int64_t value = fold->values ? fold->values[row] : 0;

	switch (fold->aggregate) {
	case AGGREGATE_COUNT:
		break;
	case AGGREGATE_SUM:
	case AGGREGATE_MEAN:
		if (fold->is_real)
			tally->real_sum += word_to_real(value);
		else
			tally->sum += value;
		break;
	default:
		choose(fold, tally, value, row, at);
	}
	tally->count++;
}

static struct tally together(const struct fold *fold, const struct tally *x, const struct tally *y)
{
	struct tally both = *x;

	if (y->count)
		choose(fold, &both, y->best, y->best_row, y->best_at);
	both.sum += y->sum;
	both.real_sum += y->real_sum;
	both.count += y->count;
	return both;
}

static int64_t outcome_of_none(const struct fold *fold)
{
	switch (fold->aggregate) {
	case AGGREGATE_COUNT:
	case AGGREGATE_SUM:
	case AGGREGATE_DISTINCT:
		return 0;
	case AGGREGATE_MEAN:
		return real_to_word(NAN);
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		return fold->is_real ? real_to_word(NAN) : ABSENT;
	default:
		return ABSENT;
	}
}

static int64_t outcome(const struct fold *fold, const struct tally *tally)
{
	if (!tally->count)
		return outcome_of_none(fold);
	switch (fold->aggregate) {
	case AGGREGATE_COUNT:
		return (int64_t)tally->count;
	case AGGREGATE_SUM:
		return fold->is_real ? real_to_word(tally->real_sum) : wide_to_word(tally->sum);
	case AGGREGATE_MEAN:
		return real_to_word((fold->is_real ? tally->real_sum : (double)tally->sum) /
		                    (double)tally->count);
	case AGGREGATE_ARGMIN:
	case AGGREGATE_ARGMAX:
		return fold->results ? fold->results[tally->best_row] : tally->best_row;
	default:
		return tally->best;
	}
}

static uint64_t number_of(bool is_real, int64_t word)
{
	return is_real ? sort_number_of_real(word) : sort_number_of_integer(word);
}

static int64_t count_distinct(const struct fold *fold, struct rows rows, struct fold_room *room)
{
	size_t count = count_of(rows);
	struct sort_item *items = room_for(room, 2 * count * sizeof *items);
	int64_t distinct = count > 0;

	for (size_t i = 0; i < count; i++)
		items[i] = (struct sort_item){.number = (uint64_t)fold->values[row_of(rows, rows.from + i)]};
	sort_items(items, items + count, count);
	for (size_t i = 1; i < count; i++)
		distinct += items[i].number != items[i - 1].number;
	return distinct;
}

int64_t fold_rows(const struct fold *fold, struct rows rows, struct fold_room *room)
{
	struct tally tally = {0};

	if (fold->aggregate == AGGREGATE_DISTINCT)
		return count_distinct(fold, rows, room);
	for (uint32_t i = rows.from; i < rows.to; i++)
		add_member(fold, &tally, row_of(rows, i), i);
	return outcome(fold, &tally);
}

/* ---- by comparison ---- */

/* Members and askers in order of what is compared. Of an item, `what` is the place in its rows. */
struct sweep {
	const struct fold *fold;
	struct rows members;
	uint32_t first_asker;
	struct sort_item *items, *askers;
	size_t item_count, asker_count;
	int64_t *weights;      /* of DISTINCT, by place in `items`: their sum is the count; else NULL */
	struct tally *tallies; /* of OP_UNEQUAL: what is known for each asker; else NULL */
	int64_t *results;
};

static void add_item(const struct sweep *sweep, struct tally *tally, size_t place)
{
	uint32_t at = (uint32_t)sweep->items[place].what;

	if (sweep->weights)
		tally->sum += sweep->weights[place];
	else
		add_member(sweep->fold, tally, row_of(sweep->members, at), at);
}

static void tell(const struct sweep *sweep, size_t asker, const struct tally *tally)
{
	int64_t *result = &sweep->results[sweep->askers[asker].what - sweep->first_asker];

	if (sweep->tallies)
		sweep->tallies[asker] = together(sweep->fold, &sweep->tallies[asker], tally);
	else
		*result = sweep->weights ? (int64_t)tally->sum : outcome(sweep->fold, tally);
}

static void tell_smaller(const struct sweep *sweep, bool with_equal)
{
	struct tally tally = {0};
	size_t place = 0;

	for (size_t asker = 0; asker < sweep->asker_count; asker++) {
		uint64_t mine = sweep->askers[asker].number;

		while (place < sweep->item_count && (sweep->items[place].number < mine ||
		                                     (with_equal && sweep->items[place].number == mine)))
			add_item(sweep, &tally, place++);
		tell(sweep, asker, &tally);
	}
}

static void tell_greater(const struct sweep *sweep, bool with_equal)
{
	struct tally tally = {0};
	size_t place = sweep->item_count;

	for (size_t asker = sweep->asker_count; asker-- > 0;) {
		uint64_t mine = sweep->askers[asker].number;

		while (place > 0 && (sweep->items[place - 1].number > mine ||
		                     (with_equal && sweep->items[place - 1].number == mine)))
			add_item(sweep, &tally, --place);
		tell(sweep, asker, &tally);
	}
}

static void tell_equal(const struct sweep *sweep)
{
	struct tally tally = {0};
	size_t place = 0;

	for (size_t asker = 0; asker < sweep->asker_count; asker++) {
		uint64_t mine = sweep->askers[asker].number;

		if (asker == 0 || mine != sweep->askers[asker - 1].number) {
			tally = (struct tally){0};
			while (place < sweep->item_count && sweep->items[place].number < mine)
				place++;
			while (place < sweep->item_count && sweep->items[place].number == mine)
				add_item(sweep, &tally, place++);
		}
		tell(sweep, asker, &tally);
	}
}

static void tell_unequal(struct sweep *sweep)
{
	struct tally *tallies = sweep->tallies;

	for (size_t asker = 0; asker < sweep->asker_count; asker++)
		tallies[asker] = (struct tally){0};
	tell_smaller(sweep, false);
	tell_greater(sweep, false);
	sweep->tallies = NULL;
	for (size_t asker = 0; asker < sweep->asker_count; asker++)
		tell(sweep, asker, &tallies[asker]);
}

/* Which members stand for their value: places[from] to places[to - 1] are those that have one value, in order. */
static void weigh(struct sweep *sweep, enum operator op, const struct sort_item *from,
                  const struct sort_item *to)
{
	const struct sort_item *items = sweep->items;
	bool is_in_one = items[from->what].number == items[to[-1].what].number;

	if (op == OP_LESS || op == OP_LESS_EQUAL)
		sweep->weights[from->what] = 1;
	else if (op == OP_GREATER || op == OP_GREATER_EQUAL)
		sweep->weights[to[-1].what] = 1;
	else if (op == OP_UNEQUAL)
		sweep->weights[from->what] = is_in_one;
	for (const struct sort_item *item = from; op == OP_EQUAL && item < to; item++)
		sweep->weights[item->what] = item == from ||
		                             items[item->what].number != items[item[-1].what].number;
}

/* Returns how many values there are. */
static int64_t weigh_values(struct sweep *sweep, enum operator op, struct sort_item *places,
                            struct sort_item *spare)
{
	size_t begin = 0;
	int64_t values = 0;

	for (size_t i = 0; i < sweep->item_count; i++) {
		uint32_t row = row_of(sweep->members, (uint32_t)sweep->items[i].what);
		places[i] = (struct sort_item){(uint64_t)sweep->fold->values[row], i};
		sweep->weights[i] = 0;
	}
	sort_items(places, spare, sweep->item_count);
	for (size_t i = 1; i <= sweep->item_count; i++) {
		if (i < sweep->item_count && places[i].number == places[begin].number)
			continue;
		weigh(sweep, op, places + begin, places + i);
		begin = i;
		values++;
	}
	return values;
}

static void tell_all(struct sweep *sweep, enum operator op)
{
	if (op == OP_LESS || op == OP_LESS_EQUAL)
		tell_smaller(sweep, op == OP_LESS_EQUAL);
	else if (op == OP_GREATER || op == OP_GREATER_EQUAL)
		tell_greater(sweep, op == OP_GREATER_EQUAL);
	else if (sweep->tallies)
		tell_unequal(sweep);
	else
		tell_equal(sweep);
}

/* For OP_UNEQUAL, weights tell of equal ones too: those that differ from mine have all values but those that only
 * members equal to mine have. */
static void tell_distinct(struct sweep *sweep, enum operator op, struct sort_item *places,
                          struct sort_item *spare)
{
	int64_t values = weigh_values(sweep, op, places, spare);

	tell_all(sweep, op);
	for (size_t i = 0; op == OP_UNEQUAL && i < sweep->asker_count; i++)
		sweep->results[i] = values - sweep->results[i];
}

static void sort_rows(struct sort_item *items, struct sort_item *spare, const int64_t *lane, bool is_real,
                      struct rows rows)
{
	uint32_t count = count_of(rows);

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct sort_item){number_of(is_real, lane[row_of(rows, rows.from + i)]),
		                              rows.from + i};
	sort_items(items, spare, count);
}

static bool is_same(struct rows x, struct rows y)
{
	return x.selection == y.selection && x.from == y.from && x.to == y.to;
}

void fold_prefix(const struct fold *fold, const struct mine_test *test, struct rows members,
                 struct rows askers, struct fold_room *room, int64_t *results)
{
	struct sweep sweep = {.fold = fold, .members = members, .results = results};
	size_t most = count_of(members) > count_of(askers) ? count_of(members) : count_of(askers);
	struct tally *tallies = room_for(
		room, most * (sizeof *tallies + 4 * sizeof(struct sort_item) + sizeof *sweep.weights));
	struct sort_item *items = (struct sort_item *)(tallies + most);
	struct sort_item *places = items + 2 * most, *spare = items + 3 * most;

	sweep.items = items;
	sweep.item_count = count_of(members);
	sweep.askers = items + most;
	sweep.asker_count = count_of(askers);
	sweep.first_asker = askers.from;
	if (!sweep.asker_count)
		return;
	sort_rows(sweep.items, spare, test->members, test->is_real, members);
	if (test->members == test->mine && is_same(members, askers))
		sweep.askers = sweep.items;
	else
		sort_rows(sweep.askers, spare, test->mine, test->is_real, askers);
	if (fold->aggregate == AGGREGATE_DISTINCT) {
		sweep.weights = (int64_t *)(items + 4 * most);
		tell_distinct(&sweep, test->op, places, spare);
		return;
	}
	sweep.tallies = test->op == OP_UNEQUAL ? tallies : NULL;
	tell_all(&sweep, test->op);
}
