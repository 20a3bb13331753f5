#include "base/files.h"
#include "base/shell.h"
#include "bench/results/plan_options.h"
#include "cli/bench_first_call.h"
#include "cli/bench_launch.h"
#include "cli/bench_memory.h"
#include "cli/bench_upc.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bench_request request;
static int64_t jobs;
static bool is_upc;
static const char *upc_compiler;

static const struct option_spec options[] = {
	BENCH_LAUNCH_OPTIONS(request),
	{"jobs", 0, "N", "start N jobs, one after the other; -o is then a folder for 'tarry bench compare'",
         OPTION_COUNT, &jobs},
	{"upc", 0, NULL, "measure a UPC runtime instead: barrier, memput, memget, collectives", OPTION_FLAG,
         &is_upc},
	{"upcc", 0, "COMPILER",
         "UPC compiler for '--upc'; default: upcc, gupc or clang-upc, whichever is found first", OPTION_TEXT,
         &upc_compiler},
	PLAN_OPTIONS,
	OPTIONS_END,
};

static const struct command *const subcommands[] = {
	&command_bench_show,
	&command_bench_compare,
	&command_bench_tune,
	NULL,
};

static bool has_files(const struct output_files *files)
{
	return files->json || files->csv || files->page;
}

/* Before an hour of measuring, not after it. */
static enum status check_outputs(void)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && !plan.quiet)
		return fail("stdout is closed: redirect it, or write to a file with -o and --quiet");
	return jobs ? OK : output_files_check(&plan.files);
}

static enum status check_upc(void)
{
	if (upc_compiler && !is_upc)
		return fail("option '--upcc' names the compiler for '--upc': add '--upc'");
	if (is_upc && (request.mpi || jobs))
		return fail("option '%s' does not apply to '--upc': leave it out", jobs ? "--jobs" : "--mpi");
	return is_upc ? bench_upc_check(&plan) : OK;
}

static enum status check_words(void)
{
	/* Times differ more from job to job than within one, so several are compared. */
	if (jobs && !plan.files.json)
		return fail("option '--jobs' needs a folder for the results: name it with -o");
	if (jobs && (plan.files.csv || plan.files.page || plan.memory || plan.first_call))
		return fail("option '--jobs' writes a file for each job with -o: leave out '%s'",
		            plan.memory       ? "--memory"
		            : plan.first_call ? "--first-call"
		            : plan.files.csv  ? "--csv"
		                              : "--html");
	TRY(check_upc());
	TRY(bench_request_check(&request));
	if (plan.quiet && !has_files(&plan.files))
		return fail("option '--quiet' prints no results: write them to a file with -o");
	return plan_check(&plan);
}

static int show_alone(struct arena *arena)
{
	struct bench_launch launch;
	int code;

	if (bench_find_program(&request, arena, &launch) != OK ||
	    bench_run_alone(&launch, &plan, arena, &code) != OK)
		return report_failure();
	return code;
}

static const char *first_file(const struct output_files *files)
{
	return files->json ? files->json : files->csv ? files->csv : files->page;
}

static int print_results_if_done(int code)
{
	if (code == EXIT_FINE) {
		char quoted[PATH_MAX];

		if (plan.files.json)
			say("results: %s; see: tarry bench show %s", plan.files.json,
			    shell_quote(plan.files.json, quoted, sizeof quoted));
		if (plan.files.csv)
			say("table: %s", plan.files.csv);
		if (plan.files.page)
			say("page: %s", plan.files.page);
		if (!has_files(&plan.files))
			say("'-o FILE' saves all results, '--html FILE' draws them");
	}
	return code;
}

static int run_job(const struct bench_launch *launch, struct arena *arena)
{
	struct bench_outcome end;

	if (bench_run(launch, 0, &plan, (struct bench_supervisor){0}, arena, &end) != OK)
		return report_failure();
	/* What a launcher makes of a program's end differs; only what we mean by it is passed on. */
	/* Hydra calls it success when it was interrupted. */
	if (end.code == EXIT_FINE && end.reached.done == end.reached.total)
		return print_results_if_done(EXIT_FINE);
	if (end.code == EXIT_USAGE && !end.reached.total)
		return EXIT_USAGE;
	/* It has said itself what failed in the end. */
	if (end.code != EXIT_FAILED || !end.reached.total || end.reached.done < end.reached.total) {
		const struct bench_progress *reached = &end.reached;
		const char *file = first_file(&plan.files);

		if (!reached->total)
			say("'%s' ended before it measured anything: see its output above", launch->words[0]);
		else if (file && reached->done)
			say("the job ended early: measured %u of %u points; they are in '%s'", reached->done,
			    reached->total, file);
		else
			say("the job ended early: measured %u of %u points", reached->done, reached->total);
	}
	if (job_signal())
		return EXIT_BY_SIGNAL + job_signal();
	return end.code > EXIT_BY_SIGNAL ? end.code : EXIT_FAILED;
}

/* "FOLDER/1.json" and so on. */
static int run_jobs(const struct bench_launch *launch, struct arena *arena)
{
	const char *folder = plan.files.json;
	int code = EXIT_FINE;

	if (mkdir(folder, USER_FOLDER_MODE) != 0 && errno != EEXIST) {
		say("cannot create the folder '%s': %s", folder, strerror(errno));
		return EXIT_FAILED;
	}
	for (int64_t i = 1; i <= jobs && code == EXIT_FINE; i++) {
		plan.files.json = arena_format(arena, "%s%s%lld.json", folder,
		                               text_ends(folder, "/") ? "" : "/", (long long)i);
		code = output_files_check(&plan.files) == OK ? run_job(launch, arena) : report_failure();
	}
	return code;
}

static int measure(struct arena *arena)
{
	struct bench_launch launch;
	int code;

	if (bench_find(&request, arena, &launch) != OK)
		return report_failure();
	code = bench_check(&launch, &plan, arena);
	if (code == EXIT_USAGE) {
		struct nearest nearest = {.word = plan.operations.count ? plan.operations.at[0] : ""};

		/* "comapre" is no operation, and something else was meant. */
		for (const struct command *const *sub = subcommands; *sub; sub++)
			nearest_offer(&nearest, command_word(*sub));
		if (*nearest.word && nearest_found(&nearest))
			say("did you mean 'tarry bench %s'?", nearest_found(&nearest));
	}
	if (code)
		return code;
	return jobs ? run_jobs(&launch, arena) : run_job(&launch, arena);
}

static int run_bench(const struct invocation *given)
{
	struct arena *arena = given->arena;

	bench_take_operands(given->argc, given->argv, &request, &plan);
	if (plan.operations.count == 1 && strcmp(plan.operations.at[0], "list") == 0) {
		plan.list = true;
		plan.operations = (struct string_list){0};
	}
	if (plan.first_call)
		first_call_defaults(&plan);
	if (check_words() != OK)
		return misuse(&command_bench, "%s", trail_text());
	if ((plan.list || plan.dry_run) && !is_upc)
		return show_alone(arena);
	if (check_outputs() != OK)
		return report_failure();
	if (is_upc)
		return print_results_if_done(bench_upc(&request, upc_compiler, &plan, arena));
	if (plan.memory)
		return print_results_if_done(bench_memory(&request, &plan, arena));
	if (plan.first_call)
		return print_results_if_done(bench_first_call(&request, &plan, arena));
	return measure(arena);
}

const struct command command_bench = {
	.name = "bench",
	.summary = "measure the operations of an MPI library",
	.usage = "[options] [OPERATION ...] [-- LAUNCHER [OPTION ...]]",
	.example = "tarry bench bcast allreduce\n"
		   "tarry bench -n 8 --sizes 8-1M -o before.json --html before.html all\n"
		   "tarry bench --first-call bcast reduce\n"
		   "tarry bench --upc -n 4 barrier memput\n"
		   "tarry bench bcast -- mpirun -n 64 --hostfile hosts\n"
		   "tarry bench list",
	.options = options,
	.order = OPTIONS_TO_DASHES,
	.operands_max = OPERANDS_ANY,
	.subcommands = subcommands,
	.run = run_bench,
};
