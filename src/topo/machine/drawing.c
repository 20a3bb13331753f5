#include "topo/machine/drawing.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Equal parts */

static uint64_t node_likeness(const struct machine_drawing *drawing, uint32_t node)
{
	uint64_t hash = hash_word(PART_NODE, machine_node(drawing->machine, node)->shape);

	for (uint32_t i = drawing->first[node]; i < drawing->first[node + 1]; i++)
		hash = hash_word(hash, drawing->placement->cores[drawing->order[i]].core);
	return hash;
}

/* Backwards, so children are hashed before their parent. */
static void find_likeness(struct machine_drawing *drawing)
{
	const struct machine *machine = drawing->machine;

	for (uint32_t i = machine->part_count; i-- > 0;) {
		const struct machine_part *part = &machine->parts[i];
		uint64_t hash = hash_word(0, part->kind);
		if (part->kind == PART_NODE) {
			drawing->likeness[i] = node_likeness(drawing, part->first_node);
			continue;
		}
		for (uint32_t child = i + 1; child < part->end; child = machine->parts[child].end)
			hash = hash_word(hash, drawing->likeness[child]);
		drawing->likeness[i] = hash;
	}
}

void drawing_init(struct machine_drawing *drawing, const struct machine *machine,
                  const struct placement *placement)
{
	*drawing = (struct machine_drawing){
		.machine = machine,
		.placement = placement,
		.order = placement_order(placement),
		.first = memory_new((size_t)machine->node_count + 1, sizeof *drawing->first),
		.likeness = memory_new(machine->part_count, sizeof *drawing->likeness),
	};
	for (uint32_t i = 0; i < placement->count; i++)
		drawing->first[placement->cores[i].node + 1]++;
	for (uint32_t i = 0; i < machine->node_count; i++)
		drawing->first[i + 1] += drawing->first[i];
	find_likeness(drawing);
}

void drawing_release(struct machine_drawing *drawing)
{
	free(drawing->order);
	free(drawing->first);
	free(drawing->likeness);
}

struct drawn_child drawing_child(const struct machine_drawing *drawing, uint32_t parent, uint32_t part)
{
	const struct machine_part *parts = drawing->machine->parts;
	struct drawn_child child = {.part = part, .next = parts[part].end};
	uint32_t behind = child.next, alike = 0;

	for (; behind < parts[parent].end && drawing->likeness[behind] == drawing->likeness[part];
	     behind = parts[behind].end)
		alike++;
	if (alike < 2)
		return child;
	return (struct drawn_child){part, alike, behind};
}

struct drawn_ranks drawing_ranks(const struct machine_drawing *drawing, uint32_t node, uint32_t from,
                                 uint32_t to)
{
	uint32_t first = drawing->first[node], last = drawing->first[node + 1];

	while (first < last && drawing->placement->cores[drawing->order[first]].core < from)
		first++;
	while (last > first && drawing->placement->cores[drawing->order[last - 1]].core >= to)
		last--;
	return (struct drawn_ranks){drawing->order + first, last - first};
}

/* Lists of ranks */

/* The length of the arithmetic sequence at the start of `ranks`. */
static uint32_t run_length(const uint32_t *ranks, uint32_t count)
{
	uint32_t length = count < 2 ? count : 2;

	while (length < count && ranks[length] > ranks[length - 1] && ranks[1] > ranks[0] &&
	       ranks[length] - ranks[length - 1] == ranks[1] - ranks[0])
		length++;
	return length;
}

void text_add_ranks(struct text *out, const uint32_t *ranks, uint32_t count)
{
	enum { RUNS_MAX = 16 };
	uint32_t runs = 0;

	for (uint32_t i = 0, length; i < count; i += length, runs++) {
		length = run_length(ranks + i, count - i);
		text_add(out, i ? ", " : "");
		if (runs == RUNS_MAX && count - i > 2) {
			text_add(out, "and %u more", count - i);
			return;
		}
		if (length >= 2 && ranks[i + 1] == ranks[i] + 1) {
			text_add(out, "%u-%u", ranks[i], ranks[i + length - 1]);
		} else if (length >= 3) {
			text_add(out, "%u, %u ... %u", ranks[i], ranks[i + 1], ranks[i + length - 1]);
		} else {
			text_add(out, "%u", ranks[i]);
			length = 1;
		}
	}
}

/* Text */

struct tree_lines {
	const char *branch, *last, *through, *nothing, *times;
};

static const struct tree_lines utf8_lines = {"├─ ", "└─ ", "│  ", "   ", "×"};
static const struct tree_lines ascii_lines = {"|- ", "`- ", "|  ", "   ", "x"};

struct text_drawing {
	const struct machine_drawing *of;
	const struct tree_lines *lines;
	struct text indent;
	struct text *out;
};

static void add_ranks_of(struct text_drawing *drawing, struct drawn_ranks ranks)
{
	if (!ranks.count)
		return;
	text_add(drawing->out, ranks.count == 1 ? ": rank " : ": ranks ");
	text_add_ranks(drawing->out, ranks.ranks, ranks.count);
}

static void begin_line(struct text_drawing *drawing, bool is_last)
{
	text_add(drawing->out, "%s%s", text_get(&drawing->indent),
	         is_last ? drawing->lines->last : drawing->lines->branch);
}

static size_t deepen(struct text_drawing *drawing, bool is_last)
{
	size_t before = drawing->indent.length;

	text_add(&drawing->indent, "%s", is_last ? drawing->lines->nothing : drawing->lines->through);
	return before;
}

static void flatten(struct text_drawing *drawing, size_t before)
{
	drawing->indent.length = before;
	drawing->indent.bytes[before] = 0;
}

/* One socket or cache: the cores from `from` that have the same number in `of`. */
static uint32_t add_group(struct text_drawing *drawing, uint32_t node, const uint32_t *of, uint32_t from,
                          uint32_t end, const char *name)
{
	uint32_t to = from;

	while (to < end && of[to] == of[from])
		to++;
	begin_line(drawing, to == end);
	text_add(drawing->out, "%s %u, ", name, of[from]);
	text_add_counted(drawing->out, to - from, "core", "cores");
	add_ranks_of(drawing, drawing_ranks(drawing->of, node, from, to));
	text_add(drawing->out, "\n");
	return to;
}

static void add_inside(struct text_drawing *drawing, uint32_t node)
{
	const struct node_shape *shape = machine_shape(drawing->of->machine, node);

	if (shape->sockets < 2 && !shape->cache_name)
		return;
	for (uint32_t i = 0, next; i < shape->cores; i = next) {
		uint32_t cache = i;
		next = add_group(drawing, node, shape->socket_of, i, shape->cores, "socket");
		if (shape->cache_name) {
			size_t before = deepen(drawing, next == shape->cores);
			while (cache < next)
				cache = add_group(drawing, node, shape->cache_of, cache, next,
				                  shape->cache_name);
			flatten(drawing, before);
		}
	}
}

/* "62 more like this, n1 to n62", with their ranks. */
static void add_folded(struct text_drawing *drawing, const struct drawn_child *child)
{
	const struct machine *machine = drawing->of->machine;
	uint32_t first = machine->parts[child->part].end, last = first;
	const uint32_t *from, *to;

	for (uint32_t at = first; at < child->next; at = machine->parts[at].end)
		last = at;
	text_add(drawing->out, "%u more like this, %s to %s", child->more, machine->parts[first].name,
	         machine->parts[last].name);
	from = drawing->of->order + drawing->of->first[machine->parts[first].first_node];
	to = drawing->of->order +
	     drawing->of->first[machine->parts[last].first_node + machine->parts[last].node_count];
	if (run_length(from, (uint32_t)(to - from)) == to - from) {
		add_ranks_of(drawing, (struct drawn_ranks){from, (uint32_t)(to - from)});
	} else {
		text_add(drawing->out, ": ");
		text_add_counted(drawing->out, (uint64_t)(to - from), "rank", "ranks");
	}
	text_add(drawing->out, "\n");
}

/* Recursion depth: tiers of switches. NOLINTNEXTLINE(misc-no-recursion) */
static void add_part_text(struct text_drawing *drawing, uint32_t number)
{
	const struct machine *machine = drawing->of->machine;
	const struct machine_part *part = &machine->parts[number];

	if (part->kind == PART_NODE) {
		const struct node_shape *shape = &drawing->of->machine->shapes[part->shape];
		uint32_t node = part->first_node;
		uint32_t ranks = drawing->of->first[node + 1] - drawing->of->first[node];
		text_add(drawing->out, "node %s, ", part->name);
		/* "2 sockets x 8 cores" */
		bool even = shape->cores % shape->sockets == 0;
		for (uint32_t i = 0; even && i < shape->cores; i++)
			even = shape->socket_of[i] == i / (shape->cores / shape->sockets);
		if (shape->sockets > 1) {
			text_add_counted(drawing->out, shape->sockets, "socket", "sockets");
			text_add(drawing->out, even ? " %s " : ", ", drawing->lines->times);
		}
		text_add_counted(drawing->out, even ? shape->cores / shape->sockets : shape->cores, "core",
		                 "cores");
		if (shape->is_assumed)
			text_add(drawing->out, " (assumed)");
		if (shape->sockets < 2 && !shape->cache_name) {
			add_ranks_of(drawing, drawing_ranks(drawing->of, node, 0, UINT32_MAX));
		} else if (ranks) {
			text_add(drawing->out, ", ");
			text_add_counted(drawing->out, ranks, "rank", "ranks");
		}
		text_add(drawing->out, "\n");
		add_inside(drawing, part->first_node);
		return;
	}
	text_add(drawing->out, part->kind == PART_SWITCH ? "switch %s, " : "%s, ", part->name);
	text_add_counted(drawing->out, part->node_count, "node", "nodes");
	text_add(drawing->out, "\n");
	for (uint32_t at = number + 1; at < part->end;) {
		struct drawn_child child = drawing_child(drawing->of, number, at);
		size_t before;
		begin_line(drawing, child.next >= part->end && !child.more);
		before = deepen(drawing, child.next >= part->end && !child.more);
		add_part_text(drawing, at);
		flatten(drawing, before);
		if (child.more) {
			begin_line(drawing, child.next >= part->end);
			add_folded(drawing, &child);
		}
		at = child.next;
	}
}

void drawing_add_text(const struct machine_drawing *drawing, bool utf8, struct text *out)
{
	struct text_drawing text = {drawing, utf8 ? &utf8_lines : &ascii_lines, {0}, out};

	text_add(&text.indent, " ");
	flatten(&text, 0);
	add_part_text(&text, 0);
	text_release(&text.indent);
}
