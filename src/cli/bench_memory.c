#include "cli/bench_memory.h"

#include "bench/results/memory_use.h"
#include "bench/results/results.h"
#include "cli/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without an option: memory does not mind that processes share processors. */
enum { RANKS_AT_LEAST = 8 };

/* The jobs of one command. */
struct memory_jobs {
	const struct bench_launch *launch;
	const struct bench_plan *wanted;
	struct arena *arena;
	const char *draft; /* where each job leaves what it found */
	struct results results;
};

static enum status run_job(struct memory_jobs *jobs, int64_t processes)
{
	struct bench_plan job = *jobs->wanted;
	struct bench_outcome end;
	struct results found;

	job.ranks = NULL;
	job.quiet = true;
	job.files = (struct output_files){.json = jobs->draft};
	TRY(bench_run(jobs->launch, processes, &job, (struct bench_supervisor){0}, jobs->arena, &end));
	if (job_signal())
		return fail("interrupted in the job with %lld processes", (long long)processes);
	if (end.code)
		return fail("the job with %lld processes failed", (long long)processes);
	TRY(results_read(jobs->draft, &found));
	for (size_t i = 0; i < found.memory_count; i++)
		results_add_memory(&jobs->results, &found.memory[i]);
	for (const struct fact *fact = found.facts; fact; fact = fact->next)
		results_fact(&jobs->results, fact->section, fact->name, "%s", fact->value);
	/* Each once: every job leaves out the same. */
	for (const struct omission *omission = found.omissions; omission; omission = omission->next) {
		const struct omission *known = jobs->results.omissions;

		while (known && strcmp(known->operation, omission->operation) != 0)
			known = known->next;
		if (!known)
			results_omit(&jobs->results, omission->operation, omission->reason);
	}
	results_release(&found);
	return OK;
}

static enum status run_jobs(struct memory_jobs *jobs, const struct uint_list *numbers)
{
	enum status status = OK;

	for (size_t i = 0; i < numbers->count && status == OK; i++)
		status = run_job(jobs, (int64_t)numbers->at[i]);
	unlink(jobs->draft);
	return status;
}

static enum status tell(struct memory_jobs *jobs)
{
	struct text table = {0};
	struct memory_of_steps steps = memory_by_step(&jobs->results, jobs->arena);
	struct fitted_line growth;

	/* As the table has it, for those who read the file. */
	for (size_t i = 0; i < steps.count; i++)
		if (memory_growth(&steps.at[i], &growth))
			results_fact(&jobs->results, "memory growth", steps.at[i].name,
			             "%.0f bytes in a process for each further one", growth.slope);
	memory_table(&jobs->results, &table);
	if (!jobs->wanted->quiet && jobs->results.memory_count)
		fputs(text_get(&table), stdout);
	text_release(&table);
	return results_write(&jobs->results, &jobs->wanted->files);
}

static enum status choose_numbers(const struct bench_request *request, const struct bench_launch *launch,
                                  const struct bench_plan *wanted, struct arena *arena,
                                  struct uint_list *numbers)
{
	int64_t last = launch->processes > RANKS_AT_LEAST ? launch->processes : RANKS_AT_LEAST;
	const char *list = wanted->ranks;

	if (launch->is_users && launch->processes && !request->processes)
		return fail(
			"option '--memory' starts a job for each number of processes: leave out '-n' of the launcher, and give numbers with '--ranks'");
	if (!list)
		list = request->processes ? arena_format(arena, "%lld", (long long)request->processes)
		                          : arena_format(arena, "2-%lld", (long long)last);
	return plan_ranks(list, INT_MAX, arena, numbers);
}

int bench_memory(const struct bench_request *request, const struct bench_plan *wanted, struct arena *arena)
{
	struct bench_launch launch;
	struct memory_jobs jobs = {.launch = &launch,
	                           .wanted = wanted,
	                           .arena = arena,
	                           .draft = bench_draft(&wanted->files, "memory", arena)};
	struct uint_list numbers = {0};
	int code = EXIT_FINE;

	if (bench_find(request, arena, &launch) != OK ||
	    choose_numbers(request, &launch, wanted, arena, &numbers) != OK)
		return report_failure();
	results_init(&jobs.results);
	jobs.results.is_complete = run_jobs(&jobs, &numbers) == OK;
	if (!jobs.results.is_complete) {
		jobs.results.trouble = arena_text(arena, trail_text());
		code = report_failure();
	}
	if (tell(&jobs) != OK)
		code = report_failure();
	results_release(&jobs.results);
	return job_signal() ? EXIT_BY_SIGNAL + job_signal() : code;
}
