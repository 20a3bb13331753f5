#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

#include "base/memory.h"
#include "base/number_ranges.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLE_SHOWN = 8, CYCLE_BEGIN = 3, CYCLE_END = 2, STATES = 5, NO_NODE = -1 };

struct picture_builder {
	struct findings *findings;
	const struct shown_finding *shown;
	const struct check_finding *finding;
	struct wait_picture *picture;
	struct picture_node *nodes; /* one for each call */
	size_t count;
	int64_t *node_of; /* by positions of calls; NO_NODE: not a separate node */
};

static bool has_note(const struct check_call *call, const char *note)
{
	return strcmp(call->note, note) == 0;
}

bool picture_node_is_end(const struct picture_node *node)
{
	return has_note(node->call, NOTE_ENDED);
}

const char *finding_value(const struct check_finding *finding, const char *name)
{
	for (uint32_t i = 0; i < finding->value_count; i++)
		if (strcmp(finding->values[i].name, name) == 0)
			return finding->values[i].text;
	return NULL;
}

/* Nodes */

static void add_began(struct picture_builder *builder, const struct check_call *call)
{
	struct picture_begin made = {call, shown_call_find(builder->shown, call)};

	for (size_t i = builder->count; i-- > 0;) {
		struct picture_node *node = &builder->nodes[i];
		if (node->call->world != call->world || node->call->rank != call->rank)
			continue;
		arena_add(&builder->findings->arena, node->began, node->began_count, made);
		return;
	}
}

static void add_nodes(struct picture_builder *builder)
{
	const struct check_finding *finding = builder->finding;
	struct arena *arena = &builder->findings->arena;

	builder->node_of = arena_array(arena, int64_t, finding->call_count + 1);
	for (uint32_t i = 0; i < finding->call_count; i++) {
		const struct check_call *call = &finding->calls[i];
		struct picture_node made = {.call = call, .shown = shown_call_find(builder->shown, call)};

		builder->node_of[i] = NO_NODE;
		if (has_note(call, NOTE_BEGAN)) {
			add_began(builder, call);
			continue;
		}
		builder->node_of[i] = (int64_t)builder->count;
		rank_list_add(builder->findings, &made.ranks, call);
		arena_add(arena, builder->nodes, builder->count, made);
	}
}

static struct picture_wait *wait_like(struct picture_builder *builder, struct picture_node *node,
                                      const struct check_wait *wanted)
{
	struct picture_wait made = {.why = wanted->why, .is_one_of = wanted->is_one_of};

	for (size_t i = 0; i < node->wait_count; i++)
		if (node->waits[i].is_one_of == wanted->is_one_of &&
		    strcmp(node->waits[i].why, wanted->why) == 0)
			return &node->waits[i];
	arena_add(&builder->findings->arena, node->waits, node->wait_count, made);
	return &node->waits[node->wait_count - 1];
}

/* Merging */

/* The awaited processes, and the waiting one. */
static struct finding_ranks with_itself(struct findings *findings, const struct picture_node *node,
                                        const struct picture_wait *wait)
{
	struct finding_ranks all = {0};

	for (size_t i = 0; i < wait->ranks.count; i++)
		arena_add(&findings->arena, all.items, all.count, wait->ranks.items[i]);
	rank_list_add(findings, &all, node->call);
	rank_list_sort(&all);
	return all;
}

/* True if both wait for any process of one set, except themselves. */
static bool wait_for_others(struct findings *findings, const struct picture_node *a,
                            const struct picture_node *b, size_t wait)
{
	struct finding_ranks first, second;

	if (!a->waits[wait].is_one_of || strcmp(a->call->arguments, b->call->arguments) != 0 ||
	    a->began_count)
		return false;
	first = with_itself(findings, a, &a->waits[wait]);
	second = with_itself(findings, b, &b->waits[wait]);
	return rank_list_equal(&first, &second);
}

static bool waits_the_same(struct findings *findings, const struct picture_node *a,
                           const struct picture_node *b)
{
	bool same = a->shown == b->shown && a->wait_count == b->wait_count &&
	            a->began_count == b->began_count;

	for (size_t i = 0; same && i < a->wait_count; i++)
		same = a->waits[i].is_one_of == b->waits[i].is_one_of &&
		       strcmp(a->waits[i].why, b->waits[i].why) == 0 &&
		       (rank_list_equal(&a->waits[i].ranks, &b->waits[i].ranks) ||
		        wait_for_others(findings, a, b, i));
	return same;
}

static const struct stack_frame *top_frame(const struct picture_node *node)
{
	return node->shown && node->shown->stack.count ? &node->shown->stack.items[0] : NULL;
}

/* By line, if known: computing processes are seldom at the same instruction. */
static bool is_same_place(struct findings *findings, const struct picture_node *a,
                          const struct picture_node *b)
{
	const struct stack_frame *left = top_frame(a), *right = top_frame(b);

	(void)findings;
	if (a->call->function != b->call->function || strcmp(a->call->note, b->call->note) != 0)
		return false;
	if (!left || !right)
		return left == right;
	if (left->file && right->file)
		return strcmp(left->file, right->file) == 0 && left->line == right->line;
	return left->file == right->file && left->offset == right->offset &&
	       strcmp(left->module ? left->module : "", right->module ? right->module : "") == 0;
}

typedef bool (*is_same_node)(struct findings *findings, const struct picture_node *a,
                             const struct picture_node *b);

/* Different lists of ranks are merged. */
static void merge_waits(struct findings *findings, struct picture_node *to, const struct picture_node *from)
{
	for (size_t i = 0; i < to->wait_count && i < from->wait_count; i++) {
		struct picture_wait *wait = &to->waits[i];

		if (wait->is_of_others || rank_list_equal(&wait->ranks, &from->waits[i].ranks))
			continue;
		wait->ranks = with_itself(findings, to, wait);
		wait->is_of_others = true;
	}
}

static void add_merged(struct findings *findings, const struct picture_node *node, is_same_node is_same,
                       struct picture_node **list, size_t *count)
{
	for (size_t i = 0; i < *count; i++) {
		struct picture_node *known = &(*list)[i];
		if (!is_same(findings, known, node))
			continue;
		if (is_same == waits_the_same)
			merge_waits(findings, known, node);
		known->arguments_vary |= strcmp(known->call->arguments, node->call->arguments) != 0;
		rank_list_add(findings, &known->ranks, node->call);
		return;
	}
	arena_add(&findings->arena, *list, *count, *node);
	/* The list of ranks grows: it must not be shared. */
	(*list)[*count - 1].ranks = (struct finding_ranks){0};
	rank_list_add(findings, &(*list)[*count - 1].ranks, node->call);
}

static void sort_all(struct picture_node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rank_list_sort(&nodes[i].ranks);
}

/* Shapes */

static bool is_of_knot(const struct picture_node *node)
{
	return !has_note(node->call, NOTE_BEHIND);
}

static bool is_hang(const struct picture_builder *builder)
{
	for (size_t i = 0; i < builder->count; i++)
		if (has_note(builder->nodes[i].call, NOTE_LATE) ||
		    has_note(builder->nodes[i].call, NOTE_RUNS))
			return true;
	return false;
}

/* The only process that it waits for, possibly for several reasons. */
static int64_t next_of(const struct picture_builder *builder, const int64_t *only, size_t number)
{
	const struct picture_node *node = &builder->nodes[number];
	bool is_one = node->wait_count;

	for (size_t i = 0; i < node->wait_count; i++)
		is_one &= node->waits[i].ranks.count == 1 &&
		          rank_list_equal(&node->waits[0].ranks, &node->waits[i].ranks);
	return is_one ? only[number] : NO_NODE;
}

/* For each node, its last awaited node. */
static int64_t *last_targets(const struct picture_builder *builder)
{
	int64_t *only = memory_new(builder->count + 1, sizeof *only);

	for (size_t i = 0; i < builder->count; i++)
		only[i] = NO_NODE;
	for (uint32_t i = 0; i < builder->finding->wait_count; i++) {
		int64_t from = builder->node_of[builder->finding->waits[i].from];
		int64_t to = builder->node_of[builder->finding->waits[i].to];
		if (from != NO_NODE && to != NO_NODE && !picture_node_is_end(&builder->nodes[from]))
			only[from] = to;
	}
	return only;
}

/* The start of a line through all nodes: a process that no other waits for, otherwise the lowest rank. */
static size_t line_begin(const struct picture_builder *builder, const int64_t *only)
{
	bool *is_target = memory_new(builder->count + 1, sizeof *is_target);
	size_t best = builder->count;

	for (size_t i = 0; i < builder->count; i++)
		if (is_of_knot(&builder->nodes[i]) && only[i] != NO_NODE)
			is_target[only[i]] = true;
	for (int pass = 0; pass < 2 && best == builder->count; pass++)
		for (size_t i = 0; i < builder->count; i++)
			if (is_of_knot(&builder->nodes[i]) && (pass || !is_target[i]) &&
			    (best == builder->count ||
			     builder->nodes[i].call->rank < builder->nodes[best].call->rank))
				best = i;
	free(is_target);
	return best;
}

/* True if one walk along the waits visits all nodes of the knot. Then `nodes` are sorted in its order. */
static bool take_line(struct picture_builder *builder)
{
	struct wait_picture *picture = builder->picture;
	int64_t *only = last_targets(builder);
	bool *is_passed = memory_new(builder->count + 1, sizeof *is_passed);
	int64_t first = (int64_t)line_begin(builder, only), at = first;
	bool is_line = true;
	size_t knot = 0;

	for (size_t i = 0; i < builder->count; i++)
		knot += is_of_knot(&builder->nodes[i]);
	while (knot && at != NO_NODE && !is_passed[at] && is_of_knot(&builder->nodes[at])) {
		const struct picture_node *node = &builder->nodes[at];
		is_passed[at] = true;
		arena_add(&builder->findings->arena, picture->nodes, picture->count, *node);
		at = next_of(builder, only, (size_t)at);
		is_line &= !node->wait_count || at != NO_NODE;
	}
	picture->shape = at == first ? PICTURE_CYCLE : PICTURE_CHAIN;
	free(is_passed);
	free(only);
	if (is_line && knot && picture->count == knot && (at == first || at == NO_NODE))
		return true;
	picture->nodes = NULL;
	picture->count = 0;
	return false;
}

static void take_knot(struct picture_builder *builder)
{
	struct wait_picture *picture = builder->picture;

	picture->shape = PICTURE_KNOT;
	for (size_t i = 0; i < builder->count; i++)
		if (is_of_knot(&builder->nodes[i]))
			add_merged(builder->findings, &builder->nodes[i], waits_the_same, &picture->nodes,
			           &picture->count);
}

/* In a hang, awaited processes are first. */
static size_t order_of_state(const struct check_call *call)
{
	static const char *const order[] = {NOTE_LATE, NOTE_RUNS, NOTE_WAITS, NOTE_BEHIND};
	size_t place = 0;

	while (place < STATES - 1 && !has_note(call, order[place]))
		place++;
	return place;
}

static int by_state(const void *left, const void *right)
{
	const struct picture_node *a = left, *b = right;
	size_t first = order_of_state(a->call), second = order_of_state(b->call);

	if (first != second)
		return first < second ? -1 : 1;
	if (a->call->rank != b->call->rank)
		return a->call->rank < b->call->rank ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void take_states(struct picture_builder *builder)
{
	struct wait_picture *picture = builder->picture;

	picture->shape = PICTURE_STATES;
	qsort(builder->nodes, builder->count, sizeof *builder->nodes, by_state);
	for (size_t i = 0; i < builder->count; i++)
		add_merged(builder->findings, &builder->nodes[i], is_same_place, &picture->nodes,
		           &picture->count);
}

/* Other parts */

static void sum_up(struct picture_builder *builder)
{
	struct wait_picture *picture = builder->picture;

	if (picture->count <= CYCLE_SHOWN || picture->shape > PICTURE_CHAIN)
		return;
	picture->summed_from = CYCLE_BEGIN;
	picture->summed_to = picture->count - CYCLE_END;
	for (size_t i = picture->summed_from; i < picture->summed_to; i++)
		add_merged(builder->findings, &picture->nodes[i], is_same_place, &picture->summed,
		           &picture->summed_count);
	sort_all(picture->summed, picture->summed_count);
}

/* The number of ranks in a text such as "3-5, 8". UINT64_MAX: the text is incomplete. */
static uint64_t count_named(const char *text)
{
	struct number_range range;
	uint64_t count = 0;

	while (next_range(&text, &range))
		count += range.last - range.first + 1;
	return *text ? UINT64_MAX : count;
}

static void take_behind(struct picture_builder *builder)
{
	const char *all = finding_value(builder->finding, "behind");
	struct wait_picture *picture = builder->picture;
	uint64_t count = 0;

	for (size_t i = 0; i < builder->count; i++)
		if (!is_of_knot(&builder->nodes[i]))
			add_merged(builder->findings, &builder->nodes[i], is_same_place, &picture->behind,
			           &picture->behind_count);
	sort_all(picture->behind, picture->behind_count);
	for (size_t i = 0; i < picture->behind_count; i++)
		count += picture->behind[i].ranks.count;
	if (all && *all && count_named(all) > count)
		picture->more_behind = all;
}

static bool have_a_common_rank(const struct finding_ranks *a, const struct finding_ranks *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (a->items[i].rank == b->items[j].rank && a->items[i].world == b->items[j].world)
				return true;
	return false;
}

static void link_wait(struct picture_builder *builder, struct picture_wait *wait)
{
	const struct wait_picture *picture = builder->picture;

	for (size_t i = 0; i < picture->count; i++)
		if (have_a_common_rank(&picture->nodes[i].ranks, &wait->ranks))
			arena_add(&builder->findings->arena, wait->nodes, wait->node_count, i);
}

static void count_missing(struct picture_builder *builder)
{
	const char *total = finding_value(builder->finding, "processes");
	const char *more = finding_value(builder->finding, "more");
	struct wait_picture *picture = builder->picture;
	uint64_t shown = 0;
	int64_t number;

	for (size_t i = 0; i < picture->count; i++)
		shown += picture->nodes[i].ranks.count;
	if (picture->shape == PICTURE_STATES)
		picture->missing = more && parse_integer(more, &number) == OK && number > 0 ? (uint64_t)number
		                                                                            : 0;
	else if (total && parse_integer(total, &number) == OK && number > 0 && (uint64_t)number > shown)
		picture->missing = (uint64_t)number - shown;
}

struct wait_picture *wait_picture_new(struct findings *findings, const struct shown_finding *shown)
{
	struct picture_builder builder = {
		.findings = findings,
		.shown = shown,
		.finding = shown->instances[0],
	};
	const struct wait_picture *picture;
	const struct check_finding *finding;

	if (!builder.finding->call_count)
		return NULL;
	add_nodes(&builder);
	if (!builder.count || (!builder.finding->wait_count && !is_hang(&builder)))
		return NULL;
	builder.picture = arena_new(&findings->arena, struct wait_picture);
	finding = builder.finding;
	for (uint32_t i = 0; i < finding->wait_count; i++) {
		const struct check_wait *wait = &finding->waits[i];
		int64_t from = builder.node_of[wait->from], to = builder.node_of[wait->to];
		/* MPI_Finalize may wait for all others; what matters is that its
		 * process does nothing more. */
		if (from == NO_NODE || to == NO_NODE || picture_node_is_end(&builder.nodes[from]))
			continue;
		rank_list_add(builder.findings, &wait_like(&builder, &builder.nodes[from], wait)->ranks,
		              builder.nodes[to].call);
	}
	for (size_t i = 0; i < builder.count; i++)
		for (size_t j = 0; j < builder.nodes[i].wait_count; j++)
			rank_list_sort(&builder.nodes[i].waits[j].ranks);
	if (is_hang(&builder))
		take_states(&builder);
	else if (!take_line(&builder))
		take_knot(&builder);
	sort_all(builder.picture->nodes, builder.picture->count);
	sum_up(&builder);
	if (builder.picture->shape != PICTURE_STATES)
		take_behind(&builder);
	picture = builder.picture;
	for (size_t i = 0; i < picture->count; i++)
		for (size_t j = 0; j < picture->nodes[i].wait_count; j++)
			link_wait(&builder, &picture->nodes[i].waits[j]);
	count_missing(&builder);
	return builder.picture;
}
