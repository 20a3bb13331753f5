#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/job_machine.h"
#include "cli/outputs.h"
#include "cli/rank_mapping.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "topo/machine/drawing.h"
#include "topo/machine/launch_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *machine, *before;
	const char *rankfile, *slurm, *hostfile, *split;
	int64_t per_node;
	bool json;
} choice = {.before = "trace"};

static const struct option_spec options[] = {
	{"machine", 'm', "MACHINE",
         "a file, or words such as \"switch:2 node:4 socket:2 core:8\" (default: the known machine)",
         OPTION_TEXT, &choice.machine},
	{"before", 0, "trace|block|cyclic",
         "placement to improve: that of the trace, or ranks that fill one node after the other (block) or take the "
         "nodes in turn (cyclic) (default: trace)",
         OPTION_CHOICE, &choice.before},
	{"ranks-per-node", 0, "COUNT",
         "place at most this many ranks on each node, with --before block or cyclic", OPTION_COUNT,
         &choice.per_node},
	{"rankfile", 0, "FILE", "write the placement for Open MPI's --rankfile", OPTION_TEXT,
         &choice.rankfile},
	{"slurm", 0, "FILE", "write it for Slurm: SLURM_HOSTFILE and --distribution=arbitrary", OPTION_TEXT,
         &choice.slurm},
	{"hostfile", 0, "FILE", "write it for MPICH's mpiexec -f", OPTION_TEXT, &choice.hostfile},
	{"split", 0, "FILE", "write the key of each rank for MPI_Comm_split, one per line", OPTION_TEXT,
         &choice.split},
	{"json", 0, NULL, "print JSON", OPTION_FLAG, &choice.json},
	OPTIONS_END,
};

/* Text */

static void add_change(struct text *out, double before, double after)
{
	double change = before > 0 ? (after - before) / before * 100 : 0;

	if (change > -0.5 && change < 0.5)
		text_add(out, "      same\n");
	else
		text_add(out, "   %+5.0f %%\n", change);
}

static void add_bytes_row(struct text *out, const char *name, const struct rank_mapping *mapping,
                          double before, double after, bool with_change)
{
	double all = mapping->sums_before.bytes;

	text_add(out, "  %-22s", name);
	for (int i = 0; i < 2; i++) {
		double bytes = i ? after : before;
		text_add(out, "%12s %3.0f %%", AS_SIZE((uint64_t)(bytes + 0.5)),
		         all > 0 ? bytes / all * 100 : 0);
	}
	if (with_change)
		add_change(out, before, after);
	else
		text_add(out, "\n");
}

static void add_prediction(struct text *out, const struct rank_mapping *mapping)
{
	if (!mapping->machine->has_costs) {
		text_add(
			out,
			"No time is predicted: latency and bandwidth of this machine are unknown. Measure them with 'tarry coll calibrate', or add lines LevelName= to the machine file.\n");
		return;
	}
	text_add(
		out,
		"Predicted by the costs in %s: the messages of the busiest rank take %s instead of %s, those of an average rank %s instead of %s.\n",
		mapping->machine->costs_source, AS_SECONDS(mapping->sums_after.busiest_s),
		AS_SECONDS(mapping->sums_before.busiest_s), AS_SECONDS(mapping->sums_after.mean_s),
		AS_SECONDS(mapping->sums_before.mean_s));
}

static void add_nodes(struct text *out, const struct rank_mapping *mapping)
{
	enum { NODES_SHOWN = 16 };
	uint32_t *order = placement_order(&mapping->after), shown = 0;

	for (uint32_t i = 0, next; i < mapping->after.count; i = next) {
		uint32_t node = mapping->after.cores[order[i]].node;
		for (next = i + 1;
		     next < mapping->after.count && mapping->after.cores[order[next]].node == node;)
			next++;
		if (shown++ >= NODES_SHOWN)
			continue;
		text_add(out, "  %s: ", machine_node(mapping->machine, node)->name);
		text_add_ranks(out, order + i, next - i);
		text_add(out, "\n");
	}
	if (shown > NODES_SHOWN)
		text_add(out, "  and %u more nodes\n", shown - NODES_SHOWN);
	free(order);
}

static void add_text(struct text *out, const struct rank_mapping *mapping, const char *trace)
{
	const struct mapping_sums *before, *after;
	const struct traffic_graph *traffic = mapping->traffic;

	text_add(out, "%s of '%s' on %s: %s in messages, %s in collective operations\n\n",
	         AS_COUNTED(mapping->before.count, "rank", "ranks"), trace, mapping->machine->source,
	         AS_SIZE((uint64_t)traffic->messages.bytes), AS_SIZE((uint64_t)traffic->collectives.bytes));
	if (traffic->left_out_bytes > 0)
		text_add(
			out,
			"Not counted: %s with processes outside of this job's MPI_COMM_WORLD, or between groups.\n\n",
			AS_SIZE((uint64_t)traffic->left_out_bytes));
	if (!(mapping->sums_before.bytes > 0)) {
		text_add(out, "No traffic between ranks: every placement is equally good.\n");
		return;
	}
	before = &mapping->sums_before;
	after = &mapping->sums_after;
	text_add(out, "  %-22s%18s%18s\n", "closest common level", "before     ", "after     ");
	for (int i = 0; i < MACHINE_LEVELS_MAX; i++)
		if (before->levels[i].bytes > 0 || after->levels[i].bytes > 0)
			add_bytes_row(out, level_name(i), mapping, before->levels[i].bytes,
			              after->levels[i].bytes, false);
	add_bytes_row(out, "between nodes", mapping, before->between_nodes_bytes, after->between_nodes_bytes,
	              true);
	text_add(out, "  %-22s%12.3g%18.3g      ", "bytes × distance", before->distance, after->distance);
	add_change(out, before->distance, after->distance);
	text_add(out, "\n");
	if (!mapping->moved) {
		text_add(out, "No better placement was found.\n");
		return;
	}
	add_prediction(out, mapping);
	text_add(out, "\nNew placement, in which %s:\n",
	         AS_COUNTED(mapping->moved, "rank moves", "ranks move"));
	add_nodes(out, mapping);
}

/* JSON */

static void add_sums_json(struct json *json, const char *key, const struct rank_mapping *mapping,
                          const struct mapping_sums *sums)
{
	json_open(json, key, '{');
	json_exact(json, "bytes_times_distance", sums->distance);
	json_exact(json, "between_nodes_bytes", sums->between_nodes_bytes);
	json_open(json, "levels", '[');
	for (int i = 0; i <= machine_top_level(mapping->machine); i++) {
		json_open(json, NULL, '{');
		json_text(json, "meet", level_name(i));
		json_exact(json, "weight", level_weight(i));
		json_exact(json, "bytes", sums->levels[i].bytes);
		json_exact(json, "messages", sums->levels[i].messages);
		json_close(json, '}');
	}
	json_close(json, ']');
	if (mapping->machine->has_costs) {
		json_exact(json, "busiest_rank_seconds", sums->busiest_s);
		json_exact(json, "mean_rank_seconds", sums->mean_s);
	}
	json_close(json, '}');
}

/* Files */

/* A host that comes again further down. */
static bool hosts_come_again(const struct placement *placement, uint32_t node_count)
{
	bool *is_seen = memory_new(node_count, sizeof *is_seen), again = false;

	for (uint32_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->cores[i].node;
		again |= is_seen[node] && placement->cores[i - 1].node != node;
		is_seen[node] = true;
	}
	free(is_seen);
	return again;
}

static bool write_files(const struct rank_mapping *mapping)
{
	const struct {
		const char *path;
		void (*add)(struct text *out, const struct machine *machine,
		            const struct placement *placement);
	} files[] = {{choice.rankfile, text_add_rankfile},
	             {choice.slurm, text_add_slurm_hosts},
	             {choice.hostfile, text_add_mpich_hosts}};
	struct text out = {0};
	bool written = true;

	for (size_t i = 0; i < sizeof files / sizeof *files && written; i++) {
		if (!files[i].path)
			continue;
		text_clear(&out);
		files[i].add(&out, mapping->machine, &mapping->after);
		written = write_output(files[i].path, &out);
	}
	if (written && choice.split) {
		text_clear(&out);
		text_add_split_keys(&out, &mapping->before, &mapping->after);
		written = write_output(choice.split, &out);
	}
	text_release(&out);
	if (written && choice.hostfile && hosts_come_again(&mapping->after, mapping->machine->node_count))
		say("MPICH treats a host that is repeated in '%s' as another node without shared memory: with MPICH, use --split",
		    choice.hostfile);
	return written;
}

static bool show(const struct rank_mapping *mapping, const char *trace)
{
	const char *const files[] = {choice.rankfile, choice.slurm, choice.hostfile, choice.split};
	struct text out = {0};

	if (!write_files(mapping))
		return false;
	if (any_is_stdout(files, sizeof files / sizeof *files))
		return true;
	if (choice.json) {
		struct json json = {.out = &out};
		uint32_t *keys;

		json_open(&json, NULL, '{');
		json_text(&json, "trace", trace);
		json_text(&json, "machine", mapping->machine->source);
		json_number(&json, "ranks", mapping->before.count);
		json_number(&json, "moved", mapping->moved);
		json_exact(&json, "message_bytes", mapping->traffic->messages.bytes);
		json_exact(&json, "collective_bytes", mapping->traffic->collectives.bytes);
		json_exact(&json, "left_out_bytes", mapping->traffic->left_out_bytes);
		add_sums_json(&json, "before", mapping, &mapping->sums_before);
		add_sums_json(&json, "after", mapping, &mapping->sums_after);
		keys = split_keys(&mapping->before, &mapping->after);
		json_open(&json, "placement", '[');
		for (uint32_t i = 0; i < mapping->after.count; i++) {
			json_open(&json, NULL, '{');
			json_number(&json, "rank", i);
			json_text(&json, "node",
			          machine_node(mapping->machine, mapping->after.cores[i].node)->name);
			json_number(&json, "core", mapping->after.cores[i].core);
			json_number(&json, "split_key", keys[i]);
			json_close(&json, '}');
		}
		json_close(&json, ']');
		free(keys);
		json_close(&json, '}');
	} else {
		add_text(&out, mapping, trace);
		text_strip_controls(&out);
		if (!speaks_utf8())
			fold_to_ascii(&out);
	}
	fputs(text_get(&out), stdout);
	text_release(&out);
	return true;
}

/* Reading */

static struct traffic_graph *read_traffic_of(struct reader *reader, const struct job_ranks *ranks)
{
	struct analysis_session *session = session_new(reader);
	struct traffic_graph *graph;

	progress_begin("reading");
	session->progress = progress_show;
	session_correct_time(session);
	graph = read_traffic(session, ranks);
	progress_end();
	session_free(session);
	return graph;
}

static enum status place_before(const struct machine *machine, const struct job_ranks *ranks,
                                struct placement *placement)
{
	struct text why = {0};
	enum status status;

	if (strcmp(choice.before, "trace") != 0)
		return placement_fill(placement, machine, ranks->count,
		                      strcmp(choice.before, "cyclic") == 0 ? PLACE_CYCLIC : PLACE_BLOCK,
		                      (uint64_t)choice.per_node);
	if (placement_of_job(placement, machine, ranks->at, ranks->count) == OK)
		return OK;
	text_add(&why, "%s", trail_text());
	status = fail("%s; to plan for a machine that the job did not run on, use --before block",
	              text_get(&why));
	text_release(&why);
	return status;
}

static int map_job(struct reader *reader, const struct job_ranks *ranks)
{
	struct rank_mapping mapping = {0};
	struct traffic_graph *traffic;
	struct machine *machine;
	enum status status;
	bool is_shown = false;

	if (job_machine_open(choice.machine, ranks, &machine) != OK)
		return report_failure();
	if (place_before(machine, ranks, &mapping.before) != OK) {
		machine_free(machine);
		return report_failure();
	}
	say_placement_doubts(machine, &mapping.before);
	/* Measurements of this machine do not apply to a machine described in words. */
	if (!machine->is_synthetic && machine_add_measured_costs(machine) != OK)
		say("%s", trail_text());
	mapping.machine = machine;
	mapping.traffic = traffic = read_traffic_of(reader, ranks);
	status = rank_mapping_make(&mapping);
	if (status == OK)
		is_shown = show(&mapping, reader->path);
	else
		report_failure();
	rank_mapping_release(&mapping);
	traffic_graph_free(traffic);
	machine_free(machine);
	return is_shown ? EXIT_FINE : EXIT_FAILED;
}

static enum status check_choice(void)
{
	return choice.per_node && strcmp(choice.before, "trace") == 0
	               ? fail("--ranks-per-node is for --before block or cyclic")
	               : OK;
}

static int run_map(const struct invocation *given)
{
	struct job_ranks ranks;
	struct reader *reader;
	int code;

	if (!open_trace(given->argv[0], &reader))
		return EXIT_FAILED;
	code = job_ranks_read(reader, &ranks) == OK ? map_job(reader, &ranks) : report_failure();
	say_damage(reader);
	job_ranks_release(&ranks);
	reader_close(reader);
	return code;
}

const struct command command_map = {
	.name = "map",
	.summary = "place the ranks of a job by the traffic in its trace",
	.usage = "[options] TRACE",
	.example = "tarry map run.tarry --machine cluster.conf --rankfile ranks.txt\n"
		   "tarry map run.tarry --machine \"switch:2 node:4 core:8\" --before block",
	.options = options,
	.operands = {1, 1},
	.check = check_choice,
	.run = run_map,
};
