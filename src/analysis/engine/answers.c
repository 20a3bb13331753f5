/* Conditions that are evaluated before a row is made: conditions on one call of the row that do not depend on
 * its time, once for each distinct call; and conditions on a flag of the row. */
#include "analysis/engine/compile.h"

/* The only column of facts on which a node depends; `is_static` becomes false if it depends on anything
 * else. */
static struct node *facts_needed(struct node *node, bool *is_static)
{
	struct node *needed = NULL;

	if (node->kind == NODE_CONSTANT)
		return NULL;
	if (node->kind == NODE_FACT)
		return node->args[0];
	if (node->kind != NODE_VECTOR && node->kind != NODE_IN_SET)
		*is_static = false;
	for (uint32_t i = 0; i < 3 && node->args[i] && *is_static; i++) {
		struct node *other = facts_needed(node->args[i], is_static);
		if (needed && other && needed != other)
			*is_static = false;
		needed = needed ? needed : other;
	}
	return needed;
}

static bool is_bit_of_facts(const struct node *node)
{
	return node->kind == NODE_VECTOR && node->vector == VECTOR_BIT && node->args[0]->kind == NODE_FACT;
}

/* The same among the answers, with their column of facts. */
static struct node *moved(struct engine *engine, struct node *node)
{
	struct node *args[3] = {0};

	if (node->kind == NODE_CONSTANT)
		return node_constant(engine->answers, node->value, node->is_real);
	if (node->kind == NODE_FACT || is_bit_of_facts(node)) {
		uint32_t bit = node->kind == NODE_FACT ? VALUE_ALONE : (uint32_t)node->args[1]->value.i;
		uint32_t slot = node->kind == NODE_FACT ? node->number : node->args[0]->number;

		/* Repeated questions to facts. */
		for (uint32_t i = 0; i < engine->derived_count; i++)
			if (engine->derived_list[i].slot == slot && engine->derived_list[i].bit == bit)
				return engine->derived_list[i].value;
	}
	if (node->kind == NODE_FACT)
		return node_fact(engine->answer_facts, node->number, node->is_real);
	if (node->kind == NODE_IN_SET)
		return node_in_set(moved(engine, node->args[0]), node->owner);
	for (uint32_t i = 0; i < 3 && node->args[i]; i++)
		args[i] = moved(engine, node->args[i]);
	return node_vector(engine->answers, node->vector, args);
}

/* Values that are computed from a call's own facts. */
static bool is_of_own(const struct node *node)
{
	if (node->kind == NODE_FACT)
		return node->number >= FACT_SLOTS;
	for (uint32_t i = 0; i < 3 && node->args[i]; i++)
		if (is_of_own(node->args[i]))
			return true;
	return false;
}

/* Rows must have this bit of the source. */
static void need_bit(struct table *relation, struct conditions *conditions, enum input_kind kind,
                     const struct bit_source *source, uint32_t bit)
{
	struct node *column = node_broadcast(table_input(relation, kind, source->part, source->offset),
	                                     relation->space);
	uint64_t need = UINT64_C(1) << bit;

	conditions->need |= need;
	for (uint32_t i = 0; i < conditions->filter_count; i++) {
		if (conditions->filters[i].bits == column) {
			conditions->filters[i].need |= need;
			return;
		}
	}
	arena_add(relation->partition->arena, conditions->filters, conditions->filter_count,
	          ((struct bit_filter){column, need}));
}

/* Such answers would belong to each distinct call of each process, and could not be shared. */
static bool asks_for_whom(const struct node *node)
{
	if (node->kind == NODE_FACT)
		return fact_is_of_whom(node->number);
	for (uint32_t i = 0; i < 3 && node->args[i]; i++)
		if (asks_for_whom(node->args[i]))
			return true;
	return false;
}

static bool answer_by_call(struct table *relation, struct node *node, struct conditions *conditions)
{
	struct engine *engine = relation->partition->engine;
	struct batch *batch = relation->batch;
	bool is_static = true;
	const struct node *facts = facts_needed(node, &is_static);
	bool is_told = is_static && facts && facts->kind == NODE_INPUT && !asks_for_whom(node);
	const struct input_column *column = is_told ? &batch->columns[facts->number] : NULL;
	struct bit_source *source = column ? batch_call_bits(batch, column->part, column->offset) : NULL;
	struct node *condition;
	uint32_t bit = UINT32_MAX;

	if (!source)
		return false;
	if (source->slot == UINT32_MAX)
		source->slot = fact_slot(&engine->facts, FACT_BITS, 0);
	condition = moved(engine, node);
	for (uint32_t i = 0; i < engine->answer_count && bit == UINT32_MAX; i++)
		if (engine->answer_list[i].slot == source->slot && engine->answer_list[i].value == condition)
			bit = engine->answer_list[i].bit;
	if (bit == UINT32_MAX && batch->bit_count == BITS_MAX)
		return false;
	if (bit == UINT32_MAX) {
		bit = batch->bit_count++;
		arena_add(&engine->arena, engine->answer_list, engine->answer_count,
		          ((struct answer){source->slot, bit, condition, is_of_own(condition)}));
	}
	need_bit(relation, conditions, INPUT_CALL_BITS, source, bit);
	return true;
}

static bool is_yes_or_no(const struct node *node)
{
	if (node->kind != NODE_VECTOR)
		return node->kind == NODE_IN_SET;
	return (node->vector >= VECTOR_EQUAL && node->vector <= VECTOR_REAL_LESS_EQUAL) ||
	       (node->vector >= VECTOR_AND && node->vector <= VECTOR_BIT);
}

static const struct answer *derive(struct engine *engine, struct node *value)
{
	struct answer derived = {0, VALUE_ALONE, value, is_of_own(value)};

	for (uint32_t i = 0; i < engine->derived_count; i++)
		if (engine->derived_list[i].value == value)
			return &engine->derived_list[i];
	if (is_yes_or_no(value)) {
		struct truth_word *word = &engine->truths[derived.is_early];

		/* A bit of a word that partitions share; early values have a separate word. */
		if (!word->count)
			word->slot = fact_slot(&engine->facts, FACT_DERIVED, 0);
		derived.slot = word->slot;
		derived.bit = word->count;
		word->count = (word->count + 1) % BITS_MAX;
	} else
		derived.slot = fact_slot(&engine->facts, FACT_DERIVED, 0);
	arena_add(&engine->arena, engine->derived_list, engine->derived_count, derived);
	return &engine->derived_list[engine->derived_count - 1];
}

struct node *answered_once(struct partition *partition, struct node *node)
{
	bool is_static = true;
	struct node *facts = facts_needed(node, &is_static), *fact;
	const struct answer *derived;

	if (!facts || !is_static || node->kind == NODE_FACT || is_bit_of_facts(node))
		return node;
	/* Values of private facts would distinguish calls that are otherwise equal. */
	if (is_of_own(node) && (!is_yes_or_no(node) || asks_for_whom(node)))
		return node;
	derived = derive(partition->engine, moved(partition->engine, node));
	fact = node_fact(facts, derived->slot, node->is_real);
	if (derived->bit == VALUE_ALONE)
		return fact;
	return node_vector(partition->graph, VECTOR_BIT,
	                   (struct node *[]){fact, node_whole(partition->graph, derived->bit)});
}

/* A flag, or that it is not set. */
static bool answer_by_flag(struct table *relation, struct node *node, struct conditions *conditions)
{
	struct batch *batch = relation->batch;
	bool is_negated = node->kind == NODE_VECTOR && node->vector == VECTOR_NOT;
	const struct node *flag = is_negated ? node->args[0] : node;
	const struct input_column *column = flag->kind == NODE_INPUT ? &batch->columns[flag->number] : NULL;
	struct bit_source *source = column && column->kind == INPUT_BOOL
	                                    ? batch_flag_bits(batch, column->part, column->offset)
	                                    : NULL;
	uint32_t bit;

	if (!source || (!source->given[is_negated] && batch->bit_count == BITS_MAX))
		return false;
	if (!source->given[is_negated]) {
		bit = batch->bit_count++;
		source->given[is_negated] = bit + 1;
		source->flags[is_negated] &= ~(UINT64_C(1) << bit);
	}
	need_bit(relation, conditions, INPUT_FLAG_BITS, source, source->given[is_negated] - 1);
	return true;
}

static void answer_by(bool (*answer)(struct table *, struct node *, struct conditions *),
                      struct table *relation, struct conditions *conditions)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < conditions->count; i++) {
		struct node *node = conditions->nodes[i];
		bool is_of_rows = node->space == relation->space || node->space == relation->groups;
		if (!is_of_rows || !answer(relation, node, conditions))
			conditions->nodes[kept++] = node;
	}
	conditions->count = kept;
}

/* Flags first: to look at them is cheaper. */
void answer_conditions(struct table *relation, struct conditions *conditions)
{
	answer_by(answer_by_flag, relation, conditions);
	answer_by(answer_by_call, relation, conditions);
}
