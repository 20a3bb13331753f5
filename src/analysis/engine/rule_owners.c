#include "analysis/engine/rule_owners.h"

#include "analysis/engine/stateful.h"

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

/* True if the node is the process, or the facts of the call, that determines to which session a row
 * belongs. */
static bool is_owner(const struct node *node, const struct table *table, bool is_facts)
{
	const struct table *base = base_of(table);

	while (node->kind == NODE_BROADCAST)
		node = node->args[0];
	if (!is_facts && node->kind == NODE_FACT)
		return node->number == FACT_PROCESS && is_owner(node->args[0], table, true);
	if (base->kind == TABLE_RELATION) {
		const struct batch *batch = base->batch;
		const struct input_column *column = node->kind == NODE_INPUT ? &batch->columns[node->number]
		                                                             : NULL;
		enum native_column at = relation_infos[batch->relation].at;
		bool is_call = at == NATIVE_COLUMNS_END;

		return is_facts && column && column->kind == INPUT_FACTS &&
		       column->part == (is_call ? PART_ROW : recipes[at].part) &&
		       column->offset ==
		               (is_call ? 0 : recipes[at].offset) + offsetof(struct occurrence, semantics);
	}
	if (node->kind != NODE_COLUMN)
		return false;
	if (base->stateful->steps) {
		const struct column_origin *origin = &base->stateful->origins[node->number];
		const struct port *port = base->stateful->ports[origin->port];
		return is_owner(port->carried[origin->index], port->source, is_facts);
	} else {
		const struct key_aggregate *picked = &base->stateful->aggregates[node->number];
		return (picked->aggregate == AGGREGATE_FIRST || picked->aggregate == AGGREGATE_LAST) &&
		       !picked->filter &&
		       is_owner(picked->result, base->stateful->ports[0]->source, is_facts);
	}
}

/* A member must be of the same process as the earlier members. */
static bool joins_one(const struct stateful *stateful, const struct port *port)
{
	for (uint32_t i = 0; i < port->key_count; i++) {
		const struct column_origin *origin =
			&stateful->origins[stateful->steps[port->number].left_keys[i]];
		const struct port *left = stateful->ports[origin->port];
		if (is_owner(port->keys[i], port->source, false) &&
		    is_owner(left->carried[origin->index], left->source, false))
			return true;
	}
	return false;
}

static bool groups_one(const struct port *port)
{
	for (uint32_t i = 0; i < port->key_count; i++)
		if (is_owner(port->keys[i], port->source, false))
			return true;
	return false;
}

/* Considers only the operator itself and those before it. */
static bool is_of_one(const struct stateful *stateful)
{
	for (uint32_t i = 0; i < stateful->port_count; i++) {
		const struct port *port = stateful->ports[i];
		const struct table *base = base_of(port->source);
		if (base->stateful ? !base->stateful->is_of_one
		                   : relation_is_only_leaders(base->batch->relation))
			return false;
		if (stateful->steps ? i && !joins_one(stateful, port) : !groups_one(port))
			return false;
	}
	return true;
}

/* An operator of the leader must get all its inputs there. */
static bool feeds_leader(const struct table *table)
{
	for (uint32_t i = 0; i < table->port_count; i++)
		if (!table->ports[i]->stateful->is_of_one)
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

static bool divide(struct partition *partition)
{
	bool is_shareable = true;

	for (uint32_t i = 0; i < partition->stateful_count; i++)
		partition->statefuls[i]->is_of_one = is_of_one(partition->statefuls[i]);
	for (uint32_t i = partition->stateful_count; i-- > 0;) {
		struct stateful *stateful = partition->statefuls[i];
		stateful->is_of_one = stateful->is_of_one && !feeds_leader(stateful->table);
		is_shareable &= stateful->is_of_one || is_for_leader(stateful);
	}
	return is_shareable;
}

bool rules_divide(struct rule_partitions *partitions, const struct session_peers *peers)
{
	bool is_shareable = true;

	for (uint32_t i = 0; i < partitions->count; i++) {
		is_shareable &= divide(partitions->all[i]);
		partitions->all[i]->origin = peers_lead(peers) ? ROWS_OF_ALL : ROWS_OF_OWN;
	}
	return is_shareable;
}
