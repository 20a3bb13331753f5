#include "analysis/engine/stateful.h"

#include "analysis/engine/list.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ports */

struct port *port_add(struct stateful *stateful, struct table *source, const struct member *member)
{
	struct port *port = arena_new(stateful->share->arena, struct port);

	port->stateful = stateful;
	port->source = source;
	port->is_shared = member->is_shared;
	port->number = stateful->port_count;
	LIST_ADD(stateful->share->arena, stateful->ports, stateful->port_count, port);
	LIST_ADD(stateful->share->arena, source->ports, source->port_count, port);
	return port;
}

uint32_t port_lane(struct port *port, struct node *node)
{
	struct stateful *stateful = port->stateful;
	struct arena *arena = stateful->share->arena;
	uint32_t lanes = port->brought_count;

	node = node_broadcast(node, port->source->space);
	for (uint32_t i = 0; i < port->brought_count; i++)
		if (port->brought[i] == node)
			return port->lanes[i];
	LIST_ADD(arena, port->brought, port->brought_count, node);
	LIST_ADD(arena, port->lanes, lanes, stateful->lane_count);
	LIST_ADD(arena, stateful->origins, stateful->lane_count,
	         ((struct lane_origin){port->number, port->brought_count - 1, 0}));
	return stateful->lane_count - 1;
}

struct node *port_bring(struct port *port, struct space *space, struct node *node, uint32_t flag)
{
	if (is_constant(node))
		return node;
	return node_column(space, port_lane(port, node) | flag, node->is_real);
}

struct node *port_key(struct port *port, struct node *node)
{
	LIST_ADD(port->stateful->share->arena, port->keys, port->key_count,
	         node_broadcast(node, port->source->space));
	return node;
}

const struct view *port_view(struct port *port, struct space *space, const struct view *view, uint32_t flag)
{
	struct view *brought = view_new(port->stateful->share, VIEW_BROUGHT, view->type);

	brought->one = (struct view *)(uintptr_t)view;
	brought->port = port;
	brought->space = space;
	brought->flag = flag;
	return brought;
}

static void put_column(struct port *port, struct node *node, uint32_t word)
{
	const struct selection *rows = &port->selection;
	uint32_t width = port->key_count + port->brought_count;
	const union word *values = is_constant(node) ? NULL : node_values(node, rows);

	for (uint32_t k = 0; k < rows->count; k++)
		port->tuples[(size_t)k * width + word] = values ? values[selection_row(rows, k)].i
		                                                : node->value.i;
}

static void open_operators(struct stateful *stateful)
{
	if (stateful->is_open)
		return;
	stateful->is_open = true;
	stateful->width = stateful->running_count ? stateful->running_count : stateful->lane_count;
	stateful->lanes = memory_new(stateful->width + 1u, sizeof *stateful->lanes);
	for (uint32_t i = 0; i < stateful->width; i++)
		stateful->lanes[i] = memory_new(GIVEN_ROWS, sizeof **stateful->lanes);
	if (stateful->steps)
		joins_open(stateful);
	else
		running_open(stateful);
}

void port_push(struct port *port)
{
	size_t words;

	selection_begin(&port->selection, &port->source->selection);
	conditions_apply(&port->conditions, &port->selection);
	if (!port->selection.count)
		return;
	open_operators(port->stateful);
	words = (size_t)port->selection.count * (port->key_count + port->brought_count + 1u);
	if (port->tuple_room < words) {
		port->tuple_room = words + words / 2;
		port->tuples = memory_grow(port->tuples, port->tuple_room, sizeof *port->tuples);
	}
	for (uint32_t i = 0; i < port->key_count; i++)
		put_column(port, port->keys[i], i);
	for (uint32_t i = 0; i < port->brought_count; i++)
		put_column(port, port->brought[i], port->key_count + i);
	if (port->stateful->steps)
		joins_add(port, port->tuples, port->selection.count);
	else
		running_add(port, port->tuples, port->selection.count);
}

void port_release(struct port *port)
{
	selection_release(&port->selection);
	free(port->tuples);
	port->tuples = NULL;
}

/* What operators give */

static void hand_on_given(struct stateful *stateful)
{
	struct table *table = stateful->table;

	if (!stateful->rows)
		return;
	space_begin(table->space, stateful->rows);
	for (struct node *lane = table->space->columns; lane; lane = lane->next_column)
		lane->column = stateful->lanes[lane->number];
	stateful->rows = 0;
	table_run(table);
}

void given_row_done(struct stateful *stateful)
{
	if (++stateful->rows == GIVEN_ROWS)
		hand_on_given(stateful);
}

void stateful_finish(struct stateful *stateful)
{
	open_operators(stateful);
	if (stateful->steps)
		joins_finish(stateful);
	else
		running_finish(stateful);
	hand_on_given(stateful);
}

/* Making and freeing */

enum status stateful_make(struct share *share, const struct event_type *type, struct table **made)
{
	struct table *table = table_new(share, TABLE_STATEFUL, type);
	struct stateful *stateful = arena_new(share->arena, struct stateful);

	table->stateful = stateful;
	table->space = space_new(share->graph, type->name);
	table->self->space = table->space;
	stateful->share = share;
	stateful->table = table;
	stateful->pair = space_new(share->graph, type->name);
	if (type->form == FORM_JOIN)
		TRY(joins_make(stateful));
	else
		TRY(running_make(stateful));
	LIST_ADD(share->arena, share->statefuls, share->stateful_count, stateful);
	*made = table;
	return OK;
}

void stateful_free(struct stateful *stateful)
{
	if (stateful->is_open && stateful->steps)
		joins_free(stateful);
	else if (stateful->is_open)
		running_free(stateful);
	for (uint32_t i = 0; i < stateful->width; i++)
		free(stateful->lanes[i]);
	free(stateful->lanes);
}

bool type_has_messages(const struct event_type *type)
{
	if (type->form == FORM_NATIVE)
		return type->relation == RELATION_TRANSFER;
	for (uint32_t i = 0; i < type->member_count; i++)
		if (type_has_messages(type->members[i].type))
			return true;
	return false;
}
