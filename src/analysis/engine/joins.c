#include "analysis/engine/operator.h"
#include "analysis/engine/stateful.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* While a chain is made. */
struct join_chain {
	struct stateful *stateful;
	const struct event_type *type;
	uint32_t *port_of;            /* by member */
	const struct view **sources;  /* by member: as its table has it */
	const struct view **in_pairs; /* by member: as pairs have it */
	struct scope source_scope, pair_scope, given_scope;
};

static enum status add_port(struct join_chain *chain, uint32_t number)
{
	const struct member *member = &chain->type->members[number];
	struct stateful *stateful = chain->stateful;
	struct table *source;
	struct port *port;

	TRY(table_get(stateful->partition, member->type, &source));
	port = port_add(stateful, source, member);
	chain->port_of[number] = port->number;
	chain->sources[number] = source->self;
	chain->in_pairs[number] = port_view(port, stateful->pair, source->self, 0);
	stateful->table->members[number] = (struct view *)(uintptr_t)port_view(port, stateful->table->space,
	                                                                       source->self, 0);
	TRY(compile_conditions(member->where, &chain->source_scope, &port->conditions));
	return OK;
}

/* Members that are connected with this one by an equality. */
static uint64_t tied_to(const struct expr *condition, uint32_t number)
{
	uint64_t left, right, self = UINT64_C(1) << number;

	if (!condition || condition->kind != EXPR_BINARY)
		return 0;
	if (condition->op == OP_AND)
		return tied_to(condition->args[0], number) | tied_to(condition->args[1], number);
	left = expr_members(condition->args[0]);
	right = expr_members(condition->args[1]);
	if (condition->op != OP_EQUAL || !is_one_member(left) || !is_one_member(right))
		return 0;
	return left == self ? right : right == self ? left : 0;
}

/* The first member that has a key with the members joined so far; if none has, the first member. A member
 * that is last before or first after another one is joined after it. */
static uint32_t next_member(const struct join_chain *chain, uint64_t placed)
{
	uint32_t first = UINT32_MAX, tied = UINT32_MAX;

	for (uint32_t i = chain->type->member_count; i-- > 0;) {
		const struct member *member = &chain->type->members[i];

		if (placed >> i & 1 || (member->order != MEMBER_ANY && !(placed >> member->other & 1)))
			continue;
		first = i;
		if (!placed || tied_to(chain->type->when, i) & placed)
			tied = i;
	}
	return tied != UINT32_MAX ? tied : first;
}

/* Conditions */

static struct port *port_of_member(const struct join_chain *chain, uint64_t members)
{
	return chain->stateful->ports[chain->port_of[__builtin_ctzll(members)]];
}

static bool is_column(const struct expr *expr, enum call_column wanted)
{
	const struct column *column;

	if (expr->kind != EXPR_COLUMN || expr->args[0]->kind != EXPR_MEMBER || !expr->args[0]->event ||
	    !type_is_call(expr->args[0]->event))
		return false;
	column = &expr->args[0]->event->columns[expr->column];
	return !column->value && column->native == wanted;
}

static bool is_identity(const struct expr *expr)
{
	const struct event_type *event = expr->kind == EXPR_COLUMN ? expr->args[0]->event : NULL;

	if (expr->kind != EXPR_COLUMN || expr->args[0]->type.base != TYPE_EVENT)
		return false;
	/* A call of any function has no type of its own. */
	return event ? type_is_call(event) && !event->columns[expr->column].value &&
	                       event->columns[expr->column].native == CALL_COLUMN_ID
	             : expr->column == CALL_COLUMN_ID;
}

static enum status add_key(struct join_chain *chain, const struct expr *left, const struct expr *right)
{
	struct port *a = port_of_member(chain, expr_members(left)),
		    *b = port_of_member(chain, expr_members(right));
	struct graph *graph = chain->stateful->partition->graph;
	struct node *a_key = compile(left, &chain->source_scope),
		    *b_key = compile(right, &chain->source_scope);
	struct port *later = a->number > b->number ? a : b;
	struct join_step *step = &chain->stateful->steps[later->number];
	uint32_t count = later->key_count, column;

	if (!a_key || !b_key)
		return FAILED;
	if (a_key->is_real || b_key->is_real) {
		a_key = node_as(graph, a_key, true);
		b_key = node_as(graph, b_key, true);
	}
	column = later == a ? port_column(b, b_key) : port_column(a, a_key);
	arena_add(chain->stateful->partition->arena, step->left_keys, count, column);
	port_key(later, later == a ? a_key : b_key);
	step->is_of_process |= is_column(left, CALL_COLUMN_PROCESS) && is_column(right, CALL_COLUMN_PROCESS);
	step->is_of_thread |= is_column(left, CALL_COLUMN_THREAD) && is_column(right, CALL_COLUMN_THREAD);
	step->is_of_call |= is_identity(left) && is_identity(right);
	return OK;
}

static enum status add_condition(struct join_chain *chain, const struct expr *expr)
{
	uint64_t members = expr_members(expr);
	struct join_step *step = chain->stateful->steps;

	if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
		TRY(add_condition(chain, expr->args[0]));
		return add_condition(chain, expr->args[1]);
	}
	if (is_one_member(members) && !expr_uses(expr, EXPR_SELF))
		return compile_conditions(expr, &chain->source_scope,
		                          &port_of_member(chain, members)->conditions);
	if (expr->kind == EXPR_BINARY && expr->op == OP_EQUAL && is_one_member(expr_members(expr->args[0])) &&
	    is_one_member(expr_members(expr->args[1])) && !expr_uses(expr, EXPR_SELF))
		return add_key(chain, expr->args[0], expr->args[1]);
	for (uint32_t i = 0; i < chain->type->member_count; i++)
		if (members >> i & 1 && chain->port_of[i] > step->number)
			step = &chain->stateful->steps[chain->port_of[i]];
	if (!step->is_asof && step->number && !expr_uses(expr, EXPR_SELF))
		return compile_conditions(expr, &chain->pair_scope, &step->accepted);
	return compile_conditions(expr, &chain->given_scope, &chain->stateful->table->conditions);
}

/* Steps */

/* The table whose rows a table has. */
static const struct table *rows_of(const struct table *table)
{
	while (table->kind == TABLE_FILTER)
		table = table->source;
	return table;
}

static void plan_step(struct join_chain *chain, uint32_t number)
{
	const struct member *member = &chain->type->members[number];
	struct port *port = chain->stateful->ports[chain->port_of[number]];
	struct join_step *step = &chain->stateful->steps[port->number];
	bool is_before = member->order == MEMBER_LAST_BEFORE;
	struct port *other;

	step->stateful = chain->stateful;
	step->number = port->number;
	step->order = member->order;
	step->is_asof = member->order != MEMBER_ANY;
	step->left_identity = step->right_identity = UINT32_MAX;
	if (!step->is_asof)
		return;
	other = chain->stateful->ports[chain->port_of[member->other]];
	step->left_time = port_column(other, view_time(chain->sources[member->other], !is_before));
	step->right_time = port_column(port, view_time(chain->sources[number], is_before));
	if (rows_of(other->source) == rows_of(port->source)) {
		step->left_identity = port_column(other, view_identity(chain->sources[member->other]));
		step->right_identity = port_column(port, view_identity(chain->sources[number]));
	}
}

enum status joins_make(struct stateful *stateful)
{
	const struct event_type *type = stateful->table->type;
	struct arena *arena = stateful->partition->arena;
	struct table *table = stateful->table;
	struct join_chain chain = {.stateful = stateful, .type = type};
	uint64_t placed = 0;

	if (type->member_count > 64)
		return fail("%s:%u: '%s' has more than 64 members", type->origin.file, type->origin.line,
		            type->name);
	stateful->steps = arena_array(arena, struct join_step, type->member_count);
	table->members = arena_array(arena, struct view *, type->member_count);
	chain.port_of = arena_array(arena, uint32_t, type->member_count);
	chain.sources = arena_array(arena, const struct view *, type->member_count);
	chain.in_pairs = arena_array(arena, const struct view *, type->member_count);
	chain.source_scope = (struct scope){.partition = stateful->partition, .members = chain.sources};
	chain.pair_scope = (struct scope){.partition = stateful->partition, .members = chain.in_pairs};
	chain.given_scope = (struct scope){.partition = stateful->partition,
	                                   .table = table,
	                                   .self = table->self,
	                                   .members = (const struct view *const *)table->members};
	for (uint32_t i = 0; i < type->member_count; i++) {
		uint32_t next = next_member(&chain, placed);
		if (next == UINT32_MAX)
			return fail(
				"%s:%u: the orders of the members of '%s' form a circle; declare one member without 'last before' or 'first after'",
				type->origin.file, type->origin.line, type->name);
		TRY(add_port(&chain, next));
		placed |= UINT64_C(1) << next;
	}
	for (uint32_t i = 0; i < type->member_count; i++)
		plan_step(&chain, i);
	if (type->when)
		TRY(add_condition(&chain, type->when));
	for (uint32_t i = 0; i < stateful->port_count; i++)
		conditions_push_down(stateful->ports[i]->source, &stateful->ports[i]->conditions, true);
	/* Members that are the same call have no order. */
	for (uint32_t i = 1; i < type->member_count && type_has_messages(type); i++)
		stateful->partition->engine->is_ordered |= stateful->steps[i].is_asof ||
		                                           !stateful->steps[i].is_of_call;
	return OK;
}

/* Execution: tuples on the left are the keys of the step, then all words carried by earlier ports */

/* Calls of a thread arrive in the order of their ends, and are seldom nested. */
enum { CALLS_LATENESS = 16 };

/* The position of a column's value on the left of a step, or on its right. */
static uint32_t left_word(const struct join_step *step, uint32_t column)
{
	return step->key_count + step->stateful->origins[column].word;
}

static uint32_t right_word(const struct join_step *step, uint32_t column)
{
	return step->key_count + step->stateful->origins[column].index;
}

static bool accepts(void *context, const int64_t *left, const int64_t *right)
{
	struct join_step *step = context;
	struct space *pair = step->stateful->pair;

	space_begin(pair, 1);
	for (struct node *column = pair->columns; column; column = column->next_column) {
		uint32_t port = step->stateful->origins[column->number].port;
		if (port < step->number)
			column->column = (union word *)(uintptr_t)&left[left_word(step, column->number)];
		else if (port == step->number)
			column->column = (union word *)(uintptr_t)&right[right_word(step, column->number)];
	}
	return conditions_hold(&step->accepted, pair);
}

static void make_scratch(struct join_step *step, size_t tuples)
{
	size_t words = tuples * (step->key_count + step->left_words) + 1;

	if (step->scratch_room >= words)
		return;
	step->scratch_room = words;
	step->scratch = memory_grow(step->scratch, words, sizeof *step->scratch);
}

/* Sets the keys of a left tuple; its other words are already set. */
static void put_keys(const struct join_step *step, int64_t *tuple)
{
	for (uint32_t i = 0; i < step->key_count; i++)
		tuple[i] = tuple[left_word(step, step->left_keys[i])];
}

static void add_to_step(struct join_step *step, enum join_side side, const int64_t *tuples, size_t count)
{
	if (step->is_asof)
		asof_add(step->asof, side, tuples, count);
	else
		join_add(step->join, side, tuples, count);
}

static void put(void *context, const int64_t *left, const int64_t *right)
{
	struct join_step *step = context;
	struct stateful *stateful = step->stateful;

	left += step->key_count;
	right += step->key_count;
	if (step->number + 1 < stateful->port_count) {
		struct join_step *next = &stateful->steps[step->number + 1];
		int64_t *words = next->scratch + next->key_count;

		memcpy(words, left, step->left_words * sizeof *words);
		memcpy(words + step->left_words, right,
		       (next->left_words - step->left_words) * sizeof *words);
		put_keys(next, next->scratch);
		add_to_step(next, LEFT, next->scratch, 1);
	} else {
		for (uint32_t column = 0; column < stateful->width; column++) {
			uint32_t word = stateful->origins[column].word;
			stateful->columns[column][stateful->rows].i =
				word < step->left_words ? left[word] : right[word - step->left_words];
		}
		given_row_done(stateful);
	}
}

/* A group has one row for each of its keys. Tuples that wait for it are tested once, so any number of them may wait. */
static bool has_row_per_key(const struct port *port)
{
	const struct table *table = port->source;
	const struct stateful *group;
	uint32_t found = 0;

	while (table->kind == TABLE_FILTER)
		table = table->source;
	group = table->stateful;
	if (!group || table->type->form != FORM_GROUP)
		return false;
	for (uint32_t i = 0; i < group->ports[0]->key_count; i++)
		for (uint32_t j = 0; j < port->key_count; j++)
			if (port->keys[j]->kind == NODE_COLUMN &&
			    group->aggregates[port->keys[j]->number].aggregate == AGGREGATE_FIRST &&
			    !group->aggregates[port->keys[j]->number].filter &&
			    group->aggregates[port->keys[j]->number].result == group->ports[0]->keys[i]) {
				found++;
				break;
			}
	return found == group->ports[0]->key_count;
}

void joins_open(struct stateful *stateful)
{
	bool left_shared = stateful->ports[0]->is_shared;
	uint32_t words = 0;

	for (uint32_t i = 0; i < stateful->port_count; i++) {
		const struct port *port = stateful->ports[i];

		stateful->steps[i].key_count = port->key_count;
		stateful->steps[i].left_words = words;
		for (uint32_t k = 0; k < port->carried_count; k++)
			stateful->origins[port->columns[k]].word = words + k;
		words += port->carried_count;
	}
	for (uint32_t i = 1; i < stateful->port_count; i++) {
		struct join_step *step = &stateful->steps[i];

		make_scratch(step, 1);
		if (step->is_asof) {
			bool has_identity = step->left_identity != UINT32_MAX;
			bool is_of_one = step->is_of_thread ||
			                 (step->is_of_process && !stateful->partition->engine->has_threads);

			step->asof = asof_new(&(struct asof_plan){
				.kind = step->order == MEMBER_LAST_BEFORE ? ASOF_LAST_BEFORE
			                                                  : ASOF_FIRST_AFTER,
				.widths = {step->key_count + step->left_words,
			                   step->key_count + stateful->ports[i]->carried_count},
				.keys = step->key_count,
				.times = {left_word(step, step->left_time),
			                  right_word(step, step->right_time)},
				.identity = {has_identity ? left_word(step, step->left_identity) : NO_WORD,
			                     has_identity ? right_word(step, step->right_identity) : NO_WORD},
				.is_shared = stateful->ports[i]->is_shared,
				.lateness = is_of_one ? CALLS_LATENESS : 0,
				.context = step,
				.put = put});
		} else {
			step->join = join_new(&(struct join_plan){
				.widths = {step->key_count + step->left_words,
			                   step->key_count + stateful->ports[i]->carried_count},
				.keys = step->key_count,
				.is_shared = {left_shared, stateful->ports[i]->is_shared},
				.context = step,
				.accepts = step->accepted.count ? accepts : NULL,
				.conditional_per_key = has_row_per_key(stateful->ports[i]) ? UINT32_MAX : 0,
				.put = put});
		}
		left_shared = left_shared && stateful->ports[i]->is_shared;
	}
}

void joins_add(struct port *port, const int64_t *tuples, size_t count)
{
	struct join_step *step = &port->stateful->steps[port->number];

	if (port->number == 0) {
		struct join_step *next = &port->stateful->steps[1];
		uint32_t width = next->key_count + next->left_words;

		make_scratch(next, count);
		for (size_t i = 0; i < count; i++) {
			int64_t *tuple = next->scratch + i * width;

			memcpy(tuple + next->key_count, tuples + i * next->left_words,
			       next->left_words * sizeof *tuple);
			put_keys(next, tuple);
		}
		add_to_step(next, LEFT, next->scratch, count);
	} else {
		add_to_step(step, RIGHT, tuples, count);
	}
}

void joins_finish(struct stateful *stateful)
{
	for (uint32_t i = 1; i < stateful->port_count; i++)
		if (stateful->steps[i].asof)
			asof_finish(stateful->steps[i].asof);
}

uint64_t joins_dropped(const struct stateful *stateful)
{
	uint64_t dropped = 0;

	for (uint32_t i = 1; stateful->is_open && i < stateful->port_count; i++) {
		const struct join_step *step = &stateful->steps[i];
		struct operator_counts counts = step->asof ? asof_counts(step->asof)
		                                           : join_counts(step->join);
		dropped += counts.dropped + counts.early;
	}
	return dropped;
}

void joins_free(struct stateful *stateful)
{
	for (uint32_t i = 1; i < stateful->port_count; i++) {
		if (stateful->steps[i].join)
			join_free(stateful->steps[i].join);
		if (stateful->steps[i].asof)
			asof_free(stateful->steps[i].asof);
		free(stateful->steps[i].scratch);
	}
}
