#include "output/exchange/otf2_nodes.h"

#include "base/memory.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

static struct node *add_node(struct nodes *nodes)
{
	if (nodes->count == nodes->room) {
		nodes->room = nodes->room ? nodes->room * 2 : 1024;
		nodes->at = memory_grow(nodes->at, nodes->room, sizeof *nodes->at);
	}
	nodes->at[nodes->count] = (struct node){0};
	return &nodes->at[nodes->count++];
}

/* A record that is no event happened when the last event ended, unless it knows better. */
static void add_line(struct nodes *nodes, const struct stream *stream, const struct item *item,
                     struct thread_info *thread, struct arena *arena)
{
	uint64_t tick = nodes->count ? nodes->at[nodes->count - 1].event.end : 0;
	struct text line = {0};
	struct node *node;

	text_add_item(&line, stream, item, thread);
	if (!line.length)
		return;
	node = add_node(nodes);
	node->kind = item->kind;
	node->line = arena_bytes_as_text(arena, line.bytes, line.length - 1);
	node->event.start = node->event.end = item->kind == RECORD_BLIND   ? item->blind.tick
	                                      : item->kind == RECORD_PAUSE ? item->pause.tick
	                                                                   : tick;
	text_release(&line);
}

/* Whether the call that ends later was under way when this one was made. */
static bool lies_in(const struct event *inner, const struct event *outer)
{
	return inner->start >= outer->start && inner->end <= outer->end && inner->end > outer->start;
}

/* `roots` are nodes that no other is known to lie around, with the place where the first inside them begins. */
static void nest(struct nodes *nodes)
{
	struct {
		size_t node, begin;
	} *roots = memory_new(nodes->count + 1, sizeof *roots);
	size_t depth = 0;

	nodes->entered = memory_new(nodes->count + 1, sizeof *nodes->entered);
	for (size_t i = 0; i < nodes->count; i++)
		nodes->entered[i] = NO_NODE;
	for (size_t i = 0; i < nodes->count; i++) {
		size_t begin = i;
		while (depth && lies_in(&nodes->at[roots[depth - 1].node].event, &nodes->at[i].event))
			begin = roots[--depth].begin;
		roots[depth].node = i;
		roots[depth++].begin = begin;
		nodes->at[i].next_entered = nodes->entered[begin];
		nodes->entered[begin] = i;
	}
	free(roots);
}

void nodes_load(struct nodes *nodes, struct reader *reader, struct stream *stream, struct arena *arena)
{
	struct thread_info thread = stream->thread;
	struct event_iter iter;
	struct item item;

	*nodes = (struct nodes){0};
	reader_events(reader, stream, &iter);
	while (reader_next_item(&iter, &item)) {
		if (item.kind == ITEM_EVENT)
			add_node(nodes)->event = item.event;
		else
			add_line(nodes, stream, &item, &thread, arena);
	}
	nest(nodes);
}

void nodes_release(struct nodes *nodes)
{
	free(nodes->at);
	free(nodes->entered);
	*nodes = (struct nodes){0};
}
