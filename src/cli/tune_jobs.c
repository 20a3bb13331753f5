#include "cli/tune_jobs.h"

#include "base/files.h"
#include "base/text.h"
#include "bench/results/output.h"
#include "bench/tuning/tuning_file.h"
#include "cli/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	JOBS_MAX = 40, /* each ends with another algorithm that cannot be used */
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

static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Until the first line, the job is being started: that may take its time. */
static bool has_stalled(void *argument, const struct bench_progress *reached)
{
	struct journal_watch *watch = argument;
	struct stat about;

	(void)reached;
	if (stat(watch->journal, &about) != 0)
		return false;
	if (about.st_size != watch->size) {
		watch->size = about.st_size;
		watch->since = seconds_now();
	}
	watch->is_too_long = seconds_now() - watch->since > watch->patience;
	return watch->is_too_long;
}

/* What was tried last. */
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

/* Operations before the one at which the job ended need not be measured again; of that one, nothing is kept. */
static void skip_measured(const struct results *part, const char *last, struct text *skipped)
{
	for (size_t i = 0; i < part->point_count; i++) {
		const char *operation = part->points[i].operation;
		if (strcmp(operation, last) != 0 &&
		    (!i || strcmp(operation, part->points[i - 1].operation) != 0))
			skip(skipped, operation, ALL_ALGORITHMS);
	}
}

struct tune_job {
	struct tune_jobs *jobs;
	struct text skipped;
	struct bench_plan plan;
	struct journal_watch watch;
	struct bench_outcome end;
};

static enum status start_job(struct tune_job *job)
{
	const struct tune_jobs *jobs = job->jobs;

	job->plan.skip_algorithms = job->skipped.length ? text_get(&job->skipped) : NULL;
	job->watch = (struct journal_watch){.journal = job->plan.journal, .patience = jobs->patience};
	unlink(job->plan.journal);
	unlink(job->plan.files.json);
	return bench_run(jobs->launch, 0, &job->plan, (struct bench_supervisor){has_stalled, &job->watch},
	                 jobs->arena, &job->end);
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
		return fail("the job ended before it measured anything: see its output above");
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
	skip_measured(part, last.operation, &job->skipped);
	skip(&job->skipped, last.operation, last.variant);
	return OK;
}

/* There may be no file yet, and then nothing to keep. */
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

	TRY(start_job(job));
	if (!job->watch.is_too_long)
		job->jobs->ended_by = job_signal();
	if (job->jobs->ended_by) {
		keep_part(job, all);
		return OK;
	}
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
		.json = arena_format(jobs->arena, "%s/results.json", jobs->folder)};
	quiet.journal = arena_format(jobs->arena, "%s/journal", jobs->folder);
	return quiet;
}

enum status tune_measure(struct tune_jobs *jobs, struct results *results)
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

static size_t add_operation(const char **operations, size_t count, const char *operation)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(operations[i], operation) == 0)
			return count;
	operations[count] = operation;
	return count + 1;
}

/* Whatever of the plan has been taken, and what comes along by being measured in one table. */
static struct bench_plan plan_of_trial(const struct tune_jobs *jobs, const struct choices *choices)
{
	struct bench_plan trial = quiet_plan(jobs);
	struct text sizes = {0}, ranks = {0};
	const char **operations = arena_array(jobs->arena, const char *, choices->count);
	size_t count = 0;

	for (size_t i = 0; i < choices->count; i++) {
		const struct result_point *point = choices->at[i].untuned;
		if (!choices->at[i].is_taken)
			continue;
		add_unique(&sizes, point->bytes);
		add_unique(&ranks, (unsigned long long)point->ranks);
		count = add_operation(operations, count, point->operation);
	}
	trial.sizes = arena_text(jobs->arena, text_get(&sizes));
	trial.ranks = arena_text(jobs->arena, text_get(&ranks));
	trial.operations = (struct words){operations, count};
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

/* So that drift of the machine in one direction hits both alike. */
static const bool turns[] = {false, true, true, false};

enum status tune_try(struct tune_jobs *jobs, const struct choices *choices, const struct tuning_place *place,
                     struct results *without, struct results *with)
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
