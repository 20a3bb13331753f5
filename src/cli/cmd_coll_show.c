#include "cli/coll_job.h"
#include "cli/command.h"
#include "cli/job_machine.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "topo/machine/drawing.h"

#include <stdio.h>
#include <string.h>

static struct {
	const char *machine, *order, *svg;
	int64_t ranks, per_node;
	bool algorithms;
} choice = {.order = "block"};

static const struct option_spec options[] = {
	{"machine", 'm', "MACHINE",
         "a file, or words such as \"switch:2 node:4 socket:2 core:8\" (default: the known machine)",
         OPTION_TEXT, &choice.machine},
	{"ranks", 'n', "COUNT", "show this many ranks", OPTION_COUNT, &choice.ranks},
	{"ranks-per-node", 0, "COUNT",
         "place at most this many ranks on each node (default: one for each core)", OPTION_COUNT,
         &choice.per_node},
	{"order", 0, "block|cyclic", "fill nodes one after the other, or in turn (default: block)",
         OPTION_CHOICE, &choice.order},
	{"algorithms", 0, NULL, "list and explain the algorithms of each operation instead", OPTION_FLAG,
         &choice.algorithms},
	{"svg", 0, "FILE", "write a picture to FILE; '-': print that", OPTION_TEXT, &choice.svg},
	OPTIONS_END,
};

static bool are_ranks_chosen(void)
{
	return choice.ranks || choice.per_node;
}

/* The ranks of the trace; without a trace, those given by options, or none. */
static enum status place_ranks(const struct job_ranks *ranks, struct machine **machine,
                               struct placement *placement)
{
	enum status status = OK;

	*placement = (struct placement){0};
	TRY(job_machine_open(choice.machine, ranks, machine));
	if (ranks->count)
		status = placement_of_job(placement, *machine, ranks->at, ranks->count);
	else if (are_ranks_chosen())
		status = placement_fill(placement, *machine, (uint64_t)choice.ranks,
		                        strcmp(choice.order, "cyclic") == 0 ? PLACE_CYCLIC : PLACE_BLOCK,
		                        (uint64_t)choice.per_node);
	if (status != OK)
		machine_free(*machine);
	return status;
}

static bool show(const struct machine *machine, const struct placement *placement)
{
	struct machine_drawing drawing;
	struct text out = {0};
	bool is_shown = true;

	drawing_init(&drawing, machine, placement);
	if (choice.svg) {
		drawing_add_svg(&drawing, &out);
		is_shown = write_output(choice.svg, &out);
		text_clear(&out);
	}
	if (!choice.svg || strcmp(choice.svg, "-") != 0) {
		text_add(&out, "%s: %s, %s%s%s\n", machine->source,
		         AS_COUNTED(machine->node_count, "node", "nodes"),
		         AS_COUNTED(machine->core_count, "core", "cores"), placement->count ? ", " : "",
		         placement->count ? AS_COUNTED(placement->count, "rank", "ranks") : "");
		drawing_add_text(&drawing, speaks_utf8(), &out);
		text_strip_controls(&out);
		fputs(text_get(&out), stdout);
	}
	drawing_release(&drawing);
	text_release(&out);
	return is_shown;
}

static int show_machine(const struct job_ranks *ranks)
{
	struct machine *machine;
	struct placement placement;
	bool is_shown;

	if (place_ranks(ranks, &machine, &placement) != OK)
		return report_failure();
	say_placement_doubts(machine, &placement);
	is_shown = show(machine, &placement);
	placement_release(&placement);
	machine_free(machine);
	return is_shown ? EXIT_FINE : EXIT_FAILED;
}

static int run_coll_show(const struct invocation *given)
{
	struct job_ranks ranks = {0};
	struct reader *reader;
	int code;

	if (choice.algorithms) {
		struct text out = {0};

		coll_algorithms_list(&out);
		fputs(text_get(&out), stdout);
		text_release(&out);
		return EXIT_FINE;
	}
	if (!given->argc)
		return show_machine(&ranks);
	if (are_ranks_chosen())
		return misuse(&command_coll_show,
		              "the trace defines the ranks: leave out --ranks and --ranks-per-node");
	if (!open_trace(given->argv[0], &reader))
		return EXIT_FAILED;
	code = job_ranks_read(reader, &ranks) == OK ? show_machine(&ranks) : report_failure();
	say_damage(reader);
	job_ranks_release(&ranks);
	reader_close(reader);
	return code;
}

const struct command command_coll_show = {
	.name = "coll show",
	.summary = "draw the machine, with the ranks of a job on it",
	.usage = "[options] [TRACE]",
	.example = "tarry coll show run.tarry\n"
		   "tarry coll show --algorithms\n"
		   "tarry coll show --machine cluster.conf -n 64 --svg machine.svg\n"
		   "tarry coll show --machine \"switch:2 node:4 socket:2 core:8\"",
	.options = options,
	.operands = {0, 1},
	.run = run_coll_show,
};
