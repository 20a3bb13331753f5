#include "analysis/whatif/remedy.h"
#include "analysis/whatif/whatif.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/rank_mapping.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"
#include "language/language.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	const char *json, *machine, *symbols, *lang;
	uint64_t eager; /* UINT64_MAX: not given */
	int64_t jobs;
} choice = {.eager = UINT64_MAX};

static const struct option_spec options[] = {
	{"eager", 0, "SIZE",
         "also predict the run with this eager limit: messages up to SIZE do not wait for their receivers",
         OPTION_SIZE, &choice.eager},
	{"machine", 'm', "MACHINE",
         "where 'tarry map' places the ranks: a file, or words such as \"switch:2 node:4 socket:2 core:8\" "
         "(default: the known machine)",
         OPTION_TEXT, &choice.machine},
	{"json", 0, "FILE", "write the predictions to FILE as JSON; '-': print that instead of text",
         OPTION_TEXT, &choice.json},
	LANGUAGE_OPTION(choice.lang),
	SYMBOLS_OPTION(choice.symbols),
	JOBS_OPTION(choice.jobs),
	OPTIONS_END,
};

/* Conditions for the whole run, with their names for programs. */
struct run_question {
	const char *name, *text;
	struct whatif_scenario scenario;
};

static const struct run_question run_questions[] = {
	{"ideal_network",
         "ideal network: communication takes no time",
         {.factors = {.transfer = 0, .library = 0, .delay = 1}, .eager = EAGER_RECORDED}},
	{"fast_network",
         "network twice as fast",
         {.factors = {.transfer = 0.5, .library = 1, .delay = 1}, .eager = EAGER_RECORDED}},
	{"balanced",
         "perfect balance: no rank computes longer than the mean",
         {.factors = {.transfer = 1, .library = 1, .delay = 1},
          .eager = EAGER_RECORDED,
          .is_balanced = true}},
	{"no_noise",
         "no noise: every rank always has a CPU",
         {.factors = {.transfer = 1, .library = 1, .delay = 0}, .eager = EAGER_RECORDED}},
	{"all_eager",
         "no send waits for its receiver",
         {.factors = {.transfer = 1, .library = 1, .delay = 1}, .eager = INT64_MAX}},
	{"placed",
         "placement of 'tarry map'",
         {.factors = {.transfer = 1, .library = 1, .delay = 1, .is_placed = true}, .eager = EAGER_RECORDED}},
};

enum {
	RUN_QUESTIONS = sizeof run_questions / sizeof *run_questions,
	PLACED = RUN_QUESTIONS - 1, /* its number */
	COMBINED = 5,               /* findings that are combined: the first */
	COMBINATIONS = 1 << COMBINED,
};

/* The scenarios: for the run, for combinations of findings, and for all findings together. The report has the
 * predictions for single findings. */
struct question_list {
	struct whatif_scenario scenarios[RUN_QUESTIONS + 1 + COMBINATIONS + 1];
	size_t run_count, count;
	size_t combined[COMBINED], combined_count; /* findings, by their position in the report, from 0 */
	size_t combination[COMBINATIONS]; /* scenarios by the findings in them: a bit for each; 0: none */
	struct remedy combinations[COMBINATIONS];
	struct remedy together; /* all findings; the last scenario */
	size_t together_count;  /* without consequences of others */
	struct text eager_text;
	uint32_t *node_of; /* by process, of the placement of 'tarry map'; NULL: none */
	struct network_link links[DISTANCES];
};

static void ask_about_remedy(struct question_list *list, const struct remedy *remedy)
{
	list->scenarios[list->count++] = (struct whatif_scenario){.factors = FACTORS_RECORDED,
	                                                          .eager = EAGER_RECORDED,
	                                                          .changes = remedy->changes.items,
	                                                          .change_count = remedy->changes.count};
}

static void add_remedy(struct remedy *sum, const struct report *report, size_t number)
{
	struct remedy remedy;

	entry_remedy(report, &report->entries[number], &remedy);
	for (size_t i = 0; i < remedy.changes.count; i++)
		remedy_add(sum, &remedy.changes.items[i]);
	remedy_release(&remedy);
}

/* A fix of a finding also fixes its consequences. */
static void ask_about_findings(struct question_list *list, const struct report *report)
{
	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];
		if (entry->explained_by)
			continue;
		list->together_count++;
		add_remedy(&list->together, report, i);
		if (list->combined_count < COMBINED && !entry->answer.doubt && entry->answer.saves_ns > 0)
			list->combined[list->combined_count++] = i;
	}
	for (unsigned set = 0; set < 1u << list->combined_count; set++) {
		if (__builtin_popcount(set) < 2)
			continue;
		for (size_t i = 0; i < list->combined_count; i++)
			if (set >> i & 1)
				add_remedy(&list->combinations[set], report, list->combined[i]);
		list->combination[set] = list->count;
		ask_about_remedy(list, &list->combinations[set]);
	}
	if (list->together_count)
		ask_about_remedy(list, &list->together);
}

/* Nodes as the trace has them. */
static uint32_t *nodes_of_mapping(const struct analysis_session *session, const struct job_ranks *ranks,
                                  const struct rank_mapping *mapping)
{
	size_t count = session->reader->process_count;
	uint32_t *node_of = memory_new(count + 1, sizeof *node_of);
	uint32_t *known = memory_new(mapping->machine->node_count + 1u, sizeof *known);

	for (size_t i = 0; i < count; i++)
		node_of[i] = session->nodes->of[i];
	for (uint32_t i = 0; i < ranks->count; i++)
		known[mapping->before.cores[i].node] = session->nodes->of[ranks->processes[i]];
	for (uint32_t i = 0; i < ranks->count; i++)
		node_of[ranks->processes[i]] = known[mapping->after.cores[i].node];
	free(known);
	return node_of;
}

static struct network_link link_at(const struct machine *machine, int level)
{
	const struct level_cost *cost = &machine->costs[level];

	return cost->is_known ? (struct network_link){cost->latency_s * 1e9, cost->bytes_per_s / 1e9}
	                      : (struct network_link){0};
}

/* Messages within a node and between nodes, each between the cores of the new placement that are furthest from each other. */
static void find_links(const struct rank_mapping *mapping, struct network_link *links)
{
	const struct machine *machine = mapping->machine;
	uint32_t *last = memory_new(machine->node_count + 1u, sizeof *last); /* rank on a node, from 1 */
	int furthest = LEVEL_CORE;

	for (uint32_t i = 0; i < mapping->after.count; i++) {
		struct core core = mapping->after.cores[i];
		uint32_t *other = &last[core.node];
		int level = *other ? machine_level(machine, mapping->after.cores[*other - 1], core)
		                   : LEVEL_CORE;
		furthest = level > furthest ? level : furthest;
		*other = i + 1;
	}
	links[DISTANCE_NODE] = link_at(machine, furthest);
	links[DISTANCE_NETWORK] = link_at(machine, machine_top_level(machine));
	free(last);
}

/* `list->node_of` stays NULL if the ranks cannot be placed. On one node there is nothing to predict. Fails if the user named the machine. */
static enum status place_ranks(struct analysis_session *session, struct question_list *list)
{
	struct rank_mapping mapping = {0};
	struct traffic_graph *traffic = NULL;
	struct machine *machine = NULL;
	struct job_ranks ranks = {0};
	enum status status;

	if (session->nodes->count < 2 || job_ranks_read(session->reader, &ranks) != OK)
		return OK;
	status = job_machine_open(choice.machine, &ranks, &machine);
	if (status == OK)
		status = placement_of_job(&mapping.before, machine, ranks.at, ranks.count);
	if (status == OK) {
		/* Measurements of this machine do not apply to an invented one. */
		if (!machine->is_synthetic && machine_add_measured_costs(machine) != OK)
			say("%s", trail_text());
		mapping.machine = machine;
		mapping.traffic = traffic = read_traffic(session, &ranks);
		status = rank_mapping_make(&mapping);
	}
	if (status == OK) {
		list->node_of = nodes_of_mapping(session, &ranks, &mapping);
		find_links(&mapping, list->links);
	}
	rank_mapping_release(&mapping);
	traffic_graph_free(traffic);
	machine_free(machine);
	job_ranks_release(&ranks);
	return choice.machine ? status : OK;
}

static enum status ask(struct question_list *list, const struct report *report)
{
	for (size_t i = 0; i < RUN_QUESTIONS; i++)
		list->scenarios[list->count++] = run_questions[i].scenario;
	TRY(place_ranks(report->analysis->session, list));
	list->scenarios[PLACED].node_of = list->node_of;
	if (choice.eager != UINT64_MAX) {
		list->scenarios[list->count++] = (struct whatif_scenario){
			.factors = FACTORS_RECORDED,
			.eager = choice.eager < INT64_MAX ? (int64_t)choice.eager : INT64_MAX};
		add_filled(&list->eager_text, translate(report->analysis->lang, "eager limit of $1"),
		           (const char *[]){AS_SIZE(choice.eager)});
	}
	list->run_count = list->count;
	ask_about_findings(list, report);
	return OK;
}

static void release_questions(struct question_list *list)
{
	for (size_t i = 0; i < COMBINATIONS; i++)
		remedy_release(&list->combinations[i]);
	remedy_release(&list->together);
	text_release(&list->eager_text);
	free(list->node_of);
}

/* The set of this many findings that saves most; 0: none is predictable. */
static unsigned best_combination(const struct question_list *list, const struct whatif *whatif, int size)
{
	unsigned best = 0;

	for (unsigned set = 0; set < 1u << list->combined_count; set++) {
		const struct whatif_answer *answer = &whatif->answers[list->combination[set]];
		if (__builtin_popcount(set) == size && !answer->doubt &&
		    (!best || answer->saves_ns > whatif->answers[list->combination[best]].saves_ns))
			best = set;
	}
	return best;
}

static const char *question_text(const struct question_list *list, const char *lang, size_t number)
{
	return number < RUN_QUESTIONS ? translate(lang, run_questions[number].text)
	                              : text_get(&list->eager_text);
}

/* Text */

static void add_answer(struct text *out, const char *lang, const struct whatif_answer *answer,
                       const char *text)
{
	scoped_text value = {0}, reason = {0};
	const char *unknown = translate(lang, "not predictable");

	if (answer->doubt) {
		text_add_repeated(out, ' ', 23 - (text_width(unknown) < 23 ? text_width(unknown) : 23));
		text_add(out, "%s  %s\n", unknown, text);
		add_filled(&reason, translate(lang, "because $1"),
		           (const char *[]){translate(lang, whatif_doubt_texts[answer->doubt])});
		text_add(out, "%25s%s\n", "", text_get(&reason));
		return;
	}
	text_add_seconds_in(&value, locale_of(lang), (double)answer->saves_ns / 1e9);
	text_add_repeated(out, ' ',
	                  12 - (text_width(text_get(&value)) < 12 ? text_width(text_get(&value)) : 12));
	text_add(out, "%s  ", text_get(&value));
	text_clear(&value);
	text_add_decimal(&value, locale_of(lang), 1, 100 * answer->saves_share);
	text_add(out, "%7s %%  %s\n", text_get(&value), text);
}

static void add_findings(struct text *out, const struct report *report)
{
	const char *lang = report->analysis->lang;

	text_add(out, "\n%s\n",
	         translate(lang, "If a finding were fixed (fixes overlap: their savings do not add up):"));
	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];
		scoped_text text = {0};
		text_add(&text, "%s%zu. %s%s%s", entry->explained_by ? "  " : "", i + 1,
		         problem_name(entry->problem, lang), *entry->at.text ? ", " : "", entry->at.text);
		if (*remedy_texts[entry->remedy])
			text_add(&text, ": %s", translate(lang, remedy_texts[entry->remedy]));
		add_answer(out, lang, &entry->answer, text_get(&text));
	}
}

/* "1 + 3" */
static void add_set(struct text *out, const struct question_list *list, unsigned set)
{
	const char *gap = "";

	for (size_t i = 0; i < list->combined_count; i++)
		if (set >> i & 1) {
			text_add(out, "%s%zu", gap, list->combined[i] + 1);
			gap = " + ";
		}
}

static void add_combinations(struct text *out, const char *lang, const struct question_list *list,
                             const struct whatif *whatif)
{
	if (list->combined_count > 1)
		text_add(out, "\n%s\n", translate(lang, "The best combinations of the first findings:"));
	for (int size = 2; size <= (int)list->combined_count; size++) {
		unsigned best = best_combination(list, whatif, size);
		scoped_text text = {0};
		if (!best)
			continue;
		add_set(&text, list, best);
		add_answer(out, lang, &whatif->answers[list->combination[best]], text_get(&text));
	}
	if (list->together_count > 1)
		add_answer(out, lang, &whatif->answers[list->count - 1],
		           translate(lang, "all findings together"));
}

/* "latency 1.20 us, overhead 200 ns (send) and 150 ns (receive), …": what is known */
static void add_network(struct text *out, const char *lang, const struct network_model *model, int64_t eager)
{
	const struct {
		const char *words;
		double ns;
	} times[] = {{"latency $1", model->latency},
	             {"send overhead $1", model->send_overhead},
	             {"receive overhead $1", model->receive_overhead},
	             {"gap between messages $1", model->gap}};
	const char *gap = "";

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		scoped_text time = {0};
		if (times[i].ns < 0)
			continue;
		text_add_seconds_in(&time, locale_of(lang), times[i].ns / 1e9);
		text_add(out, "%s", gap);
		add_filled(out, translate(lang, times[i].words), (const char *[]){text_get(&time)});
		gap = ", ";
	}
	if (model->gap_per_byte > 0) {
		text_add(out, "%s", gap);
		add_filled(out, translate(lang, "$1 per second"),
		           (const char *[]){AS_SIZE((uint64_t)(1e9 / model->gap_per_byte))});
		gap = ", ";
	}
	if (eager >= 0) {
		text_add(out, "%s", gap);
		add_filled(out, translate(lang, "eager up to $1"),
		           (const char *[]){AS_SIZE((uint64_t)eager)});
	}
}

static const char *const distance_names[DISTANCES] = {
	[DISTANCE_NODE] = "within nodes", [DISTANCE_NETWORK] = "between nodes"};

static int64_t eager_limit(const struct report *report, enum distance distance)
{
	const struct nodes *nodes = report->analysis->session->nodes;

	return nodes->world_count ? nodes->eager[0][distance] : -1;
}

static void add_networks(struct text *out, const struct report *report, const struct whatif *whatif)
{
	const char *lang = report->analysis->lang;
	bool is_first = true;

	for (enum distance i = 0; i < DISTANCES; i++) {
		if (whatif->networks[i].latency < 0)
			continue;
		if (is_first)
			text_add(out, "\n%s\n", translate(lang, "The fastest messages (LogGP model):"));
		is_first = false;
		text_add(out, "      %s: ", translate(lang, distance_names[i]));
		add_network(out, lang, &whatif->networks[i], eager_limit(report, i));
		text_add(out, "\n");
	}
}

static void add_text(struct text *out, const struct report *report, const struct question_list *list,
                     const struct whatif *whatif)
{
	const char *lang = report->analysis->lang;
	scoped_text length = {0};

	text_add_seconds_in(&length, locale_of(lang), (double)whatif->length_ns / 1e9);
	add_filled(out, translate(lang, "The recorded run takes $1. It would save:"),
	           (const char *[]){text_get(&length)});
	text_add(out, "\n\n");
	for (size_t i = 0; i < list->run_count; i++)
		add_answer(out, lang, &whatif->answers[i], question_text(list, lang, i));
	if (report->shown)
		add_findings(out, report);
	add_combinations(out, lang, list, whatif);
	add_networks(out, report, whatif);
	text_strip_controls(out);
}

/* JSON: docs/whatif.md */

static void add_answer_json(struct json *json, const struct whatif_answer *answer)
{
	json_bool(json, "predictable", !answer->doubt);
	json_text(json, "doubt", answer->doubt ? whatif_doubt_names[answer->doubt] : NULL);
	json_text(json, "reason", answer->doubt ? whatif_doubt_texts[answer->doubt] : NULL);
	json_seconds(json, "length_s", answer->length_ns);
	json_seconds(json, "saves_s", answer->saves_ns);
	json_real(json, "saves_share", answer->saves_share);
}

static void add_findings_json(struct json *json, const struct report *report)
{
	json_open(json, "findings", '[');
	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];
		json_open(json, NULL, '{');
		json_number(json, "number", (int64_t)i + 1);
		json_text(json, "problem", entry->problem->id);
		json_text(json, "place", entry->at.text);
		json_text(json, "remedy", remedy_names[entry->remedy]);
		add_answer_json(json, &entry->answer);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_combinations_json(struct json *json, const struct question_list *list,
                                  const struct whatif *whatif)
{
	json_open(json, "combinations", '[');
	for (int size = 2; size <= (int)list->combined_count; size++) {
		unsigned best = best_combination(list, whatif, size);
		if (!best)
			continue;
		json_open(json, NULL, '{');
		json_open(json, "numbers", '[');
		for (size_t i = 0; i < list->combined_count; i++)
			if (best >> i & 1)
				json_number(json, NULL, (int64_t)list->combined[i] + 1);
		json_close(json, ']');
		add_answer_json(json, &whatif->answers[list->combination[best]]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_time_json(struct json *json, const char *key, double ns)
{
	if (ns < 0)
		json_null(json, key);
	else
		json_real(json, key, ns / 1e9);
}

static void add_networks_json(struct json *json, const struct report *report, const struct whatif *whatif)
{
	json_open(json, "networks", '[');
	for (enum distance i = 0; i < DISTANCES; i++) {
		const struct network_model *model = &whatif->networks[i];
		const int64_t eager = eager_limit(report, i);
		if (model->latency < 0)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "distance", i == DISTANCE_NODE ? "within" : "between");
		add_time_json(json, "latency_s", model->latency);
		add_time_json(json, "send_overhead_s", model->send_overhead);
		add_time_json(json, "receive_overhead_s", model->receive_overhead);
		add_time_json(json, "gap_s", model->gap);
		add_time_json(json, "gap_per_byte_s", model->gap_per_byte);
		if (eager < 0)
			json_null(json, "eager_bytes");
		else
			json_number(json, "eager_bytes", eager);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_json(struct text *out, const struct report *report, const struct question_list *list,
                     const struct whatif *whatif)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "version", 1);
	json_seconds(&json, "length_s", whatif->length_ns);
	json_number(&json, "calls", (int64_t)whatif->calls);
	json_number(&json, "replay_error_ns", whatif->error_ns);
	json_open(&json, "conditions", '[');
	for (size_t i = 0; i < list->run_count; i++) {
		json_open(&json, NULL, '{');
		json_text(&json, "name", i < RUN_QUESTIONS ? run_questions[i].name : "eager");
		json_text(&json, "text", question_text(list, report->analysis->lang, i));
		add_answer_json(&json, &whatif->answers[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	add_networks_json(&json, report, whatif);
	add_findings_json(&json, report);
	add_combinations_json(&json, list, whatif);
	if (list->together_count) {
		json_open(&json, "together", '{');
		add_answer_json(&json, &whatif->answers[list->count - 1]);
		json_close(&json, '}');
	} else {
		json_null(&json, "together");
	}
	json_close(&json, '}');
}

static int answer_questions(const struct trace_analysis *analysed)
{
	struct question_list list = {0};
	struct whatif *whatif;
	struct text out = {0};
	bool is_written;

	if (ask(&list, analysed->report) != OK) {
		release_questions(&list);
		return report_failure();
	}
	progress_begin("predicting");
	whatif = whatif_new(analysed->analysis->session,
	                    &(struct whatif_options){.scenarios = list.scenarios,
	                                             .count = list.count,
	                                             .source = analysed->source,
	                                             .estimates = analysed->analysis->estimates,
	                                             .causes = analysed->analysis->causes,
	                                             .links = {list.links[0], list.links[1]},
	                                             .uses_threads = choice.jobs != 1});
	progress_end();
	if (choice.json)
		add_json(&out, analysed->report, &list, whatif);
	else
		add_text(&out, analysed->report, &list, whatif);
	if (!choice.json && !speaks_utf8())
		fold_to_ascii(&out);
	is_written = write_output(choice.json ? choice.json : "-", &out);
	text_release(&out);
	whatif_free(whatif);
	release_questions(&list);
	return is_written ? EXIT_FINE : EXIT_FAILED;
}

static int run_whatif(const struct invocation *given)
{
	struct trace_analysis_options how = {.rules = {.lang = choice.lang},
	                                     .symbols = choice.symbols,
	                                     .jobs = (unsigned)choice.jobs,
	                                     .prints_text = !choice.json,
	                                     .keeps_causes = true};
	struct trace_analysis analysed;
	int code = analyze_trace(given->argv[0], &how, &analysed);

	if (code != EXIT_FINE)
		return code;
	code = answer_questions(&analysed);
	trace_analysis_release(&analysed);
	return code;
}

const struct command command_whatif = {
	.name = "whatif",
	.summary = "predict how much shorter the run would be",
	.usage = "[options] TRACE",
	.example = "tarry whatif run.tarry",
	.options = options,
	.operands = {1, 1},
	.run = run_whatif,
};
