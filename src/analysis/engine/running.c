/* Groups that close at the end, and runs: figures of their members, one word each. */
#include "analysis/engine/list.h"
#include "analysis/engine/stateful.h"

#include "base/memory.h"

/* What an aggregate picks: the same member for all its columns. */
struct figure_plan {
	struct stateful *stateful;
	enum aggregate aggregate;
	struct node *value, *filter;
};

static struct node *figure(struct stateful *stateful, const struct running *wanted, bool is_real)
{
	struct running *all = stateful->runnings;

	for (uint32_t i = 0; i < stateful->running_count; i++)
		if (all[i].aggregate == wanted->aggregate && all[i].value == wanted->value &&
		    all[i].filter == wanted->filter && all[i].result == wanted->result)
			return node_column(stateful->table->space, i, is_real);
	stateful->share->engine->is_ordered |= (wanted->result || stateful->table->type->form == FORM_RUN) &&
	                                       type_has_messages(stateful->table->type);
	LIST_ADD(stateful->share->arena, stateful->runnings, stateful->running_count, *wanted);
	return node_column(stateful->table->space, stateful->running_count - 1, is_real);
}

struct node *figure_bring(struct figure_plan *plan, struct node *node, union word absent)
{
	bool is_of_any = !plan->filter && !plan->value;

	if (is_constant(node) && is_of_any)
		return node;
	return figure(plan->stateful,
	              &(struct running){plan->aggregate, plan->value, plan->filter, node, absent},
	              node->is_real);
}

static enum status find_filter(const struct expr *expr, const struct scope *inner, struct node **filter)
{
	*filter = NULL;
	if (expr->arg_count < 2 || !expr->args[1])
		return OK;
	*filter = compile(expr->args[1], inner);
	return *filter ? OK : FAILED;
}

static struct figure_plan *plan_of(const struct expr *expr, const struct scope *inner)
{
	struct figure_plan *plan = arena_new(inner->share->arena, struct figure_plan);

	plan->stateful = inner->table->stateful;
	plan->aggregate = expr->aggregate;
	if (aggregate_has_value(expr->aggregate)) {
		plan->value = compile(expr->args[0], inner);
		if (!plan->value)
			return NULL;
	}
	return find_filter(expr, inner, &plan->filter) == OK ? plan : NULL;
}

struct node *stateful_aggregate(const struct expr *expr, const struct scope *inner, const struct expr *picked)
{
	struct figure_plan *plan = plan_of(expr, inner);
	struct node *node;

	if (!plan)
		return NULL;
	if (!picked)
		return figure(plan->stateful,
		              &(struct running){plan->aggregate, plan->value, plan->filter, NULL, {.i = 0}},
		              aggregate_gives_real(plan->aggregate, plan->value && plan->value->is_real));
	node = compile(picked, inner);
	return node ? figure_bring(plan, node, absent_word(node->is_real)) : NULL;
}

static const struct view *figured_view(struct figure_plan *plan, const struct view *one)
{
	struct view *view = view_new(one->share, VIEW_FIGURED, one->type);

	view->one = (struct view *)(uintptr_t)one;
	view->figure = plan;
	return view;
}

const struct view *stateful_event_aggregate(const struct expr *expr, const struct scope *inner,
                                            const struct expr *picked)
{
	struct figure_plan *plan = plan_of(expr, inner);
	const struct view *view = plan ? compile_event(picked, inner) : NULL;

	return view ? figured_view(plan, view) : NULL;
}

/* Making */

static enum status make_keys(struct stateful *stateful, const struct scope *inner)
{
	const struct event_type *type = stateful->table->type;

	for (uint32_t i = 0; i < type->key_count; i++) {
		struct node *key = compile(type->keys[i], inner);
		if (!key)
			return FAILED;
		port_key(stateful->ports[0], key);
	}
	return OK;
}

/* What a member is outside of aggregates: any, as those of a group agree in their keys. */
static struct view *first_member(struct stateful *stateful, const struct view *member)
{
	struct figure_plan *plan = arena_new(stateful->share->arena, struct figure_plan);

	*plan = (struct figure_plan){.stateful = stateful, .aggregate = AGGREGATE_FIRST};
	return (struct view *)(uintptr_t)figured_view(plan, member);
}

static enum status make_going_on(struct stateful *stateful, const struct view *member)
{
	struct port *port = stateful->ports[0];
	const struct view *current = port_view(port, stateful->pair, member, 0);
	struct scope scope = {.share = stateful->share,
	                      .members = &current,
	                      .previous = port_view(port, stateful->pair, member, PREVIOUS_LANE)};

	return compile_conditions(stateful->table->type->while_condition, &scope, &stateful->going_on);
}

enum status running_make(struct stateful *stateful)
{
	struct table *table = stateful->table, *source;
	const struct member *member = &table->type->members[0];
	struct arena *arena = stateful->share->arena;
	struct port *port;
	struct scope inner, outer;

	TRY(table_get(stateful->share, member->type, &source));
	port = port_add(stateful, source, member);
	table->inner = arena_array(arena, struct view *, 1);
	table->members = arena_array(arena, struct view *, 1);
	table->inner[0] = source->self;
	table->members[0] = first_member(stateful, source->self);
	inner = (struct scope){.share = stateful->share,
	                       .table = table,
	                       .members = (const struct view *const *)table->inner};
	outer = (struct scope){.share = stateful->share,
	                       .table = table,
	                       .self = table->self,
	                       .members = (const struct view *const *)table->members};
	TRY(make_keys(stateful, &inner));
	TRY(compile_conditions(member->where, &inner, &port->conditions));
	conditions_push_down(source, &port->conditions, true);
	TRY(make_going_on(stateful, source->self));
	figure(stateful, &(struct running){.aggregate = AGGREGATE_COUNT}, false);
	return compile_conditions(table->type->when, &outer, &table->conditions);
}

/* Running */

static bool goes_on(void *context, const int64_t *previous, const int64_t *current)
{
	struct stateful *stateful = context;
	struct space *pair = stateful->pair;
	uint32_t keys = stateful->ports[0]->key_count;

	space_begin(pair, 1);
	for (struct node *lane = pair->columns; lane; lane = lane->next_column) {
		const int64_t *tuple = lane->number & PREVIOUS_LANE ? previous : current;
		uint32_t index = stateful->origins[lane->number & ~PREVIOUS_LANE].index;
		lane->column = (union word *)(uintptr_t)&tuple[keys + index];
	}
	for (uint32_t i = 0; i < stateful->going_on.count; i++) {
		struct node *condition = stateful->going_on.nodes[i];
		if (is_constant(condition) ? !condition->value.i : !node_values(condition, &pair->all)->i)
			return false;
	}
	return true;
}

static void put(void *context, const int64_t *result)
{
	struct stateful *stateful = context;
	uint32_t keys = stateful->ports[0]->key_count;

	for (uint32_t i = 0; i < stateful->running_count; i++)
		stateful->lanes[i][stateful->rows].i = result[keys + i];
	given_row_done(stateful);
}

static uint32_t word_of(struct port *port, struct node *node)
{
	uint32_t lane = node ? port_lane(port, node) : 0;

	return node ? port->key_count + port->stateful->origins[lane].index : NO_WORD;
}

static struct tuple_aggregate tuple_aggregate(struct port *port, const struct running *running)
{
	return (struct tuple_aggregate){.aggregate = running->aggregate,
	                                .is_real = running->value && running->value->is_real,
	                                .value = word_of(port, running->value),
	                                .filter = word_of(port, running->filter),
	                                .result = word_of(port, running->result),
	                                .absent = running->absent};
}

/* Sites are told process by process. */
static bool comes_together(const struct port *port, const struct node *key)
{
	const struct share *share = port->stateful->share;
	const struct table *source = port->source;

	while (source->kind == TABLE_FILTER)
		source = source->source;
	return source == share->relations[RELATION_SITE] && key->kind == NODE_FACT &&
	       key->number == FACT_PROCESS;
}

static uint32_t find_together(const struct port *port)
{
	for (uint32_t i = 0; i < port->key_count; i++)
		if (comes_together(port, port->keys[i]))
			return i + 1;
	return 0;
}

void running_open(struct stateful *stateful)
{
	struct port *port = stateful->ports[0];
	uint32_t count = stateful->running_count;
	struct tuple_aggregate *aggregates = arena_array(stateful->share->arena, struct tuple_aggregate,
	                                                 count);
	bool is_group = stateful->table->type->form == FORM_GROUP;

	for (uint32_t i = 0; i < count; i++)
		aggregates[i] = tuple_aggregate(port, &stateful->runnings[i]);
	stateful->groups = groups_new(
		&(struct groups_plan){.width = port->key_count + port->brought_count,
	                              .keys = port->key_count,
	                              .aggregates = aggregates,
	                              .aggregate_count = count,
	                              .context = stateful,
	                              .continues = stateful->going_on.count ? goes_on : NULL,
	                              .put = put,
	                              .together = is_group ? find_together(port) : 0});
}

void running_add(struct port *port, const int64_t *tuples, size_t count)
{
	groups_add(port->stateful->groups, tuples, count);
}

void running_finish(struct stateful *stateful)
{
	groups_finish(stateful->groups);
}

uint64_t running_dropped(const struct stateful *stateful)
{
	return stateful->is_open ? groups_counts(stateful->groups).dropped : 0;
}

void running_free(struct stateful *stateful)
{
	groups_free(stateful->groups);
}
