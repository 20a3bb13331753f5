#include "analysis/engine/compile.h"

#include "analysis/engine/group.h"
#include "analysis/engine/stateful.h"
#include "analysis/relations/occurrence.h"

#include <stddef.h>
#include <string.h>

struct view *view_new(struct partition *partition, enum view_kind kind, const struct event_type *type)
{
	struct view *view = arena_new(partition->arena, struct view);

	view->kind = kind;
	view->type = type;
	view->partition = partition;
	return view;
}

static bool view_is_call(const struct view *view)
{
	return type_is_call(view->type);
}

/* Of a choice; NULL: it is not one. */
static const struct view *other_of(const struct view *view)
{
	return view->kind == VIEW_CHOICE ? view->other : NULL;
}

static struct view *derived(const struct view *one, enum view_kind kind)
{
	struct view *view = view_new(one->partition, kind, one->type);

	view->one = (struct view *)(uintptr_t)one;
	return view;
}

const struct view *view_choice(struct node *condition, const struct view *one, const struct view *other)
{
	struct view *view = derived(one, VIEW_CHOICE);

	view->condition = condition;
	view->other = (struct view *)(uintptr_t)other;
	if (other->type != one->type)
		view->type = NULL;
	return view;
}

const struct view *view_gathered(const struct view *one, struct node *index,
                                 const struct row_selection *selection)
{
	struct view *view = derived(one, VIEW_GATHERED);

	view->index = index;
	view->selection = selection;
	return view;
}

/* A fact of a gathered call is looked up after gathering, so that several facts share it. */
static struct node *gathered(const struct view *view, struct node *one, union word absent)
{
	const struct engine *engine = view->partition->engine;
	union word nowhere = facts_word(engine->nowhere);

	if (one->kind != NODE_FACT || one->is_real || is_derived(&engine->facts, one->number))
		return group_gather(view->index, one, view->selection, absent);
	return node_fact(group_gather(view->index, one->args[0], view->selection, nowhere), one->number,
	                 one->is_real);
}

/* `one` and `other` in the view; `absent` is the value if there is no row. */
static struct node *through(const struct view *view, struct node *one, struct node *other, union word absent)
{
	bool is_real = one && other && (one->is_real || other->is_real);

	if (!one || (view->kind == VIEW_CHOICE && !other))
		return NULL;
	switch (view->kind) {
	case VIEW_CHOICE:
		return node_vector(view->partition->graph, is_real ? VECTOR_REAL_CHOOSE : VECTOR_CHOOSE,
		                   (struct node *[]){view->condition, one, other});
	case VIEW_GATHERED:
		return gathered(view, one, absent);
	case VIEW_PORT:
		return port_carry(view->port, view->space, one, view->flag);
	case VIEW_PICKED:
		return pick_column(view->pick, one, absent);
	default:
		return one;
	}
}

static const struct view *event_through(const struct view *view, const struct view *one,
                                        const struct view *other)
{
	struct view *result;

	if (!one || (view->kind == VIEW_CHOICE && !other))
		return NULL;
	result = view_new(one->partition, view->kind, one->type);
	*result = *view;
	result->type = one->type;
	result->partition = one->partition;
	result->one = (struct view *)(uintptr_t)one;
	result->other = (struct view *)(uintptr_t)other;
	return result;
}

/* Calls */

static const uint32_t part_offsets[CALL_PARTS] = {
	[PART_FACTS] = offsetof(struct occurrence, semantics),
	[PART_START] = offsetof(struct occurrence, start),
	[PART_END] = offsetof(struct occurrence, end),
	[PART_POSITION] = offsetof(struct occurrence, position),
	[PART_WHERE] = offsetof(struct occurrence, thread),
};

_Static_assert(offsetof(struct occurrence, phase) == offsetof(struct occurrence, thread) + 4,
               "thread and phase are copied as one word");

struct node *view_part(const struct view *view, enum call_part part)
{
	struct node *one, *other;

	if (!view_is_call(view))
		return view_part(view_call(view), part);
	if (view->kind == VIEW_CALL) {
		return table_input(view->table, part == PART_FACTS ? INPUT_FACTS : INPUT_WORD, view->part,
		                   view->offset + part_offsets[part]);
	}
	one = view_part(view->one, part);
	other = other_of(view) ? view_part(other_of(view), part) : NULL;
	return through(view, one, other,
	               part == PART_FACTS ? facts_word(view->partition->engine->nowhere)
	                                  : absent_word(one->is_real));
}

struct call_nodes view_parts(const struct view *view)
{
	struct call_nodes call;

	for (uint32_t i = 0; i < CALL_PARTS; i++)
		call.parts[i] = i == PART_POSITION ? NULL : view_part(view, (enum call_part)i);
	return call;
}

static struct node *call_fact(const struct view *view, enum fact_kind kind, uint32_t number)
{
	return node_fact(view_part(view, PART_FACTS),
	                 fact_slot(&view->partition->engine->facts, kind, number), false);
}

static struct node *two(const struct view *view, enum vector vector, struct node *a, struct node *b)
{
	return node_vector(view->partition->graph, vector, (struct node *[]){a, b});
}

struct node *view_identity(const struct view *view)
{
	struct node *place, *moment;

	if (!view_is_call(view))
		return view_identity(view_call(view));
	place = two(view, VECTOR_JOIN_HALVES, call_fact(view, FACT_COLUMN, CALL_COLUMN_PROCESS),
	            view_part(view, PART_WHERE));
	moment = two(view, VECTOR_MIX, view_part(view, PART_START), view_part(view, PART_END));
	return two(view, VECTOR_MIX, two(view, VECTOR_MIX, place, view_part(view, PART_POSITION)), moment);
}

static void look_up_region(struct node *node, const struct row_selection *selection)
{
	const struct engine *engine = node->owner;
	const union word *phase = node_values(node->args[0], selection);

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		node->column[row].i = engine->region(engine->context, (uint32_t)phase[row].i);
	}
}

/* The number of a node. */
enum delay_kind { DELAY, WAITED_DELAY, EXIT_DELAY };

static void look_up_delay(struct node *node, const struct row_selection *selection)
{
	const struct engine *engine = node->owner;
	int64_t (*const delays[])(void *, uint32_t, uint32_t, int64_t) = {
		[DELAY] = engine->delay,
		[WAITED_DELAY] = engine->waited_delay,
		[EXIT_DELAY] = engine->exit_delay,
	};
	const union word *when = node_values(node->args[2], selection), *process = NULL, *where = NULL;

	/* Most runs have no propagated delay. */
	if (engine->delay) {
		process = node_values(node->args[0], selection);
		where = node_values(node->args[1], selection);
	}
	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		if (when[row].i == ABSENT || !engine->delay)
			node->column[row].i = when[row].i == ABSENT ? ABSENT : 0;
		else
			node->column[row].i = delays[node->number](engine->context, (uint32_t)process[row].i,
			                                           (uint32_t)where[row].i, when[row].i);
	}
}

static struct node *call_delay(const struct view *view, enum call_part part, enum delay_kind kind)
{
	struct node *when = view_part(view, part);

	view->partition->engine->wants_delays = true;
	return node_filled(&(struct node){.kind = NODE_FILLED,
	                                  .space = when->space,
	                                  .fill = look_up_delay,
	                                  .number = kind,
	                                  .owner = view->partition->engine,
	                                  .args = {call_fact(view, FACT_COLUMN, CALL_COLUMN_PROCESS),
	                                           view_part(view, PART_WHERE), when}});
}

static struct node *call_column(const struct view *view, enum call_column column)
{
	struct node *where, *phase;

	switch (column) {
	case CALL_COLUMN_REGION:
		phase = call_column(view, CALL_COLUMN_PHASE);
		return node_filled(&(struct node){.kind = NODE_FILLED,
		                                  .space = phase->space,
		                                  .fill = look_up_region,
		                                  .owner = view->partition->engine,
		                                  .args = {phase}});
	case CALL_COLUMN_DELAY:
		return call_delay(view, PART_START, DELAY);
	case CALL_COLUMN_END_DELAY:
		return call_delay(view, PART_END, DELAY);
	case CALL_COLUMN_WAITED_DELAY:
		return call_delay(view, PART_START, WAITED_DELAY);
	case CALL_COLUMN_EXIT_DELAY:
		return call_delay(view, PART_END, EXIT_DELAY);
	case CALL_COLUMN_START:
		return view_part(view, PART_START);
	case CALL_COLUMN_END:
		return view_part(view, PART_END);
	case CALL_COLUMN_DURATION:
		return two(view, VECTOR_SUBTRACT, view_part(view, PART_END), view_part(view, PART_START));
	case CALL_COLUMN_POSITION:
		return view_part(view, PART_POSITION);
	case CALL_COLUMN_ID:
		return view_identity(view);
	case CALL_COLUMN_PHASE:
		where = view_part(view, PART_WHERE);
		return node_vector(view->partition->graph, VECTOR_HIGH_HALF, &where);
	case CALL_COLUMN_THREAD:
		return two(view, VECTOR_JOIN_HALVES, call_fact(view, FACT_COLUMN, CALL_COLUMN_PROCESS),
		           view_part(view, PART_WHERE));
	default:
		return call_fact(view, FACT_COLUMN, column);
	}
}

struct node *view_param(const struct view *view, const char *name, bool is_real)
{
	struct engine *engine = view->partition->engine;
	uint32_t number = (uint32_t)engine->text_number(engine->context, name);

	return node_fact(view_part(view, PART_FACTS), fact_slot(&engine->facts, FACT_PARAM, number), is_real);
}

/* Rows of relations */

static void note_estimate(struct node *node, const struct row_selection *selection)
{
	const struct engine *engine = node->owner;
	const union word *from = node_values(node->args[0], selection),
			 *to = node_values(node->args[1], selection);
	const union word *bytes = node_values(node->args[2], selection);

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		node->column[row].i = engine->estimate(engine->context, facts_at(from[row])->process,
		                                       facts_at(to[row])->process, bytes[row].i);
	}
}

static struct view *relation_event(const struct view *view, const struct recipe *recipe)
{
	struct view *event = view_new(view->partition, VIEW_CALL, NULL);

	event->table = view->table;
	event->space = view->space;
	event->part = recipe->part;
	event->offset = recipe->offset;
	return event;
}

static const enum input_kind input_kinds[] = {
	[RECIPE_WORD] = INPUT_WORD, [RECIPE_UNSIGNED] = INPUT_UNSIGNED, [RECIPE_SIGNED] = INPUT_SIGNED,
	[RECIPE_BOOL] = INPUT_BOOL, [RECIPE_TEXT] = INPUT_TEXT,         [RECIPE_SERIAL] = INPUT_SERIAL,
};

static struct node *relation_column(const struct view *view, enum native_column column)
{
	const struct recipe *recipe = &recipes[column];
	struct node *from;

	switch (recipe->kind) {
	case RECIPE_EVENT:
		return view_identity(relation_event(view, recipe));
	case RECIPE_CALL:
		return call_column(relation_event(view, &recipes[recipe->event]), recipe->call);
	case RECIPE_SENT:
	case RECIPE_MOVED:
		return call_fact(relation_event(view, &recipes[recipe->event]), FACT_BYTES,
		                 recipe->kind == RECIPE_MOVED);
	case RECIPE_ENVELOPE:
		return call_fact(relation_event(view, &recipes[recipe->event]), FACT_ENVELOPE, recipe->field);
	case RECIPE_WILDCARD:
		return call_fact(relation_event(view, &recipes[recipe->event]), FACT_WILDCARD, 0);
	case RECIPE_EAGER:
		return call_fact(relation_event(view, &recipes[recipe->event]), FACT_EAGER, 0);
	case RECIPE_ESTIMATE:
		view->partition->engine->has_estimates = true;
		from = view_part(relation_event(view, &recipes[recipe->event]), PART_FACTS);
		return node_filled(&(struct node){
			.kind = NODE_FILLED,
			.space = from->space,
			.fill = note_estimate,
			.owner = view->partition->engine,
			.args = {from, view_part(relation_event(view, &recipes[recipe->other]), PART_FACTS),
		                 relation_column(view, NATIVE_TRANSFER_BYTES)}});
	default:
		return table_input(view->table, input_kinds[recipe->kind], recipe->part, recipe->offset);
	}
}

static struct scope scope_of(const struct view *view)
{
	struct scope scope = {.partition = view->partition, .self = view};

	scope.table = view->kind == VIEW_TABLE ? view->table : NULL;
	scope.members = scope.table ? (const struct view *const *)scope.table->members : NULL;
	return scope;
}

struct node *view_column(const struct view *view, uint32_t column)
{
	const struct column *own = view->type ? &view->type->columns[column] : NULL;
	struct scope scope = scope_of(view);
	struct node *one, *other;

	if (view_is_call(view)) {
		scope.members = &view;
		if (!own || !own->value)
			return call_column(view, own ? own->native : column);
		/* Columns that a rule declares for calls of some functions. */
		return view->type->prototype ? view_param(view, own->name, own->type.is_real)
		                             : compile(own->value, &scope);
	}
	if (view->kind == VIEW_RELATION)
		return relation_column(view, own->native);
	if (view->kind == VIEW_TABLE) {
		struct table *table = view->table;

		/* Others may be made of it many times. */
		if (!table->columns)
			table->columns = arena_array(table->partition->arena, struct node *,
			                             view->type->column_count);
		if (!table->columns[column])
			table->columns[column] = compile(own->value, &scope);
		return table->columns[column];
	}
	one = view_column(view->one, column);
	other = other_of(view) ? view_column(other_of(view), column) : NULL;
	return through(view, one, other, one ? absent_word(one->is_real) : (union word){.i = ABSENT});
}

const struct view *view_event(const struct view *view, uint32_t column)
{
	struct scope scope = scope_of(view);

	if (view->kind == VIEW_RELATION)
		return relation_event(view, &recipes[view->type->columns[column].native]);
	if (view->kind == VIEW_TABLE) {
		struct table *table = view->table;

		if (!table->events)
			table->events = arena_array(table->partition->arena, const struct view *,
			                            view->type->column_count);
		if (!table->events[column])
			table->events[column] = compile_event(view->type->columns[column].value, &scope);
		return table->events[column];
	}
	if (view_is_call(view)) {
		scope.members = &view;
		return compile_event(view->type->columns[column].value, &scope);
	}
	return event_through(view, view_event(view->one, column),
	                     other_of(view) ? view_event(other_of(view), column) : NULL);
}

/* Which call to charge */

/* A column that is an event, or an instant. `name` NULL: any name. */
static bool find_column(const struct event_type *type, bool is_instant, const char *name, uint32_t *column)
{
	for (uint32_t i = 0; i < type->column_count; i++) {
		struct type of = type->columns[i].type;
		*column = i;
		if ((is_instant ? of.is_instant : of.base == TYPE_EVENT) &&
		    (!name || strcmp(type->columns[i].name, name) == 0))
			return true;
	}
	return false;
}

/* A member of a composite, through all views between them. */
static const struct view *member_view(const struct view *view, uint32_t member)
{
	if (view->kind == VIEW_TABLE)
		return view->table->members[member];
	return event_through(view, member_view(view->one, member),
	                     other_of(view) ? member_view(other_of(view), member) : NULL);
}

const struct view *view_call(const struct view *view)
{
	uint32_t column;

	if (!view->type || view_is_call(view))
		return view;
	if (view->type->form == FORM_NATIVE) {
		enum native_column at = relation_infos[view->type->relation].at;

		for (uint32_t i = 0; i < view->type->column_count; i++)
			if (view->type->columns[i].native == at)
				return view_event(view, i);
		return NULL;
	}
	if (find_column(view->type, false, "at", &column) ||
	    (view->type->form != FORM_JOIN && find_column(view->type, false, NULL, &column)))
		return view_call(view_event(view, column));
	return view_call(member_view(view, 0));
}

struct node *view_time(const struct view *view, bool is_end)
{
	uint32_t column;

	if (!view_is_call(view) && find_column(view->type, true, is_end ? "end" : "start", &column))
		return view_column(view, column);
	return view_part(view_call(view), is_end ? PART_END : PART_START);
}

void view_calls(const struct view *view, struct call_nodes **calls, uint32_t *count)
{
	const struct event_type *type = view->type;

	if (!type || view_is_call(view)) {
		arena_add(view->partition->arena, *calls, *count, view_parts(view));
		return;
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		if (type->columns[i].type.base == TYPE_EVENT && type->form != FORM_JOIN)
			view_calls(view_event(view, i), calls, count);
	for (uint32_t i = 0; i < type->member_count && type->form == FORM_JOIN; i++)
		view_calls(member_view(view, i), calls, count);
}
