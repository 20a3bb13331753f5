/* Machines as files and as words. Accepted ones are trees that can be drawn, with nodes that are
 * found by name; rejected ones are reported. Bit 0: the input is words, as on the command line;
 * otherwise it is a file. */
#include "fuzz.h"
#include "topo/machine/drawing.h"

#include <stdlib.h>
#include <string.h>

enum { IS_SPEC = 1, FEW = 64 };

const uint8_t fuzz_modes = 2;

static void check_parts(const struct machine *machine)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < machine->part_count; i++) {
		const struct machine_part *part = &machine->parts[i], *parent = &machine->parts[part->parent];
		if (part->end <= i || part->end > machine->part_count || part->end > parent->end)
			give_up("a part is not within the one above it");
		if (i &&
		    (part->parent >= i || part->depth != parent->depth + 1 || part->tier >= parent->tier))
			give_up("a part is not below the one above it");
		if (!part->node_count)
			give_up("a part has no nodes");
		nodes += part->kind == PART_NODE;
	}
	if (nodes != machine->node_count)
		give_up("nodes are missing");
}

static void check_nodes(const struct machine *machine)
{
	uint32_t count = machine->node_count < FEW ? machine->node_count : FEW;

	for (uint32_t i = 0; i < count; i++) {
		if (machine_find_node(machine, machine_node(machine, i)->name) != i)
			give_up("a node is not found by its name");
		for (uint32_t j = 0; j < i; j++)
			if (machine_node_level(machine, i, j) < LEVEL_SWITCH ||
			    machine_node_level(machine, i, j) > machine_top_level(machine))
				give_up("two nodes meet nowhere");
	}
}

static void draw(const struct machine *machine)
{
	struct placement placement = {0};
	struct machine_drawing drawing;
	struct text out = {0};

	if (machine->core_count < FEW && placement_fill(&placement, machine, 0, PLACE_CYCLIC, 0) != OK)
		give_up("a rank for each core has no room");
	drawing_init(&drawing, machine, &placement);
	drawing_add_text(&drawing, true, &out);
	drawing_add_svg(&drawing, &out);
	drawing_release(&drawing);
	placement_release(&placement);
	text_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Nodes without a size would be asked for on this machine each time. */
	static const char usual[] = "NodeName=DEFAULT CPUs=4\n";
	struct text input = {0};
	struct machine *machine;
	enum status status;

	if (!size)
		return 0;
	text_add_bytes(&input, usual, *data & IS_SPEC ? 0 : sizeof usual - 1);
	text_add_bytes(&input, (const char *)data + 1, size - 1);
	status = *data & IS_SPEC ? machine_from_spec(text_get(&input), &machine)
	                         : machine_parse("input", text_get(&input), input.length, &machine);
	if (status == OK) {
		check_parts(machine);
		check_nodes(machine);
		draw(machine);
		machine_free(machine);
	} else if (!*trail_text()) {
		give_up("a machine was refused without a reason");
	}
	text_release(&input);
	return 0;
}
