#include "cli/trace_analysis.h"

#include "analysis/model/layers.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/shell.h"
#include "cli/checking.h"
#include "cli/command.h"
#include "cli/findings_output.h"
#include "cli/outputs.h"
#include "cli/rule_loading.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "output/history/history.h"
#include "output/report/gate.h"
#include "output/report/parts.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --fail-on */

struct visit {
	const struct rulebook *book;
	const struct report *report;
	bool is_crossed;
	const struct trust_reason *obstacle; /* the first */
};

static enum status visit_one(const char *limit, struct visit *visit)
{
	struct gate gate;
	enum status status;

	TRY_BECAUSE(gate_parse(limit, &gate), "option '--fail-on'");
	status = visit->book ? gate_check(&gate, visit->book) : OK;
	if (status == OK && visit->report) {
		struct text sentences = {0};

		if (!visit->obstacle)
			visit->obstacle = gate_obstacle(&gate, visit->report);
		if (visit->report->trust.verdict != TRUST_NONE &&
		    gate_is_crossed(&gate, visit->report, &sentences)) {
			say_lines(text_get(&sentences));
			visit->is_crossed = true;
		}
		text_release(&sentences);
	}
	gate_release(&gate);
	return status == OK ? OK : because("option '--fail-on'");
}

static enum status visit_parts(const char *limits, struct visit *visit, struct arena *arena)
{
	while (*limits) {
		size_t length = strcspn(limits, ",");
		TRY(visit_one(arena_bytes_as_text(arena, limits, length), visit));
		limits += length + (limits[length] == ',');
		limits += strspn(limits, " ");
	}
	return OK;
}

static enum status visit_all(const struct string_list *limits, struct visit *visit)
{
	struct arena arena = {0};
	enum status status = OK;

	for (size_t i = 0; i < limits->count && status == OK; i++)
		status = *limits->at[i] ? visit_parts(limits->at[i], visit, &arena) : visit_one("", visit);
	arena_release(&arena);
	return status;
}

enum status limits_parse(const struct string_list *limits)
{
	return visit_all(limits, &(struct visit){0});
}

bool limits_are_known(const struct string_list *limits, const struct rulebook *book)
{
	if (visit_all(limits, &(struct visit){.book = book}) == OK)
		return true;
	report_failure();
	return false;
}

/* The limits were checked before. Findings are real even if parts are missing, but
 * missing findings prove nothing then. */
static int evaluate_limits(const struct string_list *limits, const struct report *report)
{
	struct visit visit = {.report = report};

	if (!limits->count)
		return EXIT_FINE;
	if (visit_all(limits, &visit) == OK && visit.is_crossed)
		return EXIT_GATE;
	if (!visit.obstacle)
		return EXIT_FINE;
	say("option '--fail-on': this trace cannot be evaluated: %s", visit.obstacle->text);
	return EXIT_UNTRUSTED;
}

/* The analysis */

static struct rule_options rule_options_of(const struct rule_choice *choice)
{
	return (struct rule_options){.files = choice->files.at,
	                             .settings = choice->settings.at,
	                             .without_shipped = choice->no_shipped,
	                             .without_tests = true};
}

static void say_alone(void)
{
	say("this trace or these rules need facts that processes do not exchange yet: process 0 analyses the trace alone");
}

/* `begin_pass`: NULL if another thread shows its progress. */
static enum status find_waits(const struct trace_analysis_options *options, unsigned jobs,
                              void (*begin_pass)(const char *title), struct trace_analysis *analysed)
{
	const bool has_peers = options->peers && options->peers->count > 1;
	struct analysis_options how = {.jobs = jobs,
	                               .begin_pass = begin_pass,
	                               .progress = progress_show,
	                               .causes = !options->no_causes,
	                               .figures = options->report.profile,
	                               .calls = true,
	                               .source = analysed->source,
	                               .lang = analysed->lang,
	                               .peers = options->peers,
	                               .alone = options->job_processes ? NULL : say_alone};

	if (begin_pass)
		begin_pass("reading");
	/* Peers replay their ranks twice: for their facts, and with all facts. */
	analysed->reader->keeps_decoded = !options->no_causes || has_peers;
	if (!has_peers)
		reader_read_through(analysed->reader, jobs);
	/* Before the analysis, because places are those where layers are called. */
	if (begin_pass)
		begin_pass("looking for layers around MPI");
	layers_find(analysed->reader, analysed->source);
	return analyze(analysed->reader, analysed->book, &how, &analysed->analysis);
}

static void make_report(const struct trace_analysis_options *options, unsigned jobs,
                        void (*begin_pass)(const char *title), struct trace_analysis *analysed)
{
	struct report_options how = options->report;

	how.whatif = !options->no_whatif && !options->no_causes;
	how.uses_threads = jobs > 1;
	if (begin_pass && how.whatif)
		begin_pass("predicting");
	how.causes = analysed->analysis->causes;
	analysed->report = report_new(analysed->analysis, analysed->source, &how);
	/* They take much memory. */
	if (!options->keeps_causes) {
		causes_free(analysed->analysis->causes);
		analysed->analysis->causes = NULL;
	}
	analysed->sources = sources_of_trace(analysed->reader, &options->sources);
	analysed->report->page.sources = analysed->sources;
}

/* Other processes may have been started by the same command. The reader treats the parts as those of a
 * running job. */
static int check_job(uint32_t processes, struct trace_analysis *analysed)
{
	if (analysed->reader->process_count != processes) {
		say("%zu processes were recorded, not %u", analysed->reader->process_count, processes);
		trace_analysis_release(analysed);
		return EXIT_FAILED;
	}
	analysed->reader->is_parts = false;
	analysed->reader->seen_ns = 0;
	return EXIT_FINE;
}

/* All but the trace. */
static int begin_analysis(const struct trace_analysis_options *options, struct trace_analysis *analysed)
{
	int code;

	*analysed = (struct trace_analysis){0};
	code = load_rules(rule_options_of(&options->rules), &analysed->book);
	if (code != EXIT_FINE)
		return code;
	analysed->source = symbols_new();
	symbols_search(analysed->source, options->symbols);
	if (!limits_are_known(&options->limits, analysed->book) ||
	    !choose_language(analysed->book, options->rules.lang, &analysed->lang)) {
		trace_analysis_release(analysed);
		return EXIT_USAGE;
	}
	/* English needs only ASCII, which every terminal has. */
	if (options->prints_text && analysed->lang && !speaks_utf8()) {
		say("this locale cannot print '%s', so the report is in English: set LC_ALL to a UTF-8 locale",
		    analysed->lang);
		analysed->lang = NULL;
	}
	return EXIT_FINE;
}

/* Each of several processes compares the checksums of its share. If one finds damage, all compare everything,
 * so that all know the same damage. */
static bool open_for_peers(const char *path, struct session_peers *peers, bool goes_on,
                           struct reader **reader)
{
	struct byte_share share = {peers->own, peers->count};

	if (peers->count < 2)
		return goes_on && open_trace(path, reader);
	if (goes_on && !open_trace_share(path, share, reader))
		*reader = NULL;
	if (!peers_any(peers, goes_on && !*reader))
		return goes_on;
	if (*reader)
		reader_close(*reader);
	*reader = NULL;
	return goes_on && open_trace(path, reader);
}

static int open_analysis(const char *path, const struct trace_analysis_options *options,
                         struct trace_analysis *analysed)
{
	int code = begin_analysis(options, analysed);
	bool is_opened = options->peers
	                         ? open_for_peers(path, options->peers, code == EXIT_FINE, &analysed->reader)
	                         : code == EXIT_FINE && open_trace(path, &analysed->reader);

	if (code != EXIT_FINE)
		return code;
	if (!is_opened) {
		trace_analysis_release(analysed);
		return EXIT_FAILED;
	}
	return options->job_processes ? check_job(options->job_processes, analysed) : EXIT_FINE;
}

/* A process that cannot read the trace would make the others wait. */
static int code_of_peers(struct session_peers *peers, int code)
{
	int64_t worst = code, first = code == EXIT_FINE ? INT64_MAX : peers->own;

	peers_combine(peers, PEERS_MAX, &worst, 1);
	peers_combine(peers, PEERS_MIN, &first, 1);
	if (code == EXIT_FINE && worst != EXIT_FINE && peers_lead(peers))
		say("process %lld cannot read the trace: it has to be in a folder that all nodes share",
		    (long long)first);
	return (int)worst;
}

struct analysis_batch {
	const struct trace_analysis_options *options;
	unsigned jobs; /* for each */
	struct trace_analysis *analysed;
	char **failures; /* a sentence; NULL: none */
};

static void analyze_one(void *context, size_t number)
{
	struct analysis_batch *batch = context;
	struct trace_analysis *analysed = &batch->analysed[number];

	void (*begin_pass)(const char *title) = number ? NULL : progress_begin;

	if (find_waits(batch->options, batch->jobs, begin_pass, analysed) != OK)
		batch->failures[number] = memory_copy_text(trail_text());
	else if (analysed->analysis)
		make_report(batch->options, batch->jobs, begin_pass, analysed);
}

/* Traces are opened one after the other, so that the first of several errors is reported. */
int analyze_traces(char *const *paths, size_t count, const struct trace_analysis_options *options,
                   struct trace_analysis *analysed)
{
	unsigned jobs = options->jobs ? options->jobs : parallel_cores();
	struct analysis_batch batch = {
		.options = options, .jobs = jobs > count ? jobs / (unsigned)count : 1, .analysed = analysed};
	const char *failure = NULL;
	int code = EXIT_FINE;

	for (size_t i = 0; i < count && code == EXIT_FINE; i++)
		code = open_analysis(paths[i], options, &analysed[i]);
	if (options->peers)
		code = code_of_peers(options->peers, code);
	if (code != EXIT_FINE)
		return code;
	batch.failures = memory_new(count, sizeof *batch.failures);
	parallel_run(jobs, count, analyze_one, &batch);
	progress_end();
	for (size_t i = count; i-- > 0;)
		failure = batch.failures[i] ? batch.failures[i] : failure;
	if (failure) {
		say("%s", failure);
		code = EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++)
		free(batch.failures[i]);
	free(batch.failures);
	return code;
}

int analyze_trace(const char *path, const struct trace_analysis_options *options,
                  struct trace_analysis *analysed)
{
	char *paths[] = {(char *)path};
	int code = analyze_traces(paths, 1, options, analysed);

	if (code != EXIT_FINE)
		trace_analysis_release(analysed);
	return code;
}

void trace_analysis_release(struct trace_analysis *analysed)
{
	if (analysed->report)
		report_free(analysed->report);
	source_files_free(analysed->sources);
	if (analysed->source)
		symbols_free(analysed->source);
	if (analysed->analysis)
		analysis_free(analysed->analysis);
	if (analysed->reader)
		reader_close(analysed->reader);
	if (analysed->book)
		rulebook_free(analysed->book);
	text_release(&analysed->check);
	*analysed = (struct trace_analysis){0};
}

/* "app.check" of "app.tarry" and "app.tarry.parts"; NULL: there is none of the same run. */
static const char *folder_beside(const struct trace_analysis *analysed, const char *path, struct arena *arena)
{
	const char *suffix = strstr(path_name(path), TRACE_SUFFIX), *folder;

	if (!suffix || !analysed->reader->process_count)
		return NULL;
	folder = arena_format(arena, "%.*s" CHECK_SUFFIX, (int)(suffix - path), path);
	return checking_is_of_trace(folder, analysed->reader->processes[0].run) ? folder : NULL;
}

/* "app" is "app.check", as for 'tarry check --show'. */
static const char *checked_folder(const char *name, struct arena *arena)
{
	const char *folder = arena_format(arena, "%s" CHECK_SUFFIX, name);

	return access(name, F_OK) != 0 && access(folder, F_OK) == 0 ? folder : name;
}

enum status add_checked_findings(struct trace_analysis *analysed, const char *path, const char *folder,
                                 const char *symbols)
{
	struct arena arena = {0};
	const char *found = folder ? checked_folder(folder, &arena) : folder_beside(analysed, path, &arena);
	enum status status = found ? findings_for_page(found, analysed->lang, symbols, analysed->sources,
	                                               &analysed->check)
	                           : OK;

	if (found && status == OK)
		analysed->report->page.check = &analysed->check;
	arena_release(&arena);
	return status == OK || !folder ? OK : because("option '--check'");
}

static int tell_worst(const char *path, const void *how)
{
	const struct trace_analysis_options *options = how;
	struct trace_analysis analysed;
	struct text lines = {0};
	int code;

	if (analyze_trace(path, options, &analysed) != EXIT_FINE)
		return options->limits.count ? EXIT_FAILED : EXIT_FINE;
	report_brief(analysed.report, &lines);
	say_lines(text_get(&lines));
	code = evaluate_limits(&options->limits, analysed.report);
	text_release(&lines);
	trace_analysis_release(&analysed);
	return code;
}

/* Errors in `tell` do not affect this process: the exit code is the job's. */
static int tell_apart(int (*tell)(const char *path, const void *how), const char *path, const void *how)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		exit_code_when_exhausted = EXIT_FAILED;
		_exit(tell(path, how));
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	    WEXITSTATUS(status) != EXIT_FAILED)
		return WEXITSTATUS(status);
	say("the analysis did not finish: try: tarry analyze %s", SHELL_QUOTED(path_from_here(path)));
	return EXIT_FAILED;
}

int report_after_run(const char *path, const struct trace_analysis_options *options)
{
	struct trace_analysis_options whole = *options;

	whole.prints_text = true;
	whole.report.profile = true; /* whether the findings explain the lost time */
	return tell_apart(tell_worst, path, &whole);
}

/* The report */

enum { WIDTH_WHEN_PIPED = 80, WIDTH_MIN = 40, WIDTH_MAX = 200 };

/* COLUMNS is the user's own word. */
static size_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int64_t width;

	if (!columns || parse_integer(columns, &width) != OK || width <= 0)
		width = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col
		                ? size.ws_col
		                : WIDTH_WHEN_PIPED;
	return width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : (size_t)width;
}

/* Colours and bars are for terminals. */
static struct report_style style_of_stdout(void)
{
	struct report_style style = {
		.width = terminal_width(),
		.title = colour_code(COLOUR_STRONG, stdout),
		.faint = colour_code(COLOUR_FAINT, stdout),
		.none = colour_code(COLOUR_NONE, stdout),
		.impacts = {[IMPACT_HIGH] = colour_code(COLOUR_BAD, stdout),
	                    [IMPACT_MEDIUM] = colour_code(COLOUR_DOUBTFUL, stdout),
	                    [IMPACT_LOW] = colour_code(COLOUR_STRONG, stdout)},
		.verdicts = {[TRUST_FULL] = colour_code(COLOUR_GOOD, stdout),
	                     [TRUST_LIMITED] = colour_code(COLOUR_DOUBTFUL, stdout),
	                     [TRUST_NONE] = colour_code(COLOUR_BAD, stdout)},
	};

	if (isatty(STDOUT_FILENO))
		style.bar = "█";
	return style;
}

static bool write_database(struct report *report, const char *path)
{
	scoped_text json = {0}, bytes = {0};

	report_json(report, &json);
	if (report_as_sqlite(text_get(&json), &bytes) == OK)
		return write_output(path, &bytes);
	report_failure();
	return false;
}

/* Does a file take the place of the text? */
static bool prints_file(const struct report_choice *choice)
{
	return is_stdout(choice->sqlite) || any_is_stdout(choice->outputs, REPORT_FORMATS_END);
}

static bool write_all(struct report *report, const struct report_choice *choice)
{
	struct text out = {0};
	bool written = true;

	for (int i = 0; i < REPORT_FORMATS_END; i++)
		if (choice->outputs[i]) {
			report_formats[i].write(report, &out);
			written = write_output(choice->outputs[i], &out) && written;
			text_clear(&out);
		}
	if (choice->sqlite)
		written = write_database(report, choice->sqlite) && written;
	if (!prints_file(choice)) {
		struct report_style style = style_of_stdout();

		if (choice->numbers.count)
			report_findings(report, &style, &choice->numbers, &out);
		else if (choice->all || !choice->profile)
			report_text(report, &style, &out);
		else if (choice->only_profile)
			report_profile(report, &style, &out);
		else
			report_screen(report, &style, &out);
		if (!speaks_utf8())
			fold_to_ascii(&out);
		fwrite(text_get(&out), 1, out.length, stdout);
	}
	text_release(&out);
	return written;
}

/* "2,5", into a list that the caller frees. */
static enum status take_numbers(const char *word, struct number_list *list)
{
	for (const char *at = word; at;) {
		char *end;
		unsigned long number = strtoul(at, &end, 10);
		if (end == at || !strchr("0123456789", *at) || (*end && *end != ',') || !number ||
		    number > UINT32_MAX)
			return fail(
				"option '--finding': '%s' is not a list of numbers: write it like 1 or 2,5",
				word);
		list->at = memory_grow(list->at, list->count + 1, sizeof *list->at);
		list->at[list->count++] = (uint32_t)number;
		at = *end ? end + 1 : NULL;
	}
	return OK;
}

static enum status check_choice(struct report_choice *choice)
{
	struct output_option outputs[REPORT_FORMATS_END + 1];

	TRY(limits_parse(&choice->limits));
	for (size_t i = 0; i < choice->findings.count; i++)
		TRY(take_numbers(choice->findings.at[i], &choice->numbers));
	if (choice->check && !choice->outputs[REPORT_HTML])
		return fail("option '--check' needs '--html'");
	if (choice->embeds_all && !choice->outputs[REPORT_HTML])
		return fail("option '--embed-all' needs '--html'");
	for (int i = 0; i < REPORT_FORMATS_END; i++)
		outputs[i] = (struct output_option){report_formats[i].name, choice->outputs[i], NULL};
	outputs[REPORT_FORMATS_END] = (struct output_option){"sqlite", choice->sqlite, NULL};
	return outputs_check(outputs, REPORT_FORMATS_END + 1, (char *[]){NULL});
}

/* The numbers of findings are known only now. */
static enum status numbers_are_known(const struct number_list *numbers, const struct report *report)
{
	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->at[i] > report->entry_count)
			return report->entry_count
			               ? fail("option '--finding': there is no finding %u: the last is %zu",
			                      numbers->at[i], report->entry_count)
			               : fail("option '--finding': nothing was found");
	return OK;
}

/* In this order: all output was written, findings are within their limits, the whole trace could be read. */
static int tell(const struct trace_analysis *analysed, const struct report_choice *choice)
{
	int code;

	if (numbers_are_known(&choice->numbers, analysed->report) != OK) {
		report_failure();
		return EXIT_USAGE;
	}
	if (!write_all(analysed->report, choice))
		return EXIT_FAILED;
	fflush(stdout);
	code = evaluate_limits(&choice->limits, analysed->report);
	return code == EXIT_FINE && analysed->reader->damage_count ? EXIT_FAILED : code;
}

static int write_checked(const char *path, const struct report_choice *choice)
{
	char root[PATH_MAX];
	struct trace_analysis_options options = {
		.rules = choice->rules,
		.symbols = choice->symbols,
		.sources = choice->sources,
		.jobs = jobs_given(choice->jobs),
		.no_causes = choice->no_causes,
		.no_whatif = choice->no_whatif,
		.peers = choice->peers,
		.job_processes = choice->job_processes,
		.limits = choice->limits,
		.prints_text = !prints_file(choice),
		.report = {.profile = choice->profile,
	                   .all = choice->all,
	                   .root = realpath(choice->root ? choice->root : ".", root)},
	};
	struct trace_analysis analysed;
	int code;

	code = analyze_trace(path, &options, &analysed);
	if (code != EXIT_FINE)
		return code;
	if (!analysed.report) {
		trace_analysis_release(&analysed);
		return EXIT_FINE;
	}
	analysed.report->page.embeds_all = choice->embeds_all;
	if (choice->outputs[REPORT_HTML] &&
	    add_checked_findings(&analysed, path, choice->check, choice->symbols) != OK)
		code = report_failure();
	else
		code = tell(&analysed, choice);
	say_warnings(analysed.source);
	say_refused_source(analysed.sources);
	say_damage(analysed.reader);
	trace_analysis_release(&analysed);
	return code;
}

int write_reports(const struct command *command, const char *path, const struct report_choice *choice)
{
	struct report_choice mine = *choice;
	int code;

	if (check_choice(&mine) != OK)
		code = misuse(command, "%s", trail_text());
	else
		code = write_checked(path, &mine);
	free(mine.numbers.at);
	return code;
}

/* Stdout is the job's. */
static int tell_all(const char *path, const void *how)
{
	int code;

	if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return EXIT_FAILED;
	code = write_reports(&command_report, path, how);
	return fflush(stdout) == 0 ? code : EXIT_FAILED;
}

int whole_report_after_run(const char *path, const struct report_choice *choice)
{
	return tell_apart(tell_all, path, choice);
}
