#include "analysis/whatif/remedy.h"
#include "analysis/whatif/whatif.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	const char *json, *symbols;
	uint64_t eager; /* UINT64_MAX: not given */
	int64_t jobs;
} choice = {.eager = UINT64_MAX};

static const struct option_spec options[] = {
	{"eager", 0, "SIZE",
         "also predict the run with this eager limit: messages up to SIZE do not wait for their receivers",
         OPTION_SIZE, &choice.eager},
	{"json", 0, "FILE", "write the predictions to FILE as JSON; '-': print that instead of text",
         OPTION_TEXT, &choice.json},
	SYMBOLS_OPTION(choice.symbols),
	JOBS_OPTION(choice.jobs),
	OPTIONS_END,
};

/* What is asked about the whole run, with the names for programs. */
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
};

enum { RUN_QUESTIONS = sizeof run_questions / sizeof *run_questions, FINDINGS_MOST = 24 };

/* The questions, and the findings that some of them are about. */
struct question_list {
	struct whatif_scenario scenarios[RUN_QUESTIONS + 1 + FINDINGS_MOST + 1];
	size_t run_count, count;
	struct remedy remedies[FINDINGS_MOST];
	size_t finding_count;
	struct remedy together; /* all of them; the last scenario */
	struct text eager_text;
};

static void ask_about_remedy(struct question_list *list, const struct remedy *remedy)
{
	list->scenarios[list->count++] = (struct whatif_scenario){.factors = FACTORS_RECORDED,
	                                                          .eager = EAGER_RECORDED,
	                                                          .changes = remedy->changes.items,
	                                                          .change_count = remedy->changes.count};
}

static void ask(struct question_list *list, const struct trace_analysis *analysed)
{
	const struct report *report = analysed->report;

	for (size_t i = 0; i < RUN_QUESTIONS; i++)
		list->scenarios[list->count++] = run_questions[i].scenario;
	if (choice.eager != UINT64_MAX) {
		list->scenarios[list->count++] = (struct whatif_scenario){
			.factors = FACTORS_RECORDED,
			.eager = choice.eager < INT64_MAX ? (int64_t)choice.eager : INT64_MAX};
		text_add(&list->eager_text, "eager limit of %s", AS_SIZE(choice.eager));
	}
	list->run_count = list->count;
	for (size_t i = 0; i < report->shown && i < FINDINGS_MOST; i++) {
		struct remedy *remedy = &list->remedies[list->finding_count++];
		remedy_find(analysed->analysis, report->entries[i].worst, analysed->source, remedy);
		ask_about_remedy(list, remedy);
		/* Consequences of another finding end with it. */
		for (size_t j = 0; j < remedy->changes.count && !report->entries[i].explained_by; j++)
			remedy_add(&list->together, &remedy->changes.items[j]);
	}
	if (list->finding_count > 1)
		ask_about_remedy(list, &list->together);
}

static void release_questions(struct question_list *list)
{
	for (size_t i = 0; i < list->finding_count; i++)
		remedy_release(&list->remedies[i]);
	remedy_release(&list->together);
	text_release(&list->eager_text);
}

static const char *question_text(const struct question_list *list, size_t number)
{
	return number < RUN_QUESTIONS ? run_questions[number].text : text_get(&list->eager_text);
}

/* Text */

static void add_answer(struct text *out, const struct whatif_answer *answer, const char *text)
{
	if (answer->doubt)
		text_add(out, "  %21s  %s\n", "not predictable", text);
	else
		text_add(out, "  %10s  %7.1f %%  %s\n", AS_SECONDS((double)answer->saves_ns / 1e9),
		         100 * answer->saves_share, text);
	if (answer->doubt)
		text_add(out, "  %21s  because %s\n", "", whatif_doubt_texts[answer->doubt]);
}

static void add_findings(struct text *out, const struct report *report, const struct question_list *list,
                         const struct whatif *whatif)
{
	text_add(out, "\nIf a finding were fixed (fixes overlap: their savings do not add up):\n");
	for (size_t i = 0; i < list->finding_count; i++) {
		const struct report_entry *entry = &report->entries[i];
		struct text text = {0};
		text_add(&text, "%zu. %s%s%s: %s", i + 1, entry->problem->name, *entry->at.text ? ", " : "",
		         entry->at.text, remedy_texts[list->remedies[i].kind]);
		add_answer(out, &whatif->answers[list->run_count + i], text_get(&text));
		text_release(&text);
	}
	if (list->finding_count > 1)
		add_answer(out, &whatif->answers[list->count - 1], "all of these together");
}

static void add_text(struct text *out, const struct trace_analysis *analysed,
                     const struct question_list *list, const struct whatif *whatif)
{
	text_add(out, "The recorded run takes %s. It would save:\n\n",
	         AS_SECONDS((double)whatif->length_ns / 1e9));
	text_add(out, "  %10s  %9s  under this condition\n", "time", "of run");
	for (size_t i = 0; i < list->run_count; i++)
		add_answer(out, &whatif->answers[i], question_text(list, i));
	if (list->finding_count)
		add_findings(out, analysed->report, list, whatif);
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

static void add_findings_json(struct json *json, const struct report *report,
                              const struct question_list *list, const struct whatif *whatif)
{
	json_open(json, "findings", '[');
	for (size_t i = 0; i < list->finding_count; i++) {
		json_open(json, NULL, '{');
		json_number(json, "number", (int64_t)i + 1);
		json_text(json, "problem", report->entries[i].problem->id);
		json_text(json, "place", report->entries[i].at.text);
		json_text(json, "remedy", remedy_names[list->remedies[i].kind]);
		add_answer_json(json, &whatif->answers[list->run_count + i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_json(struct text *out, const struct trace_analysis *analysed,
                     const struct question_list *list, const struct whatif *whatif)
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
		json_text(&json, "text", question_text(list, i));
		add_answer_json(&json, &whatif->answers[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	add_findings_json(&json, analysed->report, list, whatif);
	if (list->finding_count) {
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

	ask(&list, analysed);
	progress_begin("predicting");
	whatif = whatif_new(analysed->analysis->session,
	                    &(struct whatif_options){.scenarios = list.scenarios,
	                                             .count = list.count,
	                                             .source = analysed->source,
	                                             .uses_threads = choice.jobs != 1});
	progress_end();
	if (choice.json)
		add_json(&out, analysed, &list, whatif);
	else
		add_text(&out, analysed, &list, whatif);
	is_written = write_output(choice.json ? choice.json : "-", &out);
	text_release(&out);
	whatif_free(whatif);
	release_questions(&list);
	return is_written ? EXIT_FINE : EXIT_FAILED;
}

static int run_whatif(const struct invocation *given)
{
	struct trace_analysis_options how = {
		.symbols = choice.symbols, .jobs = (unsigned)choice.jobs, .keeps_causes = true};
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
