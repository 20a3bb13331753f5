#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "bench/results/output.h"
#include "bench/results/plan_options.h"
#include "bench/tuning/gains.h"
#include "bench/tuning/place.h"
#include "bench/tuning/tuning_file.h"
#include "cli/bench_launch.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Jobs that measure algorithms. If an algorithm ends or stops a job, it is reported and left out, and the
 * next job continues with the rest. */

struct tune_jobs {
	const struct bench_launch *launch;
	const char *folder; /* for files that jobs leave */
	int64_t patience;   /* seconds without progress after which a job counts as stopped */
	struct arena *arena;
	int ended_by; /* the signal by which the user ended the command; 0: none */
};

#define RESULTS_NAME "results.json"
#define JOURNAL_NAME "journal"

enum {
	JOBS_MAX = 40, /* each ended because of a different unusable algorithm */
	LINE_ROOM = 512,
};

/* Whether the job's journal still grows. */
struct journal_watch {
	const char *journal;
	int64_t patience;
	off_t size;
	time_t since;
	bool is_too_long;
};

/* Until the first line, the job is starting, which may take some time. */
static bool has_stalled(void *argument, const struct bench_progress *reached)
{
	struct journal_watch *watch = argument;
	struct stat about;
	time_t now;

	(void)reached;
	if (stat(watch->journal, &about) != 0)
		return false;
	now = (time_t)(clock_system_ns(CLOCK_MONOTONIC) / 1000000000);
	if (about.st_size != watch->size) {
		watch->size = about.st_size;
		watch->since = now;
	}
	watch->is_too_long = now - watch->since > watch->patience;
	return watch->is_too_long;
}

/* The last attempt. */
struct last_trial {
	char operation[LINE_ROOM], variant[LINE_ROOM];
	int ranks;
	unsigned long long bytes;
};

static bool find_last_trial(const char *journal, struct last_trial *last)
{
	FILE *file = open_regular_stream(AT_FDCWD, journal);
	char line[LINE_ROOM];
	bool is_found = false;

	while (file && fgets(line, sizeof line, file))
		is_found |= sscanf(line, "%511s %d %llu %511s", last->operation, &last->ranks, &last->bytes,
		                   last->variant) == 4;
	if (file)
		fclose(file);
	return is_found;
}

static void add_results(struct results *all, const struct results *part, const char *without)
{
	for (size_t i = 0; i < part->point_count; i++)
		if (!without || strcmp(part->points[i].operation, without) != 0)
			results_add(all, &part->points[i]);
	for (const struct fact *fact = part->facts; fact; fact = fact->next)
		if (!results_find_fact(all, fact->section, fact->name))
			results_new_fact(all, fact->section, fact->name, fact->value);
	for (const struct omission *omission = part->omissions; omission; omission = omission->next)
		if (strcmp(omission->reason, TUNED_BEFORE) != 0)
			results_omit(all, omission->operation, omission->reason);
}

static void skip(struct text *skipped, const char *operation, const char *variant)
{
	text_add(skipped, "%s%s:%s", skipped->length ? ";" : "", operation, variant);
}

struct tune_job {
	struct tune_jobs *jobs;
	struct text skipped;
	struct bench_plan plan;
	struct journal_watch watch;
	struct bench_outcome end;
};

static enum status nothing_measured(void)
{
	return fail("the job ended before it measured anything: see its output above");
}

static enum status take_part(struct tune_job *job, struct results *part, struct results *all, bool *is_over)
{
	struct last_trial last;
	const char *what;

	*is_over = job->end.code == EXIT_FINE && part->is_complete;
	if (*is_over) {
		add_results(all, part, NULL);
		return OK;
	}
	if (!find_last_trial(job->plan.journal, &last))
		return nothing_measured();
	what = job->watch.is_too_long ? "did not end" : "ended the job";
	if (strcmp(last.variant, UNTUNED) == 0)
		return fail("%s with %d processes and %llu bytes %s although nothing was tuned",
		            last.operation, last.ranks, last.bytes, what);
	say("algorithm '%s' of %s %s: it is left out, and tuning continues", last.variant, last.operation,
	    what);
	results_omit(all, last.operation,
	             arena_format(job->jobs->arena, "algorithm '%s' with %d processes and %llu bytes %s",
	                          last.variant, last.ranks, last.bytes, what));
	add_results(all, part, last.operation);
	/* Operations before the one at which the job ended need not be measured again. Drop the results of
	 * that one. */
	for (size_t i = 0; i < part->point_count; i++) {
		const char *operation = part->points[i].operation;
		if (strcmp(operation, last.operation) != 0 &&
		    (!i || strcmp(operation, part->points[i - 1].operation) != 0))
			skip(&job->skipped, operation, ALL_ALGORITHMS);
	}
	skip(&job->skipped, last.operation, last.variant);
	return OK;
}

/* There may be no file yet. Then there are no results to keep. */
static void keep_part(const struct tune_job *job, struct results *all)
{
	struct results part;

	if (access(job->plan.files.json, F_OK) != 0 || results_read(job->plan.files.json, &part) != OK)
		return;
	add_results(all, &part, NULL);
	results_release(&part);
}

static enum status run_job(struct tune_job *job, struct results *all, bool *is_over)
{
	struct results part;
	const struct tune_jobs *jobs = job->jobs;

	job->plan.skip_algorithms = job->skipped.length ? text_get(&job->skipped) : NULL;
	job->watch = (struct journal_watch){.journal = job->plan.journal, .patience = jobs->patience};
	unlink(job->plan.journal);
	unlink(job->plan.files.json);
	TRY(bench_run(jobs->launch, 0, &job->plan, (struct bench_supervisor){has_stalled, &job->watch},
	              jobs->arena, &job->end));
	if (!job->watch.is_too_long)
		job->jobs->ended_by = job_signal();
	if (job->jobs->ended_by) {
		keep_part(job, all);
		return OK;
	}
	if (job->end.code != EXIT_FINE && access(job->plan.files.json, F_OK) != 0)
		return nothing_measured();
	TRY(results_read(job->plan.files.json, &part));
	enum status status = take_part(job, &part, all, is_over);
	results_release(&part);
	return status;
}

static struct bench_plan quiet_plan(const struct tune_jobs *jobs)
{
	struct bench_plan quiet = plan;

	quiet.quiet = true;
	quiet.files = (struct output_files){
		.json = arena_format(jobs->arena, "%s/" RESULTS_NAME, jobs->folder)};
	quiet.journal = arena_format(jobs->arena, "%s/" JOURNAL_NAME, jobs->folder);
	return quiet;
}

/* All algorithms of the plan; after an interruption, those measured so far. */
static enum status tune_measure(struct tune_jobs *jobs, struct results *results)
{
	struct tune_job job = {.jobs = jobs, .plan = quiet_plan(jobs)};
	bool is_over = false;
	enum status status = OK;

	job.plan.tune = true;
	for (int i = 0; i < JOBS_MAX && !is_over && !jobs->ended_by && status == OK; i++)
		status = run_job(&job, results, &is_over);
	text_release(&job.skipped);
	results->is_complete = is_over;
	return status == OK && !is_over && !jobs->ended_by ? fail("%d jobs have ended too early", JOBS_MAX)
	                                                   : status;
}

static void add_unique(struct text *list, unsigned long long number)
{
	char word[32];
	const char *at;

	snprintf(word, sizeof word, "%llu", number);
	for (at = text_get(list); (at = strstr(at, word)); at++)
		if ((at == text_get(list) || at[-1] == ',') && strchr(",", at[strlen(word)]))
			return;
	text_add(list, "%s%s", list->length ? "," : "", word);
}

static size_t add_word(const char **words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return count;
	words[count] = word;
	return count + 1;
}

/* NULL if there are none. */
static const char *joined(const char *const *words, size_t count, struct arena *arena)
{
	const char *list = count ? words[0] : NULL;

	for (size_t i = 1; i < count; i++)
		list = arena_format(arena, "%s,%s", list, words[i]);
	return list;
}

/* Whatever of the plan has been taken, and what comes along by being measured in one table. */
static struct bench_plan plan_of_trial(const struct tune_jobs *jobs, const struct choices *choices)
{
	struct bench_plan trial = quiet_plan(jobs);
	struct text sizes = {0}, ranks = {0};
	const char **operations = arena_array(jobs->arena, const char *, choices->count);
	const char **layouts = arena_array(jobs->arena, const char *, choices->count);
	size_t count = 0, layout_count = 0;

	for (size_t i = 0; i < choices->count; i++) {
		const struct result_point *point = choices->at[i].untuned;
		if (!choices->at[i].is_taken)
			continue;
		add_unique(&sizes, point->bytes);
		if (trial.layouts)
			layout_count = add_word(layouts, layout_count, point->communicator);
		else
			add_unique(&ranks, (unsigned long long)point->ranks);
		count = add_word(operations, count, point->operation);
	}
	trial.sizes = arena_text(jobs->arena, text_get(&sizes));
	trial.ranks = trial.layouts ? NULL : arena_text(jobs->arena, text_get(&ranks));
	trial.layouts = joined(layouts, layout_count, jobs->arena);
	trial.operations = (struct string_list){operations, count};
	trial.verify = true;
	text_release(&sizes);
	text_release(&ranks);
	return trial;
}

static enum status try_once(struct tune_jobs *jobs, const struct bench_plan *trial, const char *variant,
                            struct results *results)
{
	struct bench_plan job = *trial;
	struct results part;
	struct bench_outcome end;

	job.variant = variant;
	unlink(job.files.json);
	TRY(bench_run(jobs->launch, 0, &job, (struct bench_supervisor){0}, jobs->arena, &end));
	jobs->ended_by = job_signal();
	if (jobs->ended_by)
		return OK;
	if (end.code != EXIT_FINE)
		return fail("the job that verifies the tuning ended early");
	results_init(&part);
	enum status status = results_read(job.files.json, &part);
	if (status == OK)
		add_results(results, &part, NULL);
	results_release(&part);
	return status;
}

/* So that a drift of the machine affects both alike. */
static const bool turns[] = {false, true, true, false};

/* Measures the same points again in separate jobs, alternately without and with the tuning file. */
static enum status tune_try(struct tune_jobs *jobs, const struct choices *choices,
                            const struct tuning_place *place, struct results *without, struct results *with)
{
	struct bench_plan trial = plan_of_trial(jobs, choices);

	for (size_t i = 0; i < sizeof turns / sizeof *turns && !jobs->ended_by; i++) {
		if (turns[i])
			tuning_set(place);
		else
			tuning_unset(place);
		TRY(try_once(jobs, &trial, turns[i] ? TUNED : UNTUNED, turns[i] ? with : without));
	}
	tuning_unset(place);
	return OK;
}

static struct bench_request request;

static struct {
	const char *output;
	const char *json;
	const char *results;
	double gain;
	int64_t patience;
	bool untried;
} choice = {.gain = 0.05, .patience = 60};

// clang-format off
static const struct option_spec options[] = {
	{"output", 'o', "FILE", "tuning file to write; default: tuned.rules for Open MPI before 6, otherwise tuned.json",
	 OPTION_TEXT, &choice.output},
	BENCH_LAUNCH_OPTIONS(request),
	{"sizes", 's', "LIST", "bytes of a message: 1,1K,64K; 8-1M doubles, 8-1M:4 multiplies by 4; "
	 "default: " PLAN_DEFAULT_SIZES, OPTION_LIST, &plan.sizes},
	{"ranks", 'r', "LIST", "numbers of processes: 2,4,8; 2-64 doubles, 2-8:+1 counts; default: all",
	 OPTION_LIST, &plan.ranks},
	{"layouts", 0, "LIST", "instead of '--ranks': nodes and processes on each, such as 1x8,2x4,8x1", OPTION_LIST, &plan.layouts},
	{"gain", 0, "SHARE", "share of the time that an algorithm must save; default: 5%", OPTION_REAL, &choice.gain},
	{"confidence", 0, "SHARE", "confidence of intervals and of the test; default: 95%", OPTION_REAL, &plan.confidence},
	{"rounds", 0, "N", "rounds in which all algorithms are measured; default: 5", OPTION_NUMBER, &plan.rounds},
	{"segments", 0, "LIST", "segment sizes for algorithms that segment messages; 0: no segments; default: 0",
	 OPTION_LIST, &plan.segments},
	{"commutative", 0, NULL, "for programs with only commutative reductions: also use algorithms that are wrong for others",
	 OPTION_FLAG, &plan.commutative},
	{"untried", 0, NULL, "write the file without verifying it in new jobs", OPTION_FLAG, &choice.untried},
	{"patience", 0, "SECONDS", "skip an algorithm that takes longer; default: 60", OPTION_NUMBER, &choice.patience},
	{"json", 0, "FILE", "write the gains as JSON", OPTION_TEXT, &choice.json},
	{"results", 0, "FILE", "keep all measurements, for 'tarry bench show'", OPTION_TEXT, &choice.results},
	{"root", 0, "RANK", "root of operations with a root: a rank, 'middle' or 'last'; default: 0", OPTION_TEXT, &plan.root},
	{"datatype", 't', "TYPE", "element type; default: byte, for reductions int", OPTION_TEXT, &plan.datatype},
	{"cache", 0, PLAN_CACHES, "buffers outside or inside the cache; default: cold", OPTION_CHOICE, &plan.cache},
	{"method", 0, PLAN_METHODS, "window: the reliable method; the others are for comparison; default: window",
	 OPTION_CHOICE, &plan.method},
	{"timer", 0, "NAME", "clock for measuring; default: the best", OPTION_TEXT, &plan.timer},
	{"sync", 0, PLAN_SYNC_METHODS, "method of clock synchronisation; default: tree", OPTION_CHOICE, &plan.sync},
	{"seed", 0, "N", "seed of random numbers; default: 1", OPTION_NUMBER, &plan.seed},
	OPTIONS_END,
};
// clang-format on

static enum status check_words(void)
{
	TRY(bench_request_check(&request));
	if (!(choice.gain >= 0 && choice.gain < 1))
		return fail("option '--gain' must be a share of the time, such as 5%%");
	if (choice.patience < 1)
		return fail("option '--patience' must be 1 or more");
	return plan_check(&plan);
}

/* All of one run of the command. */
struct tune_command {
	struct tune_jobs jobs;
	struct demand demand;
	struct results results;
	struct choices choices;
	struct tuning_place place;
};

static bool any_in_file(const struct tune_command *tuning)
{
	return any_taken(tuning->choices.at, tuning->choices.count);
}

static enum status try_out(struct tune_command *tuning)
{
	struct results without, with;
	size_t lost = 0;

	results_init(&without);
	results_init(&with);
	enum status status = tune_try(&tuning->jobs, &tuning->choices, &tuning->place, &without, &with);
	if (status == OK && !tuning->jobs.ended_by)
		lost = choices_confirm(&tuning->choices, &without, &with, &tuning->demand);
	if (status == OK && lost)
		status = tuning_write(&tuning->results, &tuning->choices, &tuning->place);
	results_release(&without);
	results_release(&with);
	return status;
}

static enum status write_outputs(struct tune_command *tuning)
{
	struct output_files files = {.json = choice.results};
	struct text text = {0};
	enum status status = OK;

	if (choice.results)
		TRY(results_write(&tuning->results, &files));
	if (choice.json) {
		gains_json(&tuning->results, &tuning->choices, &tuning->place, &text);
		status = write_whole(choice.json, &text);
	}
	text_release(&text);
	return status;
}

static void tell(const struct tune_command *tuning)
{
	struct text text = {0};

	gains_text(&tuning->results, &tuning->choices, &text);
	if (any_in_file(tuning)) {
		const char *library = results_find_fact(&tuning->results, "mpi", "library");
		text_add(&text, "\n%s reads ", library ? library : "the MPI library");
		tuning_format(&tuning->place, &text);
		text_add(&text, ". For your jobs:\n");
		tuning_line(&tuning->place, &text);
	} else {
		text_add(&text, "\nno file is written: no algorithm is faster than the library's choice\n");
	}
	fputs(text_get(&text), stdout);
	text_release(&text);
}

static enum status tune(struct tune_command *tuning)
{
	setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
	TRY(tune_measure(&tuning->jobs, &tuning->results));
	if (tuning->jobs.ended_by) {
		const char *file = choice.results;
		const struct bench_launch *launch = tuning->jobs.launch;

		/* The algorithm may be fastest at all sizes, although only half of them were measured: so
		 * write no file. */
		if (!tuning->results.point_count) {
			say("interrupted before anything was measured: no tuning file is written");
			return OK;
		}
		if (!file)
			file = arena_format(tuning->jobs.arena, "%s.measured.json",
			                    choice.output ? choice.output : tuning_default_path(launch->mpi));
		TRY(results_write(&tuning->results, &(struct output_files){.json = file}));
		say("interrupted: no tuning file is written; the measurements so far are in '%s', see 'tarry bench show %s'",
		    file, file);
		return OK;
	}
	if (!tuning->results.point_count) {
		struct text text = {0};

		/* With the reasons. */
		gains_text(&tuning->results, &tuning->choices, &text);
		fputs(text_get(&text) + strspn(text_get(&text), "\n"), stdout);
		fflush(stdout);
		text_release(&text);
		return fail("none of the requested operations can be tuned");
	}
	TRY(tuning_place(&tuning->results, choice.output, tuning->jobs.arena, &tuning->place));
	choices_make(&tuning->results, &tuning->demand, tuning->jobs.arena, &tuning->choices);
	if (any_in_file(tuning)) {
		TRY(tuning_write(&tuning->results, &tuning->choices, &tuning->place));
		if (any_in_file(tuning) && !choice.untried)
			TRY(try_out(tuning));
		if (!any_in_file(tuning))
			tuning_remove(&tuning->place);
	}
	tell(tuning);
	if (tuning->jobs.ended_by && any_in_file(tuning))
		say("interrupted while the tuning file was tested: it is kept, but its gain is not confirmed");
	return write_outputs(tuning);
}

static int run_bench_tune(const struct invocation *given)
{
	struct bench_launch launch;
	struct tune_command tuning = {.demand = {choice.gain, plan.confidence}};
	/* In the user's folder, which other nodes can probably access, too. */
	char folder[] = "tarry-tune-XXXXXX";
	int code;

	bench_take_operands(given->argc, given->argv, &request, &plan);
	if (check_words() != OK)
		return misuse(&command_bench_tune, "%s", trail_text());
	/* Report this before an hour of measurements, not after it. */
	if (output_files_check(&(struct output_files){choice.output, choice.json, choice.results}) != OK ||
	    bench_find(&request, given->arena, &launch) != OK)
		return report_failure();
	code = bench_check(&launch, &plan, given->arena);
	if (code)
		return code;
	if (!mkdtemp(folder)) {
		say("cannot create a folder here for the results of jobs: %s", strerror(errno));
		return EXIT_FAILED;
	}
	tuning.jobs = (struct tune_jobs){
		.launch = &launch, .folder = folder, .patience = choice.patience, .arena = given->arena};
	results_init(&tuning.results);
	if (tune(&tuning) != OK)
		code = report_failure();
	unlink(arena_format(given->arena, "%s/" RESULTS_NAME, folder));
	unlink(arena_format(given->arena, "%s/" JOURNAL_NAME, folder));
	rmdir(folder);
	results_release(&tuning.results);
	return tuning.jobs.ended_by ? EXIT_BY_SIGNAL + tuning.jobs.ended_by : code;
}

const struct command command_bench_tune = {
	.name = "bench tune",
	.summary = "find the fastest algorithms of an MPI library and make it use them",
	.usage = "[options] [OPERATION ...] [-- LAUNCHER [OPTION ...]]",
	.example =
		"tarry bench tune -n 8 bcast allreduce\n"
		"tarry bench tune --ranks 16,32,64 --sizes 64-4M:4 -o cluster.rules -- mpirun -n 64 --hostfile hosts",
	.options = options,
	.order = OPTIONS_TO_DASHES,
	.operands = {0, OPERANDS_ANY},
	.run = run_bench_tune,
};
