#include "cli/command.h"
#include "cli/outputs.h"
#include "output/diff/run_diff.h"
#include "output/history/history.h"

static struct {
	const char *program, *machine;
	int64_t ranks;
	struct string_list limits;
} choice;

enum { OUT_JSON, OUT_HTML, OUT_BADGE, OUTPUTS_END };

static void add_json(const void *history, struct text *out)
{
	history_json(history, out);
}

static void add_html(const void *history, struct text *out)
{
	history_html(history, out);
}

static void add_badge(const void *history, struct text *out)
{
	history_badge(history, out);
}

static void add_text(const void *history, struct text *out)
{
	history_text(history, out);
}

static struct output_option outputs[OUTPUTS_END] = {
	[OUT_JSON] = {"json", NULL, add_json},
	[OUT_HTML] = {"html", NULL, add_html},
	[OUT_BADGE] = {"badge", NULL, add_badge},
};

static const struct option_spec options[] = {
	{"program", 0, "NAME", "only runs of this program", OPTION_TEXT, &choice.program},
	{"machine", 0, "NAME", "only runs on this machine", OPTION_TEXT, &choice.machine},
	{"ranks", 'n', "COUNT", "only runs with this many ranks", OPTION_COUNT, &choice.ranks},
	{"json", 0, "FILE", "write the trends to FILE as JSON; '-': print that instead of text", OPTION_TEXT,
         &outputs[OUT_JSON].path},
	{"html", 0, "FILE", "write a page with trends and scaling tables to FILE; '-': print that",
         OPTION_TEXT, &outputs[OUT_HTML].path},
	{"badge", 0, "FILE", "write a badge for README files to FILE, as SVG; '-': print that", OPTION_TEXT,
         &outputs[OUT_BADGE].path},
	{"fail-on", 0, "LIMIT",
         "exit with code 3 if the newest commit is worse than LIMIT, such as 'slower>5%' or 'new>1%' (a new finding that would save more than that share of the run); with 5 if its trace cannot be trusted; may be repeated",
         OPTION_WORDS, &choice.limits},
	OPTIONS_END,
};

static enum status check_choice(void)
{
	struct diff_limit limit;

	for (size_t i = 0; i < choice.limits.count; i++)
		TRY_BECAUSE(diff_limit_parse(choice.limits.at[i], &limit), "option '--fail-on'");
	return OK;
}

/* Prints a message if the newest commit of this series exceeds the limit. */
static enum status check_limit(const struct diff_limit *limit, const struct history *history,
                               const struct history_series *series, bool *is_crossed)
{
	const struct history_run *newest = &series->runs[series->count - 1];
	scoped_text sentences = {0}, size = {0};

	if (limit->kind == LIMIT_NEW)
		TRY(history_new_findings(history, series, limit->share, &sentences));
	else if (series->level_s > 0 && series->is_significant &&
	         series->newest_s > series->level_s * (1 + limit->share))
		text_add(&sentences, "the run takes %s instead of %s\n", AS_SECONDS(series->newest_s),
		         AS_SECONDS(series->level_s));
	if (sentences.length) {
		add_run_size(newest, &size);
		say("%s: %s on %s, %s:", limit->word, newest->scaling.program, newest->machine,
		    text_get(&size));
		text_strip_controls(&sentences);
		say_lines(text_get(&sentences));
		*is_crossed = true;
	}
	return OK;
}

static int exit_code_for(const struct history *history)
{
	bool is_crossed = false;

	for (size_t i = 0; i < choice.limits.count; i++)
		for (size_t j = 0; j < history->series_count; j++) {
			struct diff_limit limit;

			if (diff_limit_parse(choice.limits.at[i], &limit) != OK ||
			    check_limit(&limit, history, &history->series[j], &is_crossed) != OK)
				return report_failure();
		}
	if (is_crossed)
		return EXIT_GATE;
	for (size_t i = 0; i < history->series_count && choice.limits.count; i++) {
		const struct history_run *newest = &history->series[i].runs[history->series[i].count - 1];

		if (newest->can_judge)
			continue;
		say("option '--fail-on': '%s' cannot be evaluated: 'tarry report' says why",
		    newest->scaling.name);
		return EXIT_UNTRUSTED;
	}
	return EXIT_FINE;
}

static int run_history_show(const struct invocation *given)
{
	struct history_filter filter = {choice.program, choice.machine, (uint64_t)choice.ranks};
	struct history history = {0};
	int code = EXIT_FINE;

	if (outputs_check(outputs, OUTPUTS_END, given->argv) != OK)
		return misuse(&command_history_show, "%s", trail_text());
	if (history_read(given->argv[0], &filter, &history) != OK) {
		code = report_failure();
	} else if (!history.count) {
		say("'%s' has no such run: 'tarry history add' adds one", given->argv[0]);
		code = EXIT_FAILED;
	} else {
		history_find_trends(&history);
		code = outputs_write(outputs, OUTPUTS_END, add_text, &history) == OK ? exit_code_for(&history)
		                                                                     : report_failure();
	}
	history_release(&history);
	return code;
}

const struct command command_history_show = {
	.name = "history show",
	.summary = "show trends of a history, and commits that changed them",
	.usage = "[options] FILE",
	.example = "tarry history show runs.db\n"
		   "tarry history show --fail-on 'slower>5%' --html index.html --badge badge.svg runs.db",
	.options = options,
	.operands = {1, 1},
	.check = check_choice,
	.run = run_history_show,
};
