/* Columns of a graph: calculated when they are asked for, and rows chosen by them. */
#include "analysis/engine/graph.h"

#include "analysis/engine/facts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Chosen rows that are fewer than one in this many are calculated alone. */
enum { FEW = 2 };

/* What is done once for each block is kept out of what is done whenever somebody asks. */
#define ASIDE __attribute__((noinline))

/* Columns of few groups that lie far apart would compete for the same lines of the cache. */
enum { ROWS_STEP = 64, USUAL_ROWS = 1024 };

static void make_room(struct node *node, uint32_t rows)
{
	if (node->room >= rows)
		return;
	if (node->room)
		free(node->lane);
	node->room = rows > USUAL_ROWS ? rows + rows / 8 : (rows + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
	node->lane = memory_new(node->room, sizeof *node->lane);
}

static const union word *constant_values(struct node *node, uint32_t rows)
{
	if (node->room < rows) {
		make_room(node, rows);
		for (uint32_t i = 0; i < node->room; i++)
			node->lane[i] = node->value;
	}
	return node->lane;
}

static bool is_within(const struct selection *inner, const struct selection *outer)
{
	for (; inner; inner = inner->within)
		if (inner == outer)
			return true;
	return false;
}

/* What was asked for twice will be asked for again. If that was for a part of `one`, it is enough to do `one`. */
static const struct selection *around_both(const struct selection *one, const struct selection *other,
                                           const struct space *space)
{
	for (; one; one = one->within)
		if (is_within(other, one))
			return one;
	return &space->all;
}

static const union word *arg_values(const struct node *node, uint32_t arg, const struct selection *among)
{
	if (is_constant(node->args[arg]))
		return constant_values(node->args[arg], node->space->all.count);
	return node_values(node->args[arg], among);
}

static void run_vector(struct node *node, const struct selection *among)
{
	struct vector_task task = {.out = node->lane, .rows = among->rows, .count = among->count};

	for (uint32_t i = 0; i < vector_infos[node->vector].arity; i++)
		task.args[i] = arg_values(node, i, among);
	vector_run(node->vector, &task);
}

static bool is_calculated(const struct node *node)
{
	return is_constant(node) || node->kind == NODE_LANE || node->stamp == node->space->stamp;
}

static const struct common_bits nothing_known = {UINT64_MAX, 0};

static struct common_bits bits_of(struct node *node, const struct selection *among);

/* It would take as long as choosing to look at rows of a list: nothing is said of them. */
static struct common_bits common_bits(const union word *values, const struct selection *rows)
{
	return rows->rows ? nothing_known : vector_common_bits(values, NULL, rows->count);
}

static void note_bits(struct node *node, struct common_bits bits, const struct selection *among)
{
	node->bits = bits;
	node->bits_stamp = among->is_fleeting ? 0 : node->space->stamp;
	node->bits_among = among;
}

/* AND whose first argument is true nowhere, and OR where it is true everywhere, need not know the second one. */
static void run_decided(struct node *node, const struct selection *among)
{
	bool may_be = !among->rows && !is_constant(node->args[0]) && !is_calculated(node->args[1]);
	struct common_bits bits = may_be ? bits_of(node->args[0], among) : nothing_known;
	const union word *first;

	if (node->vector == VECTOR_AND ? bits.some : !bits.all) {
		run_vector(node, among);
		return;
	}
	first = arg_values(node, 0, among);
	for (uint32_t k = 0; k < among->count; k++)
		node->lane[selection_row(among, k)] = first[selection_row(among, k)];
}

static ASIDE void look_up_facts(struct node *node, const struct selection *among)
{
	const union word *facts = node_values(node->args[0], among);
	struct common_bits bits = {0, UINT64_MAX};

	for (uint32_t k = 0; k < among->count; k++) {
		uint32_t row = selection_row(among, k);
		int64_t fact = fact_at(facts_at(facts[row]), node->number);
		node->lane[row].i = fact;
		bits.some |= (uint64_t)fact;
		bits.all &= (uint64_t)fact;
	}
	note_bits(node, bits, among);
}

static bool word_set_has(const struct word_set *set, int64_t word)
{
	uint32_t from = 0;

	for (uint32_t size = set->count; size;) {
		uint32_t half = size / 2;
		bool is_before = set->words[from + half] < word;
		from += is_before ? half + 1 : 0;
		size = is_before ? size - half - 1 : half;
	}
	return from < set->count && set->words[from] == word;
}

static ASIDE void look_among(struct node *node, const struct selection *among)
{
	const union word *values = node_values(node->args[0], among);

	for (uint32_t k = 0; k < among->count; k++) {
		uint32_t row = selection_row(among, k);
		node->lane[row].i = word_set_has(node->owner, values[row].i);
	}
}

static ASIDE void spread(struct node *node, const struct selection *among)
{
	struct space *groups = node->args[0]->space;
	const union word *values = node_values(node->args[0], &groups->all);

	for (uint32_t k = 0; k < among->count; k++) {
		uint32_t row = selection_row(among, k);
		node->lane[row] = values[groups->group_of[row]];
	}
}

/* Mostly others took the same rows; what they know of them may change while this node still needs it. */
static bool copy_taken(struct node *node, const struct selection *among)
{
	const struct node *other = node->args[0]->taker;

	if (!other || other->taken_stamp != node->space->stamp || other->taken_among != among ||
	    other->owner != node->owner)
		return false;
	node->taken.rows = memcpy(selection_list(&node->taken, other->taken.count), other->taken.rows,
	                          other->taken.count * sizeof *other->taken.rows);
	node->taken.count = other->taken.count;
	return true;
}

/* False: they are not in order. */
static bool list_taken(struct node *node, const union word *indexes, const struct selection *among)
{
	struct selection *taken = &node->taken;
	uint32_t *list = selection_list(taken, among->count);
	uint32_t count = 0;

	for (uint32_t k = 0; k < among->count; k++) {
		int64_t index = indexes[selection_row(among, k)].i;
		if (index < 0 || (count && list[count - 1] == index))
			continue;
		if (count && list[count - 1] > index)
			return false;
		list[count++] = (uint32_t)index;
	}
	taken->rows = list;
	taken->count = count;
	return true;
}

/* The rows that are taken; false: they are not in order. */
static bool find_taken(struct node *node, const union word *indexes, const struct selection *among)
{
	node->taken_stamp = 0;
	if (!copy_taken(node, among) && !list_taken(node, indexes, among))
		return false;
	node->taken.within = node->owner;
	node->taken.is_fleeting = true;
	node->taken_stamp = among->is_fleeting ? 0 : node->space->stamp;
	node->taken_among = among;
	node->args[0]->taker = node;
	return true;
}

static ASIDE void take(struct node *node, const struct selection *among)
{
	const union word *indexes = node_values(node->args[0], among);
	bool is_few = among->count < node->args[1]->space->all.count / FEW &&
	              find_taken(node, indexes, among);
	const union word *values = node_values(node->args[1], is_few ? &node->taken : node->owner);

	for (uint32_t k = 0; k < among->count; k++) {
		uint32_t row = selection_row(among, k);
		node->lane[row] = indexes[row].i < 0 ? node->value : values[indexes[row].i];
	}
}

static void calculate(struct node *node, const struct selection *among)
{
	switch (node->kind) {
	case NODE_LANE:
	case NODE_CONSTANT:
		break;
	case NODE_FACT:
		look_up_facts(node, among);
		break;
	case NODE_VECTOR:
		if (node->vector == VECTOR_AND || node->vector == VECTOR_OR)
			run_decided(node, among);
		else
			run_vector(node, among);
		break;
	case NODE_AMONG:
		look_among(node, among);
		break;
	case NODE_SPREAD:
		spread(node, among);
		break;
	case NODE_TAKE:
		take(node, among);
		break;
	case NODE_FILLED:
	case NODE_TOLD:
		node->fill(node, among);
		break;
	}
}

/* What is fetched again and again for other rows is fetched for all of them. */
static bool is_fetched_often(struct node *node, const struct selection *among)
{
	if (node->kind != NODE_TOLD || !among->is_fleeting)
		return false;
	if (node->fleeting_stamp != node->space->stamp)
		node->fleeting_rows = 0;
	node->fleeting_stamp = node->space->stamp;
	node->fleeting_rows += among->count;
	return node->fleeting_rows >= node->space->all.count / FEW;
}

/* For which rows it is calculated; NULL: for none that are kept. */
static const struct selection *rows_of(const struct node *node)
{
	if (node->kind == NODE_LANE)
		return &node->space->all;
	return node->stamp == node->space->stamp ? node->among : NULL;
}

static bool is_there(const struct node *node, const struct selection *among)
{
	const struct selection *rows = rows_of(node);

	return rows && (rows == &node->space->all || is_within(among, rows));
}

/* The rows, or not many more, that stay for this block; NULL: there are none. */
static const struct selection *kept_around(const struct selection *rows)
{
	const struct selection *kept = rows;

	while (kept && kept->is_fleeting)
		kept = kept->within;
	return kept && kept->count <= FEW * rows->count ? kept : NULL;
}

/* Who had to make a column of it in the block before will have to do so again. */
static bool is_looked_at(const struct node *node)
{
	return node->look && node->stamp + 1 != node->space->stamp;
}

/* Bits that some of the rows may have, and those that all have: of more rows than these, as those of a column are looked at
 * once. */
static struct common_bits bits_of(struct node *node, const struct selection *among)
{
	const struct selection *rows;

	if (!is_there(node, among) && is_looked_at(node)) {
		rows = &node->space->all;
		if (node->bits_stamp != node->space->stamp || node->bits_among != rows)
			note_bits(node, node->look(node), rows);
		return node->bits;
	}
	if (!is_there(node, among)) {
		among = kept_around(among);
		if (!among)
			return nothing_known;
		node_values(node, among);
	}
	/* What comes down to another one has no column. */
	if (!is_there(node, among))
		return nothing_known;
	rows = rows_of(node);
	if (node->bits_stamp != node->space->stamp || node->bits_among != rows)
		note_bits(node, vector_common_bits(node->lane, rows->rows, rows->count), rows);
	return node->bits;
}

/* The same, as far as these bits are concerned: what the program does nowhere need not be looked for in its rows. */
static struct common_bits bits_to_tell(struct node *node, const struct selection *among, uint64_t need)
{
	struct common_bits met = node->met ? common_bits_now(node->met) : nothing_known;

	return need & ~met.some || !(need & ~met.all) ? met : bits_of(node, among);
}

/* Settling: what rules ask of calls alone has one answer for most blocks, as programs do the same over and over. What is
 * yes everywhere or no everywhere need not be calculated, nor what it decides. */

static struct node *settled(struct node *node, const struct selection *among);

static struct node *truth(const struct node *node, bool is_true)
{
	return node->space->graph->truths[is_true];
}

static struct node *settled_bit(struct node *node, const struct selection *among)
{
	struct common_bits bits;
	uint64_t bit;

	if (!is_constant(node->args[1]))
		return node;
	bit = UINT64_C(1) << (node->args[1]->value.i & 63);
	bits = bits_to_tell(node->args[0], among, bit);
	return bits.all & bit || !(bits.some & bit) ? truth(node, bits.all & bit) : node;
}

/* AND or OR, which one argument that is `deciding` decides. */
static struct node *settled_both(struct node *node, const struct selection *among, bool deciding)
{
	struct node *args[2];

	if (!node->is_truth)
		return node;
	for (int i = 0; i < 2; i++) {
		args[i] = settled(node->args[i], among);
		if (is_constant(args[i]) && args[i]->value.i == deciding)
			return args[i];
	}
	return is_constant(args[0]) ? args[1] : is_constant(args[1]) ? args[0] : node;
}

static struct node *settled_not(struct node *node, const struct selection *among)
{
	const struct node *arg = settled(node->args[0], among);

	return is_constant(arg) ? truth(node, !arg->value.i) : node;
}

static struct node *settled_choice(struct node *node, const struct selection *among)
{
	const struct node *which = settled(node->args[0], among);

	return is_constant(which) ? settled(node->args[which->value.i ? 1 : 2], among) : node;
}

static struct node *settled_vector(struct node *node, const struct selection *among)
{
	switch (node->vector) {
	case VECTOR_BIT:
		return settled_bit(node, among);
	case VECTOR_AND:
		return settled_both(node, among, false);
	case VECTOR_OR:
		return settled_both(node, among, true);
	case VECTOR_NOT:
		return settled_not(node, among);
	case VECTOR_CHOOSE:
	case VECTOR_REAL_CHOOSE:
		return settled_choice(node, among);
	default:
		return node;
	}
}

/* Then rows and groups have the same numbers. */
static bool is_row_for_group(const struct space *groups, const struct space *rows)
{
	return groups->members == rows && groups->all.count == rows->all.count;
}

static struct node *settled_spread(struct node *node, const struct selection *among)
{
	struct node *arg = node->args[0], *same;

	if (is_row_for_group(arg->space, node->space))
		return settled(arg, among);
	same = settled(arg, &arg->space->all);
	return is_constant(same) ? same : node;
}

/* Of a group's members, if there is one: the only one. */
static struct node *settled_take(struct node *node, const struct selection *among)
{
	struct node *index = node->args[0], *values = node->args[1];
	const uint64_t negative = UINT64_C(1) << 63;

	if (!is_row_for_group(index->space, values->space) || bits_of(index, among).some & negative)
		return node;
	return settled(values, among);
}

static struct node *settled_filled(struct node *node, const struct selection *among)
{
	struct node *same = node->settle ? node->settle(node, among) : node;

	return same == node ? node : settled(same, among);
}

static ASIDE struct node *settle(struct node *node, const struct selection *among)
{
	switch (node->kind) {
	case NODE_SPREAD:
		return settled_spread(node, among);
	case NODE_FILLED:
		return settled_filled(node, among);
	case NODE_TAKE:
		return settled_take(node, among);
	default:
		return settled_vector(node, among);
	}
}

/* What the node comes down to for these rows. */
static struct node *settled(struct node *node, const struct selection *among)
{
	const unsigned never = 1u << NODE_LANE | 1u << NODE_CONSTANT | 1u << NODE_FACT | 1u << NODE_AMONG |
	                       1u << NODE_TOLD;

	if (never >> node->kind & 1)
		return node;
	if (node->same_stamp != node->space->stamp || !is_within(among, node->same_among)) {
		node->same = settle(node, among);
		node->same_stamp = among->is_fleeting ? 0 : node->space->stamp;
		node->same_among = among;
	}
	return node->same;
}

/* These rows, and others that will be asked for: as in the blocks before, unless that was long ago. */
static const struct selection *rows_to_calculate(struct node *node, const struct selection *among)
{
	enum { BLOCKS_REMEMBERED = 64 };
	const struct space *space = node->space;

	if (space->stamp % BLOCKS_REMEMBERED == 0)
		node->wide = NULL;
	if (node->stamp == space->stamp)
		among = node->wide = around_both(among, node->among, space);
	else if (node->wide && is_within(among, node->wide))
		among = node->wide;
	if (node->is_whole || !among->rows || among->count >= space->all.count / FEW ||
	    is_fetched_often(node, among))
		return &space->all;
	return among;
}

static ASIDE const union word *new_values(struct node *node, const struct selection *among)
{
	struct space *space = node->space;
	struct node *same;

	if (node->kind == NODE_CONSTANT)
		return constant_values(node, among->rows && among->count ? among->rows[among->count - 1] + 1
		                                                         : among->count);
	same = settled(node, among);
	if (same != node)
		return node_values(same, among);
	among = rows_to_calculate(node, among);
	make_room(node, space->all.count);
	calculate(node, among);
	if (among->is_fleeting)
		return node->lane;
	node->stamp = space->stamp;
	node->among = among;
	return node->lane;
}

const union word *node_values(struct node *node, const struct selection *among)
{
	return !is_constant(node) && is_there(node, among) ? node->lane : new_values(node, among);
}

/* Selections */

void selection_begin(struct selection *selection, const struct selection *within)
{
	selection->within = within;
	selection->rows = within->rows;
	selection->count = within->count;
}

uint32_t *selection_list(struct selection *selection, uint32_t rows)
{
	if (selection->room < rows || !selection->own) {
		uint32_t room = rows + rows / 2 + 1;
		uint32_t *more = memory_new(room, sizeof *more);
		/* What it holds now may be what is to be filtered. */
		if (selection->rows == selection->own && selection->own)
			memcpy(more, selection->own, selection->count * sizeof *more);
		if (selection->rows == selection->own && selection->own)
			selection->rows = more;
		free(selection->own);
		selection->own = more;
		selection->room = room;
	}
	return selection->own;
}

void selection_clear(struct selection *selection)
{
	selection->rows = selection_list(selection, selection->count);
	selection->count = 0;
}

/* Mostly all rows meet a condition, or none does: then there is nothing to choose. */

static void keep_true(struct selection *selection, const union word *values)
{
	struct common_bits bits = common_bits(values, selection);
	uint32_t *list;

	if (bits.all & 1)
		return;
	list = selection_list(selection, selection->count);
	selection->count = bits.some ? vector_keep(values, selection->rows, selection->count, list) : 0;
	selection->rows = list;
}

bool selection_may_have(const struct selection *selection, struct node *bits, uint64_t need)
{
	return !(need & ~bits_to_tell(bits, selection, need).some);
}

void selection_filter_bits(struct selection *selection, struct node *bits, uint64_t need)
{
	struct common_bits common = bits_to_tell(bits, selection, need);
	uint32_t *list;

	if (!(need & ~common.all))
		return;
	list = selection_list(selection, selection->count);
	if (need & ~common.some)
		selection->count = 0;
	else
		selection->count = vector_keep_bits(node_values(bits, selection), need, selection->rows,
		                                    selection->count, list);
	selection->rows = list;
}

/* A comparison need not become a column only to be looked at once. */
static void keep_compared(struct selection *selection, const struct node *condition)
{
	struct node *const *args = condition->args;
	uint32_t *list = selection_list(selection, selection->count);
	const union word *left, *right;

	if (condition->vector == VECTOR_LESS && is_constant(args[0])) {
		selection->count = vector_keep_greater(node_values(args[1], selection), args[0]->value.i,
		                                       selection->rows, selection->count, list);
	} else {
		left = arg_values(condition, 0, selection);
		right = arg_values(condition, 1, selection);
		selection->count = (condition->vector == VECTOR_LESS ? vector_keep_less
		                                                     : vector_keep_less_equal)(
			left, right, selection->rows, selection->count, list);
	}
	selection->rows = list;
}

/* Conditions that need not become columns: true, if this was one. */
static bool filter_at_once(struct selection *selection, const struct node *condition)
{
	struct node *const *args = condition->args;

	if (is_vector(condition, VECTOR_LESS) || is_vector(condition, VECTOR_LESS_EQUAL)) {
		keep_compared(selection, condition);
	} else if (is_vector(condition, VECTOR_BIT) && is_constant(args[1])) {
		selection_filter_bits(selection, args[0], UINT64_C(1) << args[1]->value.i);
	} else if (is_vector(condition, VECTOR_AND) && condition->is_truth) {
		selection_filter(selection, args[0]);
		selection_filter(selection, args[1]);
	} else if (is_vector(condition, VECTOR_OR) && !is_constant(args[0]) &&
	           !bits_of(args[0], selection).some) {
		selection_filter(selection, args[1]);
	} else {
		return false;
	}
	return true;
}

void selection_filter(struct selection *selection, struct node *condition)
{
	if (!selection->count)
		return;
	/* Of two, the second is looked at only for what the first one leaves. */
	if (!is_vector(condition, VECTOR_AND))
		condition = settled(condition, selection);
	if (!is_constant(condition) && !filter_at_once(selection, condition))
		keep_true(selection, node_values(condition, selection));
	else if (is_constant(condition) && !condition->value.i)
		selection_clear(selection);
}

void selection_release(struct selection *selection)
{
	free(selection->own);
	selection->own = NULL;
	selection->room = 0;
}
