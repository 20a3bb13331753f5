#include "analysis/engine/rule_owners.h"

#include "analysis/relations/rows.h"

bool relation_is_sent(enum relation relation)
{
	return relation == RELATION_SITE || relation == RELATION_CALL_PAIR;
}

bool relation_is_only_leaders(enum relation relation)
{
	return relation == RELATION_COLLECTIVE_CALL || relation == RELATION_NEIGHBOUR_CALL;
}

static bool relation_is_leaders(enum relation relation)
{
	return relation_is_sent(relation) || relation_is_only_leaders(relation);
}

/* Traces that sessions divide have no such rows: session_is_shareable(). */
static bool relation_is_absent(enum relation relation)
{
	switch (relation) {
	case RELATION_EXPOSURE:
	case RELATION_ACCESS_EPOCH:
	case RELATION_FENCE:
	case RELATION_LOCK_HOLD:
	case RELATION_MUTEX_HOLD:
	case RELATION_THREAD_FENCE:
	case RELATION_PASSIVE_CALL:
	case RELATION_ACCESS:
	case RELATION_PARTITIONED_SEND:
	case RELATION_FILE_USE:
	case RELATION_PHASE_TIME:
		return true;
	default:
		return false;
	}
}

static bool are_of_upc(const char *const *functions)
{
	for (; *functions; functions++) {
		const struct call_info *info = call_find(*functions);
		if (!info || !call_is_pgas(info))
			return false;
	}
	return true;
}

/* Operators */

/* The relation or operator whose rows a table has. */
static const struct table *base_of(const struct table *table)
{
	while (table->source)
		table = table->source;
	return table;
}

/* Calls of these rows do not occur in traces that sessions divide. */
static bool gets_nothing(const struct table *table)
{
	bool is_absent = false;

	for (; table->source; table = table->source)
		is_absent |= table->type && table->type->form == FORM_CALL && table->type->functions &&
		             are_of_upc(table->type->functions);
	return is_absent || (table->kind == TABLE_RELATION && relation_is_absent(table->batch->relation));
}

/* The sessions that have the rows of a port. */
static enum rule_owner owner_of_rows(const struct port *port)
{
	const struct table *base = base_of(port->source);

	if (base->stateful)
		return base->stateful->owner;
	return relation_is_only_leaders(base->batch->relation) ? OWNER_LEADER : OWNER_EACH;
}

/* The semantics of a call of the process that owns the row. */
static bool is_owners_call(const struct input_column *column, enum relation relation)
{
	const enum native_column at = relation_infos[relation].at;
	const bool is_call = at == NATIVE_COLUMNS_END;

	if (column->kind != INPUT_FACTS)
		return false;
	if (relation == RELATION_CALL_PAIR &&
	    column->offset == offsetof(struct call_pair, previous) + offsetof(struct occurrence, semantics))
		return true;
	return column->part == (is_call ? PART_ROW : recipes[at].part) &&
	       column->offset == (is_call ? 0 : recipes[at].offset) + offsetof(struct occurrence, semantics);
}

static bool is_owner(const struct node *node, const struct table *table, bool is_facts);

/* Of several values. The identity of a call or of a thread is mixed from the process and other values. */
static bool vector_is_owner(const struct node *node, const struct table *table, bool is_facts)
{
	if (node->vector == VECTOR_CHOOSE)
		return is_owner(node->args[1], table, is_facts) && is_owner(node->args[2], table, is_facts);
	if (!is_facts && (node->vector == VECTOR_MIX || node->vector == VECTOR_JOIN_HALVES))
		return is_owner(node->args[0], table, false) || is_owner(node->args[1], table, false);
	return false;
}

/* True if the node is the process, or the facts of the call, that determines to which session a row
 * belongs. */
static bool is_owner(const struct node *node, const struct table *table, bool is_facts)
{
	const struct table *base = base_of(table);

	while (node->kind == NODE_BROADCAST)
		node = node->args[0];
	if (node->kind == NODE_VECTOR)
		return vector_is_owner(node, table, is_facts);
	if (!is_facts && node->kind == NODE_FACT)
		return node->number == FACT_PROCESS && is_owner(node->args[0], table, true);
	if (base->kind == TABLE_RELATION)
		return is_facts && node->kind == NODE_INPUT &&
		       is_owners_call(&base->batch->columns[node->number], base->batch->relation);
	if (node->kind != NODE_COLUMN)
		return false;
	if (base->stateful->steps) {
		const struct column_origin *origin = &base->stateful->origins[node->number];
		const struct port *port = base->stateful->ports[origin->port];
		return owner_of_rows(port) == OWNER_EACH &&
		       is_owner(port->carried[origin->index], port->source, is_facts);
	} else {
		const struct key_aggregate *picked = &base->stateful->aggregates[node->number];
		return (picked->aggregate == AGGREGATE_FIRST || picked->aggregate == AGGREGATE_LAST) &&
		       !picked->filter &&
		       is_owner(picked->result, base->stateful->ports[0]->source, is_facts);
	}
}

/* Inputs of operators */

static bool have_all(enum rule_owner owner)
{
	return owner == OWNER_ALL_TOGETHER || owner == OWNER_ALL;
}

/* A member must be of the same process as the earlier members. */
static bool joins_one(const struct stateful *stateful, const struct port *port)
{
	for (uint32_t i = 0; i < port->key_count; i++) {
		const struct column_origin *origin =
			&stateful->origins[stateful->steps[port->number].left_keys[i]];
		const struct port *left = stateful->ports[origin->port];
		if (owner_of_rows(left) == OWNER_EACH && is_owner(port->keys[i], port->source, false) &&
		    is_owner(left->carried[origin->index], left->source, false))
			return true;
	}
	return false;
}

/* Each session joins the rows of its ranks with each other, and with rows that all sessions have. */
static bool joins_own(const struct stateful *stateful)
{
	bool any = false;

	for (uint32_t i = 0; i < stateful->port_count; i++) {
		const struct port *port = stateful->ports[i];
		if (owner_of_rows(port) == OWNER_EACH) {
			if (any && !joins_one(stateful, port))
				return false;
			any = true;
		} else if (!port->is_shared || stateful->steps[i].is_asof) {
			return false;
		}
	}
	return true;
}

static bool groups_one(const struct port *port)
{
	for (uint32_t i = 0; i < port->key_count; i++)
		if (is_owner(port->keys[i], port->source, false))
			return true;
	return false;
}

/* Groups of all ranks */

/* Rows arrive rank by rank. */
static bool is_by_rank(const struct table *table)
{
	const struct table *base = base_of(table);

	if (!base->stateful)
		return base->batch->relation == RELATION_SITE;
	return base->type->form == FORM_GROUP && base->stateful->owner == OWNER_EACH &&
	       is_by_rank(base->stateful->ports[0]->source);
}

/* Numbers of texts differ between sessions. Those of places are equal: shared_places_number(). */
static bool fact_means_same(const struct engine *engine, uint32_t number)
{
	const struct fact_plan *plan = &engine->facts;
	const struct fact_list *list = number < FACT_SLOTS       ? &plan->common
	                               : number < 2 * FACT_SLOTS ? &plan->loose
	                                                         : &plan->own;
	const struct fact_slot *slot = &list->slots[number % FACT_SLOTS];

	if (number == FACT_PROCESS)
		return true;
	switch (slot->kind) {
	case FACT_COLUMN:
		return slot->number != CALL_COLUMN_FUNCTION && slot->number != CALL_COLUMN_MODE &&
		       slot->number != CALL_COLUMN_MOVES && slot->number != CALL_COLUMN_COMPLETES;
	case FACT_WILDCARD:
	case FACT_BYTES:
	case FACT_ENVELOPE:
	case FACT_EAGER:
		return true;
	default:
		return false;
	}
}

/* A value means the same in all sessions: it does not point to memory of a session, and is not a number that a session has assigned. */
static bool means_same(const struct node *node, const struct table *table)
{
	const struct table *base = base_of(table);

	if (node->is_truth || is_constant(node))
		return true;
	switch (node->kind) {
	case NODE_BROADCAST:
		return means_same(node->args[0], table);
	case NODE_FACT:
		return fact_means_same(table->partition->engine, node->number);
	case NODE_INPUT:
		return base->kind == TABLE_RELATION &&
		       base->batch->columns[node->number].kind != INPUT_FACTS &&
		       base->batch->columns[node->number].kind != INPUT_TEXT &&
		       base->batch->columns[node->number].kind != INPUT_SERIAL;
	case NODE_VECTOR:
		for (uint32_t i = 0; i < 3; i++)
			if (node->args[i] && !means_same(node->args[i], table))
				return false;
		return true;
	case NODE_COLUMN:
		break;
	default:
		return false;
	}
	if (!base->stateful)
		return false;
	if (base->stateful->steps) {
		const struct column_origin *origin = &base->stateful->origins[node->number];
		const struct port *port = base->stateful->ports[origin->port];
		return means_same(port->carried[origin->index], port->source);
	} else {
		const struct key_aggregate *one = &base->stateful->aggregates[node->number];
		const struct node *value = aggregate_picks(one->aggregate) ? one->result : one->value;
		return !value || means_same(value, base->stateful->ports[0]->source);
	}
}

/* All members agree in the value: it is a key. */
static bool is_key(const struct port *port, const struct node *node)
{
	for (uint32_t i = 0; i < port->key_count; i++)
		if (port->keys[i] == node)
			return true;
	return false;
}

/* The result for all ranks follows from the results for the ranks of each session. Sums of doubles depend on their order. */
static bool can_be_combined(const struct key_aggregate *one, const struct port *port)
{
	const struct table *source = port->source;

	if ((one->value && !means_same(one->value, source)) ||
	    (one->result && !means_same(one->result, source)))
		return false;
	switch (one->aggregate) {
	case AGGREGATE_SUM:
	case AGGREGATE_MEAN:
		return !one->value->is_real;
	case AGGREGATE_FIRST:
	case AGGREGATE_LAST:
		return is_by_rank(source) || (!one->filter && is_key(port, one->result));
	case AGGREGATE_ARGMIN:
	case AGGREGATE_ARGMAX:
		return is_by_rank(source);
	default:
		return one->aggregate != AGGREGATE_DISTINCT;
	}
}

static bool groups_all(const struct stateful *stateful)
{
	const struct port *port = stateful->ports[0];

	if (stateful->table->type->form != FORM_GROUP)
		return false;
	for (uint32_t i = 0; i < port->key_count; i++)
		if (!means_same(port->keys[i], port->source))
			return false;
	for (uint32_t i = 0; i < stateful->aggregate_count; i++)
		if (!can_be_combined(&stateful->aggregates[i], port))
			return false;
	return true;
}

/* Owners */

/* Considers only the operator itself and those before it. */
static enum rule_owner owner_of(const struct stateful *stateful)
{
	bool all_have_inputs = true;

	for (uint32_t i = 0; i < stateful->port_count; i++) {
		enum rule_owner owner = owner_of_rows(stateful->ports[i]);
		if (owner == OWNER_LEADER)
			return OWNER_LEADER;
		all_have_inputs &= have_all(owner);
	}
	if (all_have_inputs)
		return OWNER_ALL;
	if (stateful->steps)
		return joins_own(stateful) ? OWNER_EACH : OWNER_LEADER;
	if (groups_one(stateful->ports[0]))
		return OWNER_EACH;
	return groups_all(stateful) ? OWNER_ALL_TOGETHER : OWNER_LEADER;
}

/* An operator of the leader must get all its inputs there. */
static bool feeds_leader(const struct table *table)
{
	for (uint32_t i = 0; i < table->port_count; i++)
		if (table->ports[i]->stateful->owner == OWNER_LEADER)
			return true;
	for (uint32_t i = 0; i < table->wanted_count; i++)
		if (feeds_leader(table->wanted_by[i]))
			return true;
	return false;
}

/* All rows that it combines are at the leader. Without rows of one side, it never gives results. */
static bool is_for_leader(const struct stateful *stateful)
{
	bool are_leaders = true;

	for (uint32_t i = 0; i < stateful->port_count; i++) {
		const struct table *base = base_of(stateful->ports[i]->source);
		if (gets_nothing(stateful->ports[i]->source))
			return true;
		are_leaders = are_leaders && (base->stateful || relation_is_leaders(base->batch->relation));
	}
	return are_leaders;
}

/* Operators come after those that give them results. */
static void find_owners(struct partition *partition)
{
	bool has_changed;

	do {
		has_changed = false;
		for (uint32_t i = 0; i < partition->stateful_count; i++)
			if (partition->statefuls[i]->owner != OWNER_LEADER)
				partition->statefuls[i]->owner = owner_of(partition->statefuls[i]);
		for (uint32_t i = partition->stateful_count; i-- > 0;) {
			struct stateful *stateful = partition->statefuls[i];
			if (stateful->owner != OWNER_EACH || !feeds_leader(stateful->table))
				continue;
			stateful->owner = OWNER_LEADER;
			has_changed = true;
		}
	} while (has_changed);
}

bool rules_divide(struct rule_partitions *partitions, struct session_peers *peers)
{
	bool is_shareable = true;

	for (uint32_t i = 0; i < partitions->count; i++) {
		struct partition *partition = partitions->all[i];

		find_owners(partition);
		for (uint32_t j = 0; j < partition->stateful_count; j++)
			is_shareable &= partition->statefuls[j]->owner != OWNER_LEADER ||
			                is_for_leader(partition->statefuls[j]);
		partition->origin = peers_lead(peers) ? ROWS_OF_ALL : ROWS_OF_OWN;
		partition->peers = peers;
	}
	return is_shareable;
}

bool rules_are_elsewhere(const struct table *table)
{
	const struct table *base = base_of(table);
	const enum row_origin origin = table->partition->origin;

	if (base->kind == TABLE_RELATION)
		return origin == ROWS_OF_OTHERS;
	return origin == ROWS_OF_OWN && base->stateful && have_all(base->stateful->owner);
}

bool port_is_elsewhere(const struct port *port)
{
	const enum row_origin origin = port->stateful->partition->origin;
	const bool is_leaders = port->stateful->owner == OWNER_LEADER;

	if (origin == ROWS_OF_OTHERS && base_of(port->source)->kind == TABLE_RELATION)
		return !is_leaders;
	return origin == ROWS_OF_OWN && is_leaders;
}

void port_choose(struct port *port)
{
	struct partition *partition = port->stateful->partition;
	const struct table *base = base_of(port->source);

	if (partition->origin != ROWS_OF_OWN || base->kind != TABLE_RELATION ||
	    !relation_is_sent(base->batch->relation))
		return;
	selection_begin(&port->selection, &port->source->selection);
	conditions_apply(&port->conditions, &port->selection);
	for (uint32_t k = 0; k < port->selection.count; k++)
		partition->is_chosen[selection_row(&port->selection, k)] = true;
	partition->chosen += port->selection.count;
}

/* Sums of all sessions */

void rules_combine(struct stateful *stateful)
{
	struct session_peers *peers = stateful->partition->peers;
	struct text mine = {0}, *all;

	if (!peers || stateful->owner != OWNER_ALL_TOGETHER)
		return;
	groups_pack(stateful->groups, &mine);
	all = peers_share(peers, &mine);
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		groups_unpack(stateful->groups, &in);
	}
	peers_free_blocks(peers, all);
}
