#include "cli/info.h"

#include "analysis/model/recorded_part.h"
#include "analysis/model/wrong_launcher.h"
#include "output/report/files.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define DELAY_SHOWN 0.01

enum {
	LABEL_WIDTH = 15,
	FUNCTIONS_SHOWN = 20,
	PLACES_SHOWN = 3,
	COMMS_SHOWN = 8,
	LOSSES_SHOWN = 8,
	WIDTH = 100
};

static void add_label(struct text *out, const char *label)
{
	text_add(out, "%-*s", LABEL_WIDTH, label);
}

/* The noun for numbers of processes. */
static const char *rank_word(const struct summary *summary, uint64_t count)
{
	if (summary->paradigm == PARADIGM_UPC)
		return count == 1 ? "thread" : "threads";
	return count == 1 ? "rank" : "ranks";
}

static void add_heading(const struct info_input *input, struct text *out)
{
	const struct reader *reader = input->reader;
	const struct summary *summary = input->summary;
	uint64_t calls = input->figures.figures->calls;
	bool is_upc = summary->paradigm == PARADIGM_UPC;

	text_add(out, "%s: %s", reader->path,
	         is_upc ? AS_COUNTED(reader->process_count, "UPC thread", "UPC threads")
	                : AS_COUNTED(reader->process_count, "process", "processes"));
	if (summary->worlds > 1)
		text_add(out, " in %zu worlds", summary->worlds);
	if (summary->threads != reader->process_count)
		text_add(
			out, ", %s",
			is_upc ? AS_COUNTED(summary->threads, "thread of the system", "threads of the system")
			       : AS_COUNTED(summary->threads, "thread", "threads"));
	text_add(out, ", %s, %s", AS_COUNTED(calls, "call", "calls"), AS_SIZE(reader->used_bytes));
	if (calls)
		text_add(out, " (%.1f bytes per call)", bytes_per_call(input));
	text_add(out, "\n");
	if (reader->is_parts)
		text_add(
			out,
			"The job still runs, or it was killed: 'tarry recover' makes a trace of its parts.\n");
	text_add(out, "\n");
}

static void add_date(const struct info_input *input, struct text *out)
{
	const struct summary *summary = input->summary;
	const struct run_spans *windows = input->figures.figures->run;
	time_t seconds = (time_t)(summary->start_ns / 1000000000);
	struct tm date;
	char text[64];

	add_label(out, "ran");
	text_add(out, "%s", AS_SECONDS(1e-9 * (double)windows->elapsed_ns));
	if (summary->start_ns && gmtime_r(&seconds, &date) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &date))
		text_add(out, ", from %s", text);
	text_add(out, "\n");
}

/* Shares and efficiencies are of this. */
static void add_run(const struct info_input *input, struct text *out)
{
	const struct run_spans *windows = input->figures.figures->run;
	const struct efficiency *efficiency = &input->figures.figures->efficiency;
	bool is_upc = input->summary->paradigm == PARADIGM_UPC;

	if (windows->init_ns || windows->finalize_ns) {
		add_label(out, "run");
		text_add(out, "%s; outside of it", AS_SECONDS(1e-9 * (double)windows->length_ns));
		if (windows->init_ns)
			text_add(out, " MPI_Init %s", AS_SECONDS(1e-9 * (double)windows->init_ns));
		if (windows->finalize_ns)
			text_add(out, "%s %s %s", windows->init_ns ? "," : "",
			         is_upc                                       ? "upc_exit"
			         : input->summary->paradigm == PARADIGM_SHMEM ? "shmem_finalize"
			                                                      : "MPI_Finalize",
			         AS_SECONDS(1e-9 * (double)windows->finalize_ns));
		text_add(out, " of all %s\n", is_upc ? "threads" : "processes");
	}
	if (efficiency->is_known) {
		add_label(out, "efficiency");
		text_add(out, "%.0f %% parallel = %.0f %% load balance × %.0f %% communication\n",
		         100 * efficiency->parallel, 100 * efficiency->load_balance,
		         100 * efficiency->communication);
	}
}

/* One line each, with ranks only if they differ. */
static void add_sharings(const char *label, const struct summary *summary, const struct sharing *sharings,
                         size_t count, bool always_ranks, struct text *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct sharing *sharing = &sharings[i];
		if (!*sharing->text)
			continue;
		add_label(out, i ? "" : label);
		text_add(out, "%s", sharing->text);
		if (count > 1 || always_ranks)
			text_add(out, " (%s %s)", rank_word(summary, sharing->count), sharing->ranks);
		text_add(out, "\n");
	}
}

static void add_mpi(const struct reader *reader, struct text *out)
{
	static const struct {
		const char *key, *before;
	} parts[] = {
		{"mpi_version", ""},
		{"mpi_standard", ", standard "},
		{"thread_level", ", thread level "},
		{"launcher", ", started by "},
	};

	if (!any_property(reader, "mpi_version"))
		return;
	add_label(out, "MPI");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *value = any_property(reader, parts[i].key);
		if (value)
			text_add(out, "%s%.*s", parts[i].before, (int)strcspn(value, ",\n"), value);
	}
	text_add(out, "\n");
}

/* The clocks of a trace, taken together. */
struct clock_facts {
	const struct clock_line *first; /* that says what kind it is */
	uint32_t used;                  /* by processes */
	uint32_t compared;
	uint32_t comparisons;
	double uncertainty_ns;
	double least_ppm, most_ppm; /* drift against the reference */
};

static struct clock_facts facts_of(const struct info_input *input)
{
	const struct clocks *clocks = input->time->clocks;
	struct clock_facts facts = {0};

	for (uint32_t i = 0; i < clocks->line_count; i++) {
		const struct clock_line *line = &clocks->lines[i];
		double uncertainty_ns = input->summary->uncertainty_ns[i];
		double drift = clock_drift_ppm(line);

		if (!line->processes)
			continue;
		facts.used++;
		if (!facts.first && *line->name)
			facts.first = line;
		if (!line->is_compared)
			continue;
		facts.compared++;
		facts.comparisons += line->measured;
		facts.uncertainty_ns = fmax(facts.uncertainty_ns, uncertainty_ns);
		facts.least_ppm = fmin(facts.least_ppm, drift);
		facts.most_ppm = fmax(facts.most_ppm, drift);
	}
	return facts;
}

static void add_order(const struct corrected_time *time, struct text *out)
{
	uint64_t early = time->before.messages + time->before.collectives;
	uint64_t left = time->after.messages + time->after.collectives;

	if (!time->counts.messages && !time->counts.collectives)
		return;
	add_label(out, "order");
	if (!early) {
		text_add(out, "no message arrives before it was sent\n");
		return;
	}
	text_add(out, "by these clocks ");
	if (time->before.messages)
		text_add(out, "%s received before being sent",
		         AS_COUNTED(time->before.messages, "message", "messages"));
	if (time->before.collectives)
		text_add(out, "%s%s left before others arrived", time->before.messages ? ", " : "",
		         AS_COUNTED(time->before.collectives, "collective call", "collective calls"));
	text_add(out, ", by up to %s;\n", AS_SECONDS((double)time->before.worst_ns * 1e-9));
	add_label(out, "");
	if (left)
		text_add(out, "corrected times leave %" PRIu64 " of them\n", left);
	else
		text_add(out, "corrected times have none\n");
}

/* Operations whose other side is missing, because its process was killed or not recorded. */
static void add_unmatched(const struct replay_counts *counts, struct text *out)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} parts[] = {
		{counts->unmatched_sends, "message without a recorded receive",
	         "messages without a recorded receive"},
		{counts->unmatched_receives, "receive without a recorded send",
	         "receives without a recorded send"},
		{counts->incomplete_collectives, "collective call without all members",
	         "collective calls without all members"},
		{counts->unrecorded, "message or collective call was recorded only in part",
	         "messages and collective calls were recorded only in part"},
	};
	size_t listed = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].count)
			continue;
		if (listed++)
			text_add(out, ", ");
		else
			add_label(out, "unmatched");
		text_add_counted(out, parts[i].count, parts[i].one, parts[i].many);
	}
	text_add(out, listed ? "\n" : "");
}

static void add_clocks(const struct info_input *input, struct text *out)
{
	struct clock_facts facts = facts_of(input);

	add_label(out, "clock");
	if (facts.first)
		text_add(out, "%s, %.6g MHz", facts.first->name, (double)facts.first->rate * 1e-6);
	else
		text_add(out, "not recorded: assuming 1 ns per tick");
	if (facts.used == 1 && facts.first && facts.first->processes > 1)
		text_add(out, ", the same for all processes");
	text_add(out, "\n");
	/* How well they agree. */
	if (facts.compared > 1) {
		add_label(out, "");
		text_add(out, "%u clocks, compared %s: corrected to within %s", facts.compared,
		         AS_COUNTED(facts.comparisons, "time", "times"),
		         AS_SECONDS(facts.uncertainty_ns * 1e-9));
		if (facts.most_ppm - facts.least_ppm >= 1e-3)
			text_add(out, ", drift from %.3g to %.3g ppm", facts.least_ppm, facts.most_ppm);
		text_add(out, "\n");
	}
	if (facts.used > facts.compared && facts.first) {
		add_label(out, "");
		if (facts.compared > 1)
			text_add(out, "%u more were not compared: their processes use the time of day\n",
			         facts.used - facts.compared);
		else
			text_add(out,
			         "clocks were not compared: times of different clocks use the time of day\n");
	}
	add_order(input->time, out);
	/* Unrecorded calls may have been in between: a guess could invent violations. */
	if (input->time->counts.passed_over) {
		add_label(out,
		          input->time->counts.messages || input->time->counts.collectives ? "" : "order");
		text_add(out, "%s not checked: calls that were lost or not recorded may belong to %s\n",
		         AS_COUNTED(input->time->counts.passed_over, "call was", "calls were"),
		         input->time->counts.passed_over == 1 ? "it" : "them");
	}
	add_unmatched(&input->time->counts, out);
}

/* The name given by the program, or how the object was created; "": neither is known. */
static const char *name_of_comm(const struct comm_summary *comm)
{
	return *comm->name ? comm->name : comm->made;
}

/* Every process has an MPI_COMM_SELF. Returns how many communicators have this name; 0: already counted with
 * an earlier one. */
static size_t count_namesakes(const struct summary *summary, size_t index)
{
	const struct comm_summary *comm = &summary->comms[index];
	size_t count = 1;

	if (!*name_of_comm(comm))
		return 1;
	for (size_t i = 0; i < summary->comm_count; i++) {
		bool alike = i != index &&
		             strcmp(name_of_comm(&summary->comms[i]), name_of_comm(comm)) == 0 &&
		             summary->comms[i].size == comm->size;
		if (alike && i < index)
			return 0;
		count += alike;
	}
	return count;
}

static void add_comms(const struct summary *summary, struct text *out)
{
	struct text list = {0};
	size_t shown = 0, listed = 0;

	if (!summary->comm_count)
		return;
	for (size_t i = 0; i < summary->comm_count && shown < COMMS_SHOWN; i++) {
		const struct comm_summary *comm = &summary->comms[i];
		size_t namesakes = count_namesakes(summary, i);
		listed += namesakes;
		if (!namesakes)
			continue;
		text_add(&list, shown++ ? ", " : "");
		if (namesakes > 1)
			text_add(&list, "%zu × ", namesakes);
		if (*name_of_comm(comm))
			text_add(&list, "%s", name_of_comm(comm));
		else
			text_add(&list, "0x%" PRIx64, comm->identity);
		text_add(&list, " (%" PRIu64, comm->size);
		if (comm->kind == COMM_INTER)
			text_add(&list, " and %" PRIu64, comm->remote_size);
		else if (comm->kind > COMM_INTER && comm->kind <= COMM_DIST_GRAPH)
			text_add(&list, ", %s", comm_kind_names[comm->kind]);
		text_add(&list, ")");
	}
	if (summary->comm_count > listed)
		text_add(&list, " and %zu more", summary->comm_count - listed);
	add_label(out, "communicators");
	text_add_wrapped(out, text_get(&list), LABEL_WIDTH, WIDTH);
	text_release(&list);
}

static void add_eager(const struct reader *reader, struct text *out)
{
	struct eager_source sources[EAGER_SOURCES];
	const size_t count = eager_sources(reader, sources);
	bool are_all_known = true;

	if (!count)
		return;
	add_label(out, "eager");
	for (size_t i = 0; i < count; i++) {
		are_all_known &= sources[i].is_known;
		text_add(out, "%s%s ", i ? ", " : "", sources[i].distance);
		if (!sources[i].is_known) {
			text_add(out, "unknown");
			continue;
		}
		text_add(out, "up to %s", AS_SIZE(sources[i].bytes));
		if (sources[i].variable)
			text_add(out, " (%s)", sources[i].variable);
	}
	text_add(out, "\n");
	if (!are_all_known) {
		add_label(out, "");
		text_add(out,
		         "reports infer unknown limits from messages; --set eager=SIZE sets the limit\n");
	}
}

/* Then nothing else here tells anything. */
static void add_useless(const struct reader *reader, struct text *out)
{
	struct arena arena = {0};
	struct recorded_part part = recorded_part_of(reader, &arena);
	struct wrong_launcher wrong = find_wrong_launcher(reader);
	struct text line = {0};

	if (part.never_came)
		text_add(&line, "%s never occurred: nothing was recorded%s%s", part.never_came,
		         part.seen ? "; seen: " : "", part.seen ? part.seen : "");
	if (wrong.processes)
		text_add(
			&line,
			"%s%" PRIu64
			" processes are each alone in MPI_COMM_WORLD: the program uses %s but was started by %s",
			line.length ? "; " : "", wrong.processes, wrong.library, wrong.launcher);
	if (line.length) {
		add_label(out, "warning");
		text_add_wrapped(out, text_get(&line), LABEL_WIDTH, WIDTH);
	}
	text_release(&line);
	arena_release(&arena);
}

/* Even on an idle machine, threads wait a little when they are woken. */
static void add_scheduling(const struct info_input *input, struct text *out)
{
	const struct summary *summary = input->summary;
	const struct figures *figures = input->figures.figures;
	double share = figures->run->time_ns > 0 ? figures->scheduling_ns / (double)figures->run->time_ns : 0;

	if (share < DELAY_SHOWN)
		return;
	add_label(out, "processors");
	text_add(out, "threads waited for a CPU %.0f %% of the time, %s in all", 100 * share,
	         AS_SECONDS(1e-9 * figures->scheduling_ns));
	if (summary->crowding.cores)
		text_add(out, ": %" PRIu32 " %s on %" PRIu32 " %s", summary->crowding.processes,
		         rank_word(summary, summary->crowding.processes), summary->crowding.cores,
		         summary->crowding.cores == 1 ? "core" : "cores");
	text_add(out, "\n");
}

static void add_traffic(const char *label, uint64_t count, uint64_t bytes, struct text *out)
{
	add_label(out, label);
	text_add_count(out, count);
	if (count)
		text_add(out, " with %s", AS_SIZE(bytes));
	text_add(out, "\n");
}

static void add_messages(const struct info_input *input, struct text *out)
{
	const struct summary *summary = input->summary;
	const struct data_flow *flow = input->figures.flow;
	uint64_t marks = input->figures.figures->marks;

	if (summary->paradigm != PARADIGM_UPC && summary->paradigm != PARADIGM_SHMEM)
		add_traffic("messages", flow->messages.count, flow->messages.bytes, out);
	if (summary->paradigm != PARADIGM_MPI)
		add_traffic("accesses", flow->accesses.count, flow->accesses.bytes, out);
	if (marks) {
		add_label(out, "own marks");
		text_add_count(out, marks);
		text_add(out, "\n");
	}
}

static void add_row(const struct info_input *input, const struct tally *tally, int indent, struct text *out)
{
	int64_t time_ns = input->figures.figures->run->time_ns;
	struct text calls = {0};

	text_add_count(&calls, tally->calls);
	text_add(out, "%*s%-*s %14s %12s", indent, "", 34 - indent, tally->name, text_get(&calls),
	         AS_SECONDS(1e-9 * (double)tally->inside_ns));
	text_release(&calls);
	if (tally->inside_ns && !tally->run_ns)
		text_add(out, " %8s", "-"); /* before or after the run */
	else
		text_add(out, " %6.1f %%", time_ns > 0 ? 100 * (double)tally->run_ns / (double)time_ns : 0);
	if (tally->bytes)
		text_add(out, " %12s", AS_SIZE(tally->bytes));
	text_add(out, "\n");
}

static void add_places(const struct info_input *input, size_t function, struct text *out)
{
	const struct summary *summary = input->summary;
	size_t shown = 0;

	for (size_t i = 0; i < summary->place_count && shown < PLACES_SHOWN; i++) {
		if (summary->places[i].function == function) {
			add_row(input, &summary->places[i], 2, out);
			shown++;
		}
	}
}

static void add_functions(const struct info_input *input, struct text *out)
{
	const struct summary *summary = input->summary;

	if (!summary->function_count)
		return;
	text_add(out, "\n%-34s %14s %12s %8s %12s\n", "function and call site", "calls", "time", "share",
	         "bytes");
	for (size_t i = 0; i < summary->function_count && i < FUNCTIONS_SHOWN; i++) {
		add_row(input, &summary->functions[i], 0, out);
		add_places(input, i, out);
	}
	if (summary->function_count > FUNCTIONS_SHOWN)
		text_add(out, "and %zu more functions: see 'tarry info --json'\n",
		         summary->function_count - FUNCTIONS_SHOWN);
	text_add(
		out,
		"Time is inside the calls, summed over threads. Shares refer to the time of all threads in the run.\n");
}

/* The same tables as in a report. */
static void add_figures(const struct info_input *input, struct text *out)
{
	const struct report_style style = {.width = WIDTH};
	struct sheet sheet = {.style = &style,
	                      .language = {.paradigm = input->summary->paradigm},
	                      .locale = locale_of(NULL),
	                      .out = out};

	add_phases(&sheet, &input->figures);
	add_ranks(&sheet, &input->figures);
	add_data_flow(&sheet, &input->figures);
	add_files(&sheet, &input->figures, FILES_SHOWN);
}

static void add_losses(const struct summary *summary, struct text *out)
{
	for (size_t i = 0; i < summary->loss_count && i < LOSSES_SHOWN; i++) {
		const struct loss_summary *loss = &summary->losses[i];
		text_add(out, i ? "" : "\n");
		if (loss->process->rank == PROCESS_UNKNOWN)
			text_add(out, "a process of unknown rank");
		else
			text_add(out, "%s %" PRIu32, rank_word(summary, 1), loss->process->rank);
		if (loss->stream && loss->stream->number)
			text_add(out, ", thread %u,", loss->stream->number);
		if (loss->seconds > 0)
			text_add(out, " was not recorded after %s: %s\n", AS_SECONDS(loss->seconds),
			         loss->reason);
		else
			text_add(out, " was not recorded from the start: %s\n", loss->reason);
	}
	if (summary->loss_count > LOSSES_SHOWN)
		text_add(out, "and %zu more were not recorded to the end\n",
		         summary->loss_count - LOSSES_SHOWN);
}

static void add_note(void *out, const char *note)
{
	text_add(out, "note: %s\n", note);
}

void info_text(const struct info_input *input, struct text *out)
{
	const struct reader *reader = input->reader;
	const struct summary *summary = input->summary;
	struct text rules = {0};
	const char *upc, *version, *shmem;

	add_heading(input, out);
	add_sharings("program", summary, summary->programs, summary->program_count, false, out);
	add_date(input, out);
	add_run(input, out);
	add_sharings("where", summary, summary->hosts, summary->host_count, true, out);
	add_mpi(reader, out);
	upc = any_property(reader, "upc");
	version = any_property(reader, "upc_version");
	if (upc) {
		add_label(out, "UPC");
		text_add(out, "%s%s%s\n", upc, version ? " " : "", version ? version : "");
	}
	shmem = any_property(reader, "shmem");
	if (shmem) {
		add_label(out, "OpenSHMEM");
		text_add(out, "%s\n", shmem);
	}
	add_clocks(input, out);
	add_comms(summary, out);
	add_eager(reader, out);
	/* The reader must know that other calls were made. All processes had the same selection, so use that
	 * of the first one. */
	for (size_t i = 0; i < reader->process_count && !rules.length; i++)
		for (size_t j = 0; j < reader->processes[i].property_count; j++)
			if (strcmp(reader->processes[i].properties[j].key, "selection") == 0)
				text_add(&rules, "%s %s", rules.length ? "" : "only a part:",
				         reader->processes[i].properties[j].value);
	if (rules.length) {
		text_add(&rules, "; other calls are %s",
		         process_property(reader->processes, "counted") ? "counted, but not in this trace"
		                                                        : "not in this trace");
		add_label(out, "recorded");
		text_add_wrapped(out, text_get(&rules), LABEL_WIDTH, WIDTH);
	}
	text_release(&rules);
	add_useless(reader, out);
	add_scheduling(input, out);
	add_messages(input, out);
	add_functions(input, out);
	add_figures(input, out);
	add_losses(summary, out);
	open_calls_text(&input->open, "\n", out);
	each_note(reader, add_note, out);
	text_strip_controls(out);
}
