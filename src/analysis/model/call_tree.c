#include "analysis/model/call_tree.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of a damaged trace may be of any size; a caller always has at least what is called from it. */
static void add_sum(struct call_sum *sum, struct call_sum more)
{
	sum->calls = more.calls > UINT64_MAX - sum->calls ? UINT64_MAX : sum->calls + more.calls;
	sum->ns = more.ns > INT64_MAX - sum->ns ? INT64_MAX : sum->ns + more.ns;
}

void call_tree_add(struct call_tree *tree, uint32_t place, uint64_t calls, int64_t ns)
{
	array_fit_zeroed(tree->own, tree->room, place + 1u);
	add_sum(&tree->own[place], (struct call_sum){calls, ns > 0 ? ns : 0});
}

void call_tree_release(struct call_tree *tree)
{
	free(tree->own);
	*tree = (struct call_tree){.places = tree->places};
}

/* A whole trace */

/* By the id of a process's distinct call. */
struct numbers {
	uint32_t *places; /* place + 1; 0: not looked at yet */
	uint64_t room;
};

static uint32_t number_of(struct call_tree *tree, struct numbers *numbers, const struct process *process,
                          const struct call *call)
{
	array_fit_zeroed(numbers->places, numbers->room, (uint64_t)call->id + 1);
	if (!numbers->places[call->id])
		numbers->places[call->id] = place_of(tree->places, process, call) + 1;
	return numbers->places[call->id] - 1;
}

static void read_process(struct call_tree *tree, struct reader *reader, struct process *process,
                         double ns_per_tick)
{
	struct numbers numbers = {0};
	struct event_iter iter;
	struct event event;

	for (size_t i = 0; i < process->stream_count; i++) {
		reader_events(reader, &process->streams[i], &iter);
		while (reader_next(&iter, &event)) {
			double ns = (double)(event.polls ? event.busy : event.end - event.start) *
			            ns_per_tick;
			if (text_begins(event.call->outline->name, "tarry_"))
				continue;
			call_tree_add(tree, number_of(tree, &numbers, process, event.call),
			              event.polls ? event.polls : 1, ns < 9e18 ? (int64_t)ns : INT64_MAX);
		}
	}
	free(numbers.places);
}

void call_tree_read(struct call_tree *tree, struct reader *reader, const struct clocks *clocks,
                    void (*progress)(double part))
{
	for (uint32_t i = 0; i < reader->process_count; i++) {
		read_process(tree, reader, &reader->processes[i], clocks_seconds_per_tick(clocks, i) * 1e9);
		if (progress)
			progress((double)(i + 1) / (double)reader->process_count);
	}
}

/* Walking */

/* A place with all that lies below it, and where that begins in the order of the walk. */
struct branch {
	uint32_t place;
	uint32_t caller;
	uint32_t nodes; /* itself and those below that were ever called */
	uint32_t depth;
	uint32_t at;
	struct call_sum total;
};

/* Callers have smaller numbers than what is called from them. */
static void sum_up(const struct call_tree *tree, struct branch *branches, uint32_t count)
{
	for (uint32_t i = count; i-- > 0;) {
		struct branch *branch = &branches[i];
		branch->place = i;
		branch->caller = place_get(tree->places, i)->caller;
		if (i < tree->room)
			add_sum(&branch->total, tree->own[i]);
		branch->nodes += branch->total.calls != 0;
		if (branch->caller != NO_PLACE) {
			add_sum(&branches[branch->caller].total, branch->total);
			branches[branch->caller].nodes += branch->nodes;
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const struct branch *x = *(struct branch *const *)a, *y = *(struct branch *const *)b;

	if (x->total.ns != y->total.ns)
		return x->total.ns > y->total.ns ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Each takes the next free stretch of its caller. With the most time first, callers come before what they call; of equal
 * times the smaller number does. */
static void lay_out(struct branch *branches, uint32_t count)
{
	struct branch **order = memory_new(count + 1ul, sizeof(struct branch *));
	uint32_t *next = memory_new(count + 1ul, sizeof *next), root = 0;

	for (uint32_t i = 0; i < count; i++)
		order[i] = &branches[i];
	qsort(order, count, sizeof *order, by_time);
	for (uint32_t i = 0; i < count; i++) {
		struct branch *branch = order[i];
		uint32_t *at = branch->caller == NO_PLACE ? &root : &next[branch->caller];
		branch->at = *at;
		*at += branch->nodes;
		next[branch->place] = branch->at + 1;
		branch->depth = branch->caller == NO_PLACE ? 0 : branches[branch->caller].depth + 1;
	}
	free(next);
	free(order);
}

void call_tree_begin(const struct call_tree *tree, struct call_tree_iter *iter)
{
	uint32_t count = tree->places->count;
	struct branch *branches = memory_new(count + 1ul, sizeof *branches);

	*iter = (struct call_tree_iter){.nodes = memory_new(count + 1ul, sizeof *iter->nodes)};
	sum_up(tree, branches, count);
	lay_out(branches, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!branches[i].nodes)
			continue;
		iter->nodes[branches[i].at] = (struct call_node){
			.place = i, .depth = branches[i].depth, .total = branches[i].total};
		iter->count++;
	}
	free(branches);
}

bool call_tree_next(struct call_tree_iter *iter, struct call_node *node)
{
	if (iter->next == iter->count) {
		call_tree_iter_release(iter);
		return false;
	}
	*node = iter->nodes[iter->next++];
	return true;
}

void call_tree_iter_release(struct call_tree_iter *iter)
{
	free(iter->nodes);
	*iter = (struct call_tree_iter){0};
}
