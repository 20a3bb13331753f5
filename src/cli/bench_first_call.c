#include "cli/bench_first_call.h"

#include "bench/results/first_call.h"
#include "bench/results/output.h"
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The median of five jobs tolerates two disturbed ones. */
enum { JOBS_PER_OPERATION = 5 };

#define FIRST_CALL_SIZE "8K"

static const char *const paper_operations[] = {"bcast", "allgather", "barrier", "reduce", "allreduce"};

/* The jobs of one command. */
struct first_call_jobs {
	const struct bench_launch *launch;
	const struct bench_plan *wanted;
	struct arena *arena;
	const char *folder; /* where each job leaves its results */
	size_t count;
};

void first_call_defaults(struct bench_plan *wanted)
{
	if (!wanted->sizes)
		wanted->sizes = FIRST_CALL_SIZE;
	if (!wanted->operations.count)
		wanted->operations = (struct string_list){(const char **)paper_operations,
		                                          sizeof paper_operations / sizeof *paper_operations};
}

static const char *file_of_job(const struct first_call_jobs *jobs, size_t which)
{
	return arena_format(jobs->arena, "%s/%05zu.json", jobs->folder, which);
}

static enum status run_jobs(struct first_call_jobs *jobs)
{
	for (size_t i = 0; i < jobs->wanted->operations.count; i++)
		for (int j = 0; j < JOBS_PER_OPERATION; j++) {
			const char **operation = &jobs->wanted->operations.at[i];
			struct bench_plan job = *jobs->wanted;
			struct bench_outcome end;

			job.quiet = true;
			job.operations = (struct string_list){operation, 1};
			job.files = (struct output_files){.json = file_of_job(jobs, jobs->count)};
			TRY(bench_run(jobs->launch, 0, &job, (struct bench_supervisor){0}, jobs->arena,
			              &end));
			if (job_signal())
				return fail("interrupted in a job for '%s'", *operation);
			if (end.code)
				return fail("a job for '%s' failed", *operation);
			jobs->count++;
		}
	return OK;
}

static enum status put_together(struct first_call_jobs *jobs, enum status ended)
{
	struct results results;
	enum status status;
	struct text table = {0};

	if (!jobs->count)
		return ended;
	if (ended != OK)
		say("%s", trail_text());
	TRY(results_read_jobs(jobs->folder, &results));
	results.is_complete = results.is_complete && ended == OK;
	first_call_table(&results, &table);
	if (!jobs->wanted->quiet)
		fputs(text_get(&table), stdout);
	text_release(&table);
	status = results_write(&results, &jobs->wanted->files);
	results_release(&results);
	return status == OK && ended != OK ? fail("%zu jobs succeeded before that", jobs->count) : status;
}

int bench_first_call(const struct bench_request *request, const struct bench_plan *wanted,
                     struct arena *arena)
{
	struct bench_launch launch;
	struct first_call_jobs jobs = {.launch = &launch,
	                               .wanted = wanted,
	                               .arena = arena,
	                               .folder = bench_draft(&wanted->files, "first-call", arena)};
	enum status status;
	int code;

	if (bench_find(request, arena, &launch) != OK)
		return report_failure();
	code = bench_check(&launch, wanted, arena);
	if (code)
		return code;
	if (mkdir(jobs.folder, 0700) != 0) {
		say("cannot create the folder '%s': %s", jobs.folder, strerror(errno));
		return EXIT_FAILED;
	}
	status = put_together(&jobs, run_jobs(&jobs));
	for (size_t i = 0; i <= jobs.count; i++)
		unlink(file_of_job(&jobs, i));
	rmdir(jobs.folder);
	if (job_signal())
		return EXIT_BY_SIGNAL + job_signal();
	return status == OK ? EXIT_FINE : report_failure();
}
