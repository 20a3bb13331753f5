#include "analysis/engine/group.h"

#include "analysis/engine/operator.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Folding the members of all groups at once */

struct fold_task {
	union word *out;
	const union word *values;
	const struct selection *rows;
	const uint32_t *group_of;
};

/* Members of a group follow each other: its result `so_far` is put away only when the next one comes. All rows and those of a
 * list are gone through by loops of their own. */
#define FOLD(name, step) \
	static void name(const struct fold_task *task) \
	{ \
		const uint32_t *list = task->rows->rows; \
		if (list) \
			FOLD_ROWS(list[k], step) \
		else \
			FOLD_ROWS(k, step) \
	}

#define FOLD_ROWS(row_at_k, step) \
	{ \
		const uint32_t *group_of = task->group_of; \
		const union word *values = task->values; \
		uint32_t k = 0, count = task->rows->count; \
		(void)values; \
		while (k < count) { \
			uint32_t row = row_at_k, group = group_of[row]; \
			union word so_far = task->out[group]; \
			do { \
				step; \
			} while (++k < count && group_of[row = row_at_k] == group); \
			task->out[group] = so_far; \
		} \
	}

static inline int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t lesser(int64_t a, int64_t b)
{
	return a < b || b == ABSENT ? a : b;
}

FOLD(fold_count, so_far.i++)
FOLD(fold_sum, so_far.i = whole_add(so_far.i, values[row].i))
FOLD(fold_real_sum, so_far.r += values[row].r)
FOLD(fold_max, so_far.i = greater(values[row].i, so_far.i))
FOLD(fold_min, so_far.i = lesser(values[row].i, so_far.i))
FOLD(fold_real_max, so_far.r = fmax(values[row].r, so_far.r))
FOLD(fold_real_min, so_far.r = fmin(values[row].r, so_far.r))
FOLD(fold_first, so_far.i = so_far.i < 0 ? row : so_far.i)
FOLD(fold_last, so_far.i = row)

/* The row of the first member of which no other is better. */
#define FOLD_BEST(name, member, op) \
	static void name(const struct fold_task *task) \
	{ \
		const uint32_t *list = task->rows->rows; \
		if (list) \
			FOLD_BEST_ROWS(list[k], member, op) \
		else \
			FOLD_BEST_ROWS(k, member, op) \
	}

#define FOLD_BEST_ROWS(row_at_k, member, op) \
	{ \
		const uint32_t *group_of = task->group_of; \
		const union word *values = task->values; \
		uint32_t k = 0, count = task->rows->count; \
		while (k < count) { \
			uint32_t row = row_at_k, group = group_of[row], at = row; \
			union word best = values[row]; \
			while (++k < count && group_of[row = row_at_k] == group) { \
				bool is_better = values[row].member op best.member; \
				at = is_better ? row : at; \
				best = is_better ? values[row] : best; \
			} \
			task->out[group].i = at; \
		} \
	}

FOLD_BEST(fold_argmax, i, >)
FOLD_BEST(fold_argmin, i, <)
FOLD_BEST(fold_real_argmax, r, >)
FOLD_BEST(fold_real_argmin, r, <)

enum fold_start { START_ZERO, START_ABSENT, START_NONE };

static const struct fold_way {
	void (*whole)(const struct fold_task *);
	void (*real)(const struct fold_task *);
	enum fold_start start;
	bool gives_row;
} ways[] = {
	[AGGREGATE_MIN] = {fold_min, fold_real_min, START_ABSENT, false},
	[AGGREGATE_MAX] = {fold_max, fold_real_max, START_ABSENT, false},
	[AGGREGATE_SUM] = {fold_sum, fold_real_sum, START_ZERO, false},
	[AGGREGATE_COUNT] = {fold_count, fold_count, START_ZERO, false},
	[AGGREGATE_FIRST] = {fold_first, fold_first, START_NONE, true},
	[AGGREGATE_LAST] = {fold_last, fold_last, START_NONE, true},
	[AGGREGATE_ARGMIN] = {fold_argmin, fold_real_argmin, START_NONE, true},
	[AGGREGATE_ARGMAX] = {fold_argmax, fold_real_argmax, START_NONE, true},
	/* Whole groups at a time, by operators. */
	[AGGREGATE_MEAN] = {NULL, NULL, START_ABSENT, false},
	[AGGREGATE_DISTINCT] = {NULL, NULL, START_ZERO, false},
};

static union word start_of(enum fold_start start, bool is_real)
{
	if (start == START_NONE)
		return (union word){.i = -1};
	if (start == START_ZERO)
		return is_real ? (union word){.r = 0} : (union word){.i = 0};
	return is_real ? (union word){.r = NAN} : (union word){.i = ABSENT};
}

/* By groups */

/* Calls `one` for the chosen members of each group, as a range of positions in the selection. */
static void by_group(struct folding *folding, void (*one)(struct folding *, struct rows, void *),
                     void *context)
{
	const uint32_t *group_of = folding->table->space->group_of;
	const struct selection *chosen = &folding->filter->chosen;
	uint32_t from = 0;

	while (from < chosen->count) {
		uint32_t group = group_of[selection_row(chosen, from)], to = from;
		while (to < chosen->count && group_of[selection_row(chosen, to)] == group)
			to++;
		one(folding, (struct rows){chosen->rows, from, to}, context);
		from = to;
	}
}

static const int64_t *as_integers(const union word *words)
{
	return &words->i;
}

static void fold_one_group(struct folding *folding, struct rows rows, void *context)
{
	struct fold fold = {.aggregate = folding->aggregate,
	                    .is_real = folding->value->is_real,
	                    .values = as_integers(node_values(folding->value, &folding->filter->chosen))};
	uint32_t first = rows.selection ? rows.selection[rows.from] : rows.from;

	((union word *)context)[folding->table->space->group_of[first]].i = fold_rows(&fold, rows,
	                                                                              &folding->room);
}

static bool is_chosen(const struct folding *folding)
{
	return folding->filter->stamp == folding->table->space->stamp;
}

static const struct selection *choose(const struct folding *folding)
{
	struct filtering *filter = folding->filter;

	if (is_chosen(folding))
		return &filter->chosen;
	filter->stamp = folding->table->space->stamp;
	selection_begin(&filter->chosen, &folding->table->member_rows);
	conditions_apply(&filter->conditions, &filter->chosen);
	return &filter->chosen;
}

/* Those of `rows` that are of these groups. Groups and rows are in order, and no group is without a row: of all rows,
 * that with the number of a group is not behind the first of it. */
static void pick_members(struct selection *picked, const struct selection *rows,
                         const struct selection *groups, const uint32_t *group_of)
{
	uint32_t *list = selection_list(picked, rows->count);
	uint32_t count = 0, at = 0;

	for (uint32_t k = 0; k < groups->count; k++) {
		uint32_t group = groups->rows[k];
		at = !rows->rows && at < group ? group : at;
		while (at < rows->count && group_of[selection_row(rows, at)] < group)
			at++;
		for (; at < rows->count && group_of[selection_row(rows, at)] == group; at++)
			list[count++] = selection_row(rows, at);
	}
	picked->within = rows;
	picked->rows = list;
	picked->count = count;
}

/* Then rows and groups have the same numbers. */
static bool is_row_for_group(const struct table *table)
{
	return table->space->all.count == table->space->members->all.count;
}

/* What is calculated for them is not kept: soon others may be chosen. */
static const struct selection *choose_few(const struct folding *folding, const struct selection *groups)
{
	struct filtering *filter = folding->filter;
	bool is_done = is_chosen(folding);
	const struct selection *rows = is_done ? &filter->chosen : &folding->table->member_rows;

	if (!rows->rows && is_row_for_group(folding->table))
		selection_begin(&filter->few, groups);
	else
		pick_members(&filter->few, rows, groups, folding->table->space->group_of);
	filter->few.is_fleeting = true;
	if (!is_done)
		conditions_apply(&filter->conditions, &filter->few);
	return &filter->few;
}

static void fill_groups(struct node *node, const struct selection *among)
{
	struct folding *folding = node->owner;
	const struct fold_way *way = &ways[folding->aggregate];
	const struct selection *rows = among->rows ? choose_few(folding, among) : choose(folding);
	struct fold_task task = {
		.out = node->lane, .rows = rows, .group_of = folding->table->space->group_of};
	union word start = start_of(way->start, node->is_real);

	for (uint32_t k = 0; k < among->count; k++)
		node->lane[selection_row(among, k)] = start;
	if (!way->whole) {
		by_group(folding, fold_one_group, node->lane);
		return;
	}
	if (folding->value)
		task.values = node_values(folding->value, rows);
	(folding->value && folding->value->is_real ? way->real : way->whole)(&task);
}

/* By members, with `mine` */

struct prefix_task {
	union word *out;
	int64_t *results;
	const int64_t *values, *theirs, *mine, *row_numbers;
};

static struct rows members_of_group(const struct folding *folding, uint32_t group)
{
	const struct selection *all = &folding->table->member_rows;
	const uint32_t *group_of = folding->table->space->group_of;
	uint32_t from = 0, to;

	/* Members are in order of their groups. */
	for (uint32_t size = all->count; size;) {
		uint32_t half = size / 2;
		bool is_before = group_of[selection_row(all, from + half)] < group;
		from += is_before ? half + 1 : 0;
		size = is_before ? size - half - 1 : half;
	}
	for (to = from; to < all->count && group_of[selection_row(all, to)] == group; to++)
		;
	return (struct rows){all->rows, from, to};
}

static void prefix_one_group(struct folding *folding, struct rows rows, void *context)
{
	struct prefix_task *task = context;
	bool gives_row = ways[folding->aggregate].gives_row;
	bool by_order = folding->aggregate == AGGREGATE_FIRST || folding->aggregate == AGGREGATE_LAST;
	struct fold fold = {.aggregate = folding->aggregate,
	                    .is_real = folding->value && folding->value->is_real && !by_order,
	                    .values = by_order ? task->row_numbers : task->values};
	struct mine_test test = {.op = folding->op,
	                         .is_real = folding->theirs->is_real,
	                         .members = task->theirs,
	                         .mine = task->mine};
	uint32_t first = rows.selection ? rows.selection[rows.from] : rows.from;
	struct rows askers = members_of_group(folding, folding->table->space->group_of[first]);

	fold_prefix(&fold, &test, rows, askers, &folding->room, task->results);
	for (uint32_t i = askers.from; i < askers.to; i++) {
		int64_t result = task->results[i - askers.from];
		uint32_t row = askers.selection ? askers.selection[i] : i;
		task->out[row].i = gives_row && result == ABSENT ? -1 : result;
	}
}

static void fill_members(struct node *node, const struct selection *among)
{
	struct folding *folding = node->owner;
	const struct selection *members = &folding->table->member_rows;
	union word start = start_of(ways[folding->aggregate].start, node->is_real);
	struct prefix_task task = {.out = node->lane};
	int64_t *numbers = memory_new(among->count, 2 * sizeof *numbers);

	for (uint32_t i = 0; i < among->count; i++) {
		node->lane[i] = start;
		numbers[i] = i;
	}
	choose(folding);
	task.row_numbers = numbers;
	task.results = numbers + among->count;
	task.theirs = as_integers(node_values(folding->theirs, members));
	task.mine = as_integers(node_values(folding->mine, members));
	if (folding->value)
		task.values = as_integers(node_values(folding->value, members));
	by_group(folding, prefix_one_group, &task);
	free(numbers);
}

/* Aggregates that are the same */

static bool is_same_filter(const struct conditions *a, const struct conditions *b)
{
	return a->need == b->need && a->count == b->count &&
	       (!a->count || memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0);
}

struct filtering *find_filtering(struct table *table, const struct conditions *conditions)
{
	struct filtering *filtering;

	for (filtering = table->filterings; filtering; filtering = filtering->next)
		if (is_same_filter(&filtering->conditions, conditions))
			return filtering;
	filtering = arena_new(table->share->arena, struct filtering);
	filtering->conditions = *conditions;
	filtering->next = table->filterings;
	return table->filterings = filtering;
}

static bool is_same(const struct folding *a, const struct folding *b)
{
	return a->aggregate == b->aggregate && a->value == b->value && a->filter == b->filter &&
	       a->op == b->op && a->theirs == b->theirs && a->mine == b->mine;
}

static bool gives_real(const struct folding *folding)
{
	switch (folding->aggregate) {
	case AGGREGATE_MEAN:
		return true;
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
	case AGGREGATE_SUM:
		return folding->value->is_real;
	default:
		return false;
	}
}

/* Whether all members of a group have the same, and which. */
static struct node *common_to_group(const struct table *table, struct node *node)
{
	if (is_constant(node))
		return node;
	return node->kind == NODE_SPREAD && node->args[0]->space == table->space ? node->args[0] : NULL;
}

/* What grows with its argument can be calculated of the greatest or least one alone; ABSENT stays what it is. */
static struct node *calculated_outside(struct table *table, const struct folding *folding)
{
	const struct node *value = folding->value;
	struct folding inner = *folding;
	struct node *args[2];

	if ((folding->aggregate != AGGREGATE_MAX && folding->aggregate != AGGREGATE_MIN) || folding->op)
		return NULL;
	for (uint32_t i = 0; i < 2; i++) {
		bool grows = is_vector(value, VECTOR_ADD) || is_vector(value, VECTOR_LEAST) ||
		             (is_vector(value, VECTOR_SUBTRACT) && i == 0);
		struct node *common = grows ? common_to_group(table, value->args[1 - i]) : NULL;
		if (!common)
			continue;
		inner.value = value->args[i];
		args[i] = folding_result(table, &inner);
		args[1 - i] = common;
		return node_vector(table->share->graph, value->vector, args);
	}
	return NULL;
}

/* The only member of a group is what any of these gives, if all groups have one and it is chosen. */
static bool gives_only_member(const struct folding *folding, const struct selection *among)
{
	bool is_its_value = folding->aggregate == AGGREGATE_MAX || folding->aggregate == AGGREGATE_MIN ||
	                    folding->aggregate == AGGREGATE_SUM;

	if (!is_its_value || folding->value->is_real || !is_row_for_group(folding->table) ||
	    (among->rows && !is_chosen(folding)))
		return false;
	return !choose(folding)->rows;
}

static struct node *settle_groups(struct node *node, const struct selection *among)
{
	const struct folding *folding = node->owner;

	if (gives_only_member(folding, among))
		return folding->value;
	/* Of as many members as groups nothing is saved. */
	return folding->outside && !is_row_for_group(folding->table) ? folding->outside : node;
}

struct node *folding_result(struct table *table, const struct folding *wanted)
{
	struct folding *folding;

	for (folding = table->foldings; folding; folding = folding->next)
		if (is_same(folding, wanted))
			return folding->result;
	folding = arena_new(table->share->arena, struct folding);
	*folding = *wanted;
	folding->table = table;
	folding->next = table->foldings;
	table->foldings = folding;
	folding->result = node_filled(
		&(struct node){.kind = NODE_FILLED,
	                       .space = wanted->op ? table->space->members : table->space,
	                       .fill = wanted->op ? fill_members : fill_groups,
	                       .owner = folding,
	                       .is_real = gives_real(folding),
	                       .is_whole = wanted->op || !ways[wanted->aggregate].whole,
	                       .settle = wanted->op ? NULL : settle_groups});
	if (wanted->value)
		folding->outside = calculated_outside(table, folding);
	return folding->result;
}

const struct folding *greatest_of(const struct node *node)
{
	bool is_greatest = node->kind == NODE_FILLED && node->fill == fill_groups && !node->is_real &&
	                   ((const struct folding *)node->owner)->aggregate == AGGREGATE_MAX;

	return is_greatest ? node->owner : NULL;
}

/* A member of each group that has one. */
static bool is_any(const struct node *index)
{
	const struct folding *folding = index->owner;

	return index->fill == fill_groups && !folding->filter->conditions.need &&
	       !folding->filter->conditions.count;
}

struct node *group_take(struct node *index, struct node *values, const struct selection *among,
                        union word absent)
{
	struct graph *graph = index->space->graph;
	struct node *is_there;

	if (is_constant(values) || !values->space->members)
		return node_take(index, values, among, absent);
	if (is_any(index))
		return values;
	is_there = node_vector(graph, VECTOR_LESS_EQUAL, (struct node *[]){node_whole(graph, 0), index});
	return node_vector(
		graph, values->is_real ? VECTOR_REAL_CHOOSE : VECTOR_CHOOSE,
		(struct node *[]){is_there, values, node_constant(graph, absent, values->is_real)});
}

/* Running */

/* Those of `groups` that have members. */
static void find_groups(struct table *table, const struct selection *groups)
{
	const struct selection *members = &table->member_rows;
	const uint32_t *group_of = table->space->group_of;
	uint32_t *list, count = 0, at = 0;

	selection_begin(&table->selection, groups);
	if (!members->rows)
		return;
	if (is_row_for_group(table) && !groups->rows) {
		table->selection.rows = members->rows;
		table->selection.count = members->count;
		return;
	}
	list = selection_list(&table->selection, groups->count);
	for (uint32_t k = 0; k < groups->count; k++) {
		uint32_t group = selection_row(groups, k);
		while (at < members->count && group_of[members->rows[at]] < group)
			at++;
		list[count] = group;
		count += at < members->count && group_of[members->rows[at]] == group;
	}
	table->selection.rows = list;
	table->selection.count = count;
}

static void find_members(struct table *table)
{
	uint32_t *list = selection_list(&table->each_rows, table->member_rows.count);
	uint32_t count = 0, at = 0;

	for (uint32_t k = 0; k < table->member_rows.count && at < table->selection.count; k++) {
		uint32_t row = selection_row(&table->member_rows, k), group = table->space->group_of[row];
		while (at < table->selection.count && selection_row(&table->selection, at) < group)
			at++;
		list[count] = row;
		count += at < table->selection.count && selection_row(&table->selection, at) == group;
	}
	table->each_rows.within = &table->member_rows;
	table->each_rows.rows = list;
	table->each_rows.count = count;
}

/* Rows of these groups, and of others if that is simpler. */
static void find_rows(struct table *table)
{
	struct selection *rows = &table->member_rows, *groups = &table->member_groups;

	selection_begin(rows, &table->source->selection);
	if (!is_row_for_group(table) || rows->rows) {
		if (groups->count < table->space->all.count - table->space->all.count / 4)
			pick_members(rows, &table->source->selection, groups, table->space->group_of);
		return;
	}
	rows->rows = groups->rows;
	rows->count = groups->count;
	/* As they are the members now, it is enough to look at these. */
	selection_begin(&table->member_groups, &table->space->all);
}

void group_run(struct table *table)
{
	struct selection *groups = &table->member_groups;

	selection_begin(groups, &table->space->all);
	conditions_apply(&table->group_conditions, groups);
	table->selection.count = 0;
	if (!groups->count)
		return;
	find_rows(table);
	conditions_apply(&table->member_conditions, &table->member_rows);
	find_groups(table, groups);
	conditions_apply(&table->conditions, &table->selection);
	if (table->has_each)
		find_members(table);
}

void group_release(struct table *table)
{
	for (struct folding *folding = table->foldings; folding; folding = folding->next)
		fold_room_release(&folding->room);
	for (struct filtering *filtering = table->filterings; filtering; filtering = filtering->next)
		selection_release(&filtering->chosen);
	for (struct filtering *filtering = table->filterings; filtering; filtering = filtering->next)
		selection_release(&filtering->few);
	selection_release(&table->member_groups);
	selection_release(&table->member_rows);
	selection_release(&table->each_rows);
}
