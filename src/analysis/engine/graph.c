#include "analysis/engine/graph.h"

#include "analysis/engine/facts.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct graph *graph_new(void)
{
	struct graph *graph = memory_new(1, sizeof *graph);

	for (int i = 0; i < 2; i++)
		graph->truths[i] = node_whole(graph, i);
	return graph;
}

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	for (struct node *node = graph->newest; node; node = node->older)
		if (node->room && !is_constant(node))
			free(node->column);
	arena_release(&graph->arena);
	free(graph);
}

struct space *space_new(struct graph *graph, const char *name)
{
	struct space *space = arena_new(&graph->arena, struct space);

	*space = (struct space){.name = name, .graph = graph, .next = graph->spaces};
	graph->spaces = space;
	return space;
}

void space_begin(struct space *space, uint32_t rows)
{
	space->stamp++;
	space->all.count = rows;
}

/* Nodes */

static uint32_t bucket_of(const struct node *node)
{
	uint64_t hash = hash_word(hash_word(node->kind, node->vector), node->number);

	hash = hash_word(hash_word(hash, (uint64_t)node->value.i), (uintptr_t)node->owner);
	hash = hash_word(hash_word(hash, (uintptr_t)node->space), node->is_real);
	for (int i = 0; i < 3; i++)
		hash = hash_word(hash, (uintptr_t)node->args[i]);
	return hash_fold(hash) % GRAPH_BUCKETS;
}

static bool is_truth(const struct node *node)
{
	bool is_operation = node->kind == NODE_VECTOR;

	if (node->kind == NODE_CONSTANT)
		return !node->is_real && (node->value.i == 0 || node->value.i == 1);
	if (node->kind == NODE_BROADCAST)
		return node->args[0]->is_truth;
	if (is_operation && (node->vector == VECTOR_AND || node->vector == VECTOR_OR))
		return node->args[0]->is_truth && node->args[1]->is_truth;
	if (is_operation && node->vector == VECTOR_CHOOSE)
		return node->args[1]->is_truth && node->args[2]->is_truth;
	if (is_operation)
		return node->vector == VECTOR_NOT || node->vector == VECTOR_BIT ||
		       (node->vector >= VECTOR_EQUAL && node->vector <= VECTOR_REAL_LESS_EQUAL);
	return node->kind == NODE_IN_SET || node->is_truth;
}

static struct node *node_intern(struct graph *graph, const struct node *wanted)
{
	struct node **bucket = &graph->buckets[bucket_of(wanted)];
	struct node *node;

	for (node = *bucket; node; node = node->next)
		if (node->kind == wanted->kind && node->vector == wanted->vector &&
		    node->is_real == wanted->is_real && node->number == wanted->number &&
		    node->value.i == wanted->value.i && node->fill == wanted->fill &&
		    node->owner == wanted->owner && node->space == wanted->space &&
		    memcmp(node->args, wanted->args, sizeof node->args) == 0)
			return node;
	node = arena_new(&graph->arena, struct node);
	*node = *wanted;
	node->is_truth = is_truth(node);
	node->next = *bucket;
	node->older = graph->newest;
	*bucket = graph->newest = node;
	return node;
}

struct node *node_constant(struct graph *graph, union word value, bool is_real)
{
	return node_intern(
		graph,
		&(struct node){.kind = NODE_CONSTANT, .value = value, .is_real = is_real, .owner = graph});
}

struct node *node_whole(struct graph *graph, int64_t value)
{
	return node_constant(graph, (union word){.i = value}, false);
}

struct node *node_column(struct space *space, uint32_t number, bool is_real)
{
	struct node *node = node_intern(
		space->graph,
		&(struct node){.kind = NODE_COLUMN, .space = space, .number = number, .is_real = is_real});

	if (!node->is_listed) {
		node->is_listed = true;
		node->next_column = space->columns;
		space->columns = node;
	}
	return node;
}

struct node *node_fact(struct node *facts, uint32_t number, bool is_real)
{
	struct graph *graph = facts->space->graph;

	return node_intern(graph, &(struct node){.kind = NODE_FACT,
	                                         .space = facts->space,
	                                         .args = {facts},
	                                         .number = number,
	                                         .is_real = is_real});
}

struct node *node_filled(const struct node *pattern)
{
	return node_intern(pattern->space->graph, pattern);
}

struct node *node_gather(struct node *index, struct node *values, const struct row_selection *selection,
                         union word absent)
{
	if (is_constant(values))
		return values;
	return node_intern(index->space->graph, &(struct node){.kind = NODE_GATHER,
	                                                       .space = index->space,
	                                                       .args = {index, values},
	                                                       .owner = (void *)(uintptr_t)selection,
	                                                       .value = absent,
	                                                       .is_real = values->is_real});
}

struct node *node_broadcast(struct node *node, struct space *rows)
{
	if (is_constant(node) || node->space == rows)
		return node;
	return node_intern(rows->graph, &(struct node){.kind = NODE_BROADCAST,
	                                               .space = rows,
	                                               .args = {node},
	                                               .is_real = node->is_real});
}

struct node *node_in_set(struct node *value, const struct word_set *set)
{
	return node_intern(value->space->graph, &(struct node){.kind = NODE_IN_SET,
	                                                       .space = value->space,
	                                                       .args = {value},
	                                                       .owner = (void *)(uintptr_t)set});
}

struct node *node_as(struct graph *graph, struct node *node, bool is_real)
{
	if (node->is_real == is_real)
		return node;
	return node_vector(graph, is_real ? VECTOR_TO_REAL : VECTOR_TO_WHOLE, &node);
}

struct node *node_vector(struct graph *graph, enum vector vector, struct node *const *args)
{
	uint32_t arity = vector_infos[vector].arity;
	struct node node = {
		.kind = NODE_VECTOR, .vector = vector, .is_real = vector_infos[vector].gives_real};
	bool converts = vector == VECTOR_TO_REAL || vector == VECTOR_TO_WHOLE;

	/* The space of a result of these nodes: the members if groups and their members are combined. */
	for (uint32_t i = 0; i < arity; i++)
		if (args[i]->space && (!node.space || node.space->members == args[i]->space))
			node.space = args[i]->space;
	/* For a choice, the result determines which arguments are real; all other vectors take arguments of
	 * one kind. */
	for (uint32_t i = 0; i < arity; i++) {
		bool is_real = vector == VECTOR_REAL_CHOOSE ? i > 0 : vector_infos[vector].takes_real;
		node.args[i] = converts ? args[i] : node_as(graph, args[i], is_real);
	}
	if (!node.space) {
		union word out;
		struct vector_task task = {.out = &out, .count = 1};

		for (uint32_t i = 0; i < arity; i++)
			task.args[i] = &node.args[i]->value;
		vector_run(vector, &task);
		return node_constant(graph, out, node.is_real);
	}
	if (vector == VECTOR_NOT && is_vector(node.args[0], VECTOR_LESS))
		return node_vector(graph, VECTOR_LESS_EQUAL,
		                   (struct node *[]){node.args[0]->args[1], node.args[0]->args[0]});
	for (uint32_t i = 0; i < arity; i++)
		node.args[i] = node_broadcast(node.args[i], node.space);
	return node_intern(graph, &node);
}
