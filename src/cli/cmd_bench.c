#include "base/files.h"
#include "base/paths.h"
#include "base/shell.h"
#include "bench/results/first_call.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/plan_options.h"
#include "bench/results/results.h"
#include "bench/results/upc_times.h"
#include "cli/bench_launch.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "cli/upc_compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
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

static int exit_code(enum status status)
{
	if (job_signal())
		return EXIT_BY_SIGNAL + job_signal();
	return status == OK ? EXIT_FINE : report_failure();
}

static void print_table(void (*add)(const struct results *results, struct text *out),
                        const struct results *results)
{
	struct text table = {0};

	add(results, &table);
	if (!plan.quiet)
		fputs(text_get(&table), stdout);
	text_release(&table);
}

/* --upc: compiles upc/tarry_bench.upc with the user's UPC compiler, runs it, and shows its results. */

#define BENCH_SOURCE "tarry_bench.upc"

/* One measurement: the compiler, and the files in a folder of its own. */
struct upc_bench {
	struct arena *arena;
	const char *compiler; /* path */
	enum upc_family family;
	const char *folder, *program, *times;
};

/* All values that differ from the defaults were given by the user. */
static enum status bench_upc_check(void)
{
	struct bench_plan others = plan;
	struct arena arena = {0};
	enum status status = OK;
	char **words;

	others.sizes = NULL;
	others.files = (struct output_files){0};
	others.operations = (struct string_list){0};
	others.quiet = false;
	others.time_limit = plan_defaults.time_limit;
	others.trim = plan_defaults.trim;
	others.confidence = plan_defaults.confidence;
	others.clock_share = plan_defaults.clock_share;
	words = plan_argv(&others, &arena);
	if (words[0])
		status = fail("option '%s' does not apply to '--upc': leave it out", words[0]);
	arena_release(&arena);
	return status;
}

static enum status find_compiler(struct upc_bench *bench)
{
	const char *const *names = upc_compiler ? (const char *const[]){upc_compiler, NULL}
	                                        : (const char *const[]){"upcc", "gupc", "clang-upc", NULL};

	for (; *names; names++)
		if (program_find(*names, bench->arena, &bench->compiler) == OK &&
		    (bench->family = upc_compiler_recognise(bench->compiler)) != UPC_NONE)
			return OK;
	if (upc_compiler)
		return fail("'%s' is not a known UPC compiler: use upcc of Berkeley UPC, gupc or clang-upc",
		            upc_compiler);
	return fail("no UPC compiler found (upcc, gupc or clang-upc): name one with '--upcc'");
}

static enum status run(const char **words, const char *purpose, struct arena *arena)
{
	const char *path;
	int code;

	TRY(program_find(words[0], arena, &path));
	TRY(job_run(path, (char **)words, &code));
	return code ? fail("%s failed with exit code %d", purpose, code) : OK;
}

/* The user's launcher, or upcrun beside the compiler, or the program itself. */
static enum status launch_upc(struct upc_bench *bench)
{
	enum { OWN_WORDS = 10 };
	struct arena *arena = bench->arena;
	const char *threads = arena_format(
		arena, "%lld", (long long)(request.processes ? request.processes : available_cores()));
	const char *beside = path_join(path_folder(bench->compiler, arena), "upcrun", arena);
	const char *size_list = "", *operations = plan.operations.count ? plan.operations.at[0] : "all";
	struct uint_list sizes;
	size_t given = request.words ? (size_t)count_words(request.words) : 0, count = 0;

	TRY(plan_sizes(plan.sizes, arena, &sizes));
	for (size_t i = 0; i < sizes.count; i++)
		size_list = arena_format(arena, "%s%s%" PRIu64, size_list, i ? "," : "", sizes.at[i]);
	for (size_t i = 1; i < plan.operations.count; i++)
		operations = arena_format(arena, "%s,%s", operations, plan.operations.at[i]);
	const char **words = arena_array(arena, const char *, given + OWN_WORDS);

	for (size_t i = 0; i < given; i++)
		words[count++] = request.words[i];
	if (!given && bench->family == UPC_BERKELEY) {
		words[count++] = access(beside, X_OK) == 0 ? beside : "upcrun";
		words[count++] = "-q";
		words[count++] = "-n";
		words[count++] = threads;
	}
	words[count++] = bench->program;
	if (!given && bench->family != UPC_BERKELEY) {
		words[count++] = "-n";
		words[count++] = threads;
	}
	words[count++] = bench->times;
	words[count++] = size_list;
	words[count++] = operations;
	words[count++] = arena_format(arena, "%lld", (long long)plan.time_limit);
	return run(words, "the UPC benchmark", arena);
}

static void add_coloured_table(const struct results *results, struct text *out)
{
	results_table(results, *colour_code(COLOUR_STRONG, stdout) != '\0', out);
}

static enum status measure_upc(struct upc_bench *bench)
{
	const char *folder;
	const char *words[] = {bench->compiler, "-O2", "-o", bench->program, NULL, NULL};
	FILE *file;
	struct results results;
	enum status status;

	TRY(installation_upc(bench->arena, &folder));
	words[4] = path_join(folder, BENCH_SOURCE, bench->arena);
	TRY(run(words, "compiling the UPC benchmark", bench->arena));
	TRY(launch_upc(bench));
	file = fopen(bench->times, "r");
	if (!file)
		return fail("the UPC benchmark left no '%s': %s", bench->times, strerror(errno));
	results_init(&results);
	results_fact(&results, "upc", "compiler", "%s (%s)", upc_family_name(bench->family), bench->compiler);
	status = upc_times_read(file, &plan, &results);
	fclose(file);
	if (status == OK) {
		print_table(add_coloured_table, &results);
		status = results_write(&results, &plan.files);
	}
	results_release(&results);
	return status;
}

static int bench_upc(struct arena *arena)
{
	struct upc_bench bench = {.arena = arena};
	enum status status;

	if (find_compiler(&bench) != OK ||
	    path_absolute(bench_draft(&plan.files, "upc", arena), arena, &bench.folder) != OK)
		return report_failure();
	bench.program = path_join(bench.folder, "tarry_bench", arena);
	bench.times = path_join(bench.folder, "times", arena);
	if (mkdir(bench.folder, 0700) != 0) {
		say("cannot create the folder '%s': %s", bench.folder, strerror(errno));
		return EXIT_FAILED;
	}
	status = measure_upc(&bench);
	unlink(bench.program);
	unlink(bench.times);
	rmdir(bench.folder);
	return exit_code(status);
}

/* --memory: the memory of an MPI library by the number of ranks. Each number has a job of its own. */

/* Runs one of several jobs whose results are combined. `subject` names it: "with 4 processes". */
static enum status run_quiet_job(const struct bench_launch *launch, int64_t processes, struct bench_plan *job,
                                 const char *subject, struct arena *arena)
{
	struct bench_outcome end;

	job->quiet = true;
	TRY(bench_run(launch, processes, job, (struct bench_supervisor){0}, arena, &end));
	if (job_signal())
		return fail("interrupted in the job %s", subject);
	return end.code ? fail("the job %s failed", subject) : OK;
}

static enum status run_memory_job(const struct bench_launch *launch, int64_t processes, const char *draft,
                                  struct results *results, struct arena *arena)
{
	struct bench_plan job = plan;
	struct results found;

	job.ranks = NULL;
	job.files = (struct output_files){.json = draft};
	TRY(run_quiet_job(launch, processes, &job,
	                  arena_format(arena, "with %lld processes", (long long)processes), arena));
	TRY(results_read(draft, &found));
	for (size_t i = 0; i < found.memory_count; i++)
		results_add_memory(results, &found.memory[i]);
	for (const struct fact *fact = found.facts; fact; fact = fact->next)
		results_fact(results, fact->section, fact->name, "%s", fact->value);
	/* Print each once: every job omits the same operations. */
	for (const struct omission *omission = found.omissions; omission; omission = omission->next) {
		const struct omission *known = results->omissions;

		while (known && strcmp(known->operation, omission->operation) != 0)
			known = known->next;
		if (!known)
			results_omit(results, omission->operation, omission->reason);
	}
	results_release(&found);
	return OK;
}

static enum status choose_numbers(const struct bench_launch *launch, struct arena *arena,
                                  struct uint_list *numbers)
{
	/* No option needed: shared cores do not affect memory. */
	enum { RANKS_MIN = 8 };
	int64_t last = launch->processes > RANKS_MIN ? launch->processes : RANKS_MIN;
	const char *list = plan.ranks;

	if (launch->is_users && launch->processes && !request.processes)
		return fail(
			"option '--memory' starts a job for each number of processes: leave out '-n' of the launcher, and give numbers with '--ranks'");
	if (!list)
		list = request.processes ? arena_format(arena, "%lld", (long long)request.processes)
		                         : arena_format(arena, "2-%lld", (long long)last);
	return plan_ranks(list, INT_MAX, arena, numbers);
}

static int bench_memory(struct arena *arena)
{
	const char *draft = bench_draft(&plan.files, "memory", arena);
	struct bench_launch launch;
	struct results results;
	struct uint_list numbers = {0};
	struct memory_of_steps steps;
	struct fitted_line growth;
	enum status status = OK;
	int code = EXIT_FINE;

	if (bench_find(&request, arena, &launch) != OK || choose_numbers(&launch, arena, &numbers) != OK)
		return report_failure();
	results_init(&results);
	for (size_t i = 0; i < numbers.count && status == OK; i++)
		status = run_memory_job(&launch, (int64_t)numbers.at[i], draft, &results, arena);
	unlink(draft);
	results.is_complete = status == OK;
	if (!results.is_complete) {
		results.trouble = arena_text(arena, trail_text());
		code = report_failure();
	}
	/* As in the table, for readers of the file. */
	steps = memory_by_step(&results, arena);
	for (size_t i = 0; i < steps.count; i++)
		if (memory_growth(&steps.at[i], &growth))
			results_fact(&results, "memory growth", steps.at[i].name,
			             "%.0f bytes in a process for each further one", growth.slope);
	if (results.memory_count)
		print_table(memory_table, &results);
	if (results_write(&results, &plan.files) != OK)
		code = report_failure();
	results_release(&results);
	return job_signal() ? EXIT_BY_SIGNAL + job_signal() : code;
}

/* --first-call: fresh jobs, each with the first and the second call of one operation. */

static const char *file_of_job(const char *folder, size_t which, struct arena *arena)
{
	return arena_format(arena, "%s/%05zu.json", folder, which);
}

static enum status run_first_calls(const struct bench_launch *launch, const char *folder, struct arena *arena,
                                   size_t *count)
{
	/* The median of five jobs tolerates two disturbed ones. */
	enum { JOBS_PER_OPERATION = 5 };

	for (; *count < plan.operations.count * JOBS_PER_OPERATION; ++*count) {
		const char **operation = &plan.operations.at[*count / JOBS_PER_OPERATION];
		struct bench_plan job = plan;

		job.operations = (struct string_list){operation, 1};
		job.files = (struct output_files){.json = file_of_job(folder, *count, arena)};
		TRY(run_quiet_job(launch, 0, &job, arena_format(arena, "for '%s'", *operation), arena));
	}
	return OK;
}

static enum status put_together(const char *folder, size_t count, enum status ended)
{
	struct results results;
	enum status status;

	if (!count)
		return ended;
	if (ended != OK)
		say("%s", trail_text());
	TRY(results_read_jobs(folder, &results));
	results.is_complete = results.is_complete && ended == OK;
	print_table(first_call_table, &results);
	status = results_write(&results, &plan.files);
	results_release(&results);
	return status == OK && ended != OK ? fail("%zu jobs had succeeded before", count) : status;
}

static int bench_first_call(struct arena *arena)
{
	const char *folder = bench_draft(&plan.files, "first-call", arena);
	struct bench_launch launch;
	enum status status;
	size_t count = 0;
	int code;

	if (bench_find(&request, arena, &launch) != OK)
		return report_failure();
	code = bench_check(&launch, &plan, arena);
	if (code)
		return code;
	if (mkdir(folder, 0700) != 0) {
		say("cannot create the folder '%s': %s", folder, strerror(errno));
		return EXIT_FAILED;
	}
	status = run_first_calls(&launch, folder, arena, &count);
	status = put_together(folder, count, status);
	for (size_t i = 0; i <= count; i++)
		unlink(file_of_job(folder, i, arena));
	rmdir(folder);
	return exit_code(status);
}

/* Times */

static bool has_files(const struct output_files *files)
{
	return files->json || files->csv || files->page;
}

/* Report this before an hour of measurements, not after it. */
static enum status check_outputs(void)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && !plan.quiet)
		return fail("stdout is closed: redirect it, or write to a file with -o and --quiet");
	return jobs ? OK : output_files_check(&plan.files);
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
	if (upc_compiler && !is_upc)
		return fail("option '--upcc' names the compiler for '--upc': add '--upc'");
	if (is_upc && (request.mpi || jobs))
		return fail("option '%s' does not apply to '--upc': leave it out", jobs ? "--jobs" : "--mpi");
	TRY(is_upc ? bench_upc_check() : OK);
	TRY(bench_request_check(&request));
	if (plan.quiet && !has_files(&plan.files))
		return fail("option '--quiet' prints no results: write them to a file with -o");
	return plan_check(&plan);
}

static const char *first_file(const struct output_files *files)
{
	return files->json ? files->json : files->csv ? files->csv : files->page;
}

static int print_results_if_done(int code)
{
	if (code == EXIT_FINE) {

		if (plan.files.json)
			say("results: %s; see: tarry bench show %s", plan.files.json,
			    SHELL_QUOTED(plan.files.json));
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
	/* Launchers change the exit code of a program in different ways; only our own codes are passed on. */
	/* Hydra calls it success when it was interrupted. */
	if (end.code == EXIT_FINE && end.reached.done == end.reached.total)
		return print_results_if_done(EXIT_FINE);
	if (end.code == EXIT_USAGE && !end.reached.total)
		return EXIT_USAGE;
	/* The program has printed the error itself. */
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

		/* "comapre" is not an operation but a misspelled subcommand. */
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
	if (plan.first_call) {
		static const char *operations[] = {"bcast", "allgather", "barrier", "reduce", "allreduce"};

		/* The operations and the size of the paper, unless the user gave others. */
		if (!plan.sizes)
			plan.sizes = "8K";
		if (!plan.operations.count)
			plan.operations = (struct string_list){operations,
			                                       sizeof operations / sizeof *operations};
	}
	if (check_words() != OK)
		return misuse(&command_bench, "%s", trail_text());
	if ((plan.list || plan.dry_run) && !is_upc) {
		struct bench_launch launch;
		int code;

		if (bench_find_program(&request, arena, &launch) != OK ||
		    bench_run_alone(&launch, &plan, arena, &code) != OK)
			return report_failure();
		return code;
	}
	if (check_outputs() != OK)
		return report_failure();
	if (is_upc)
		return print_results_if_done(bench_upc(arena));
	if (plan.memory)
		return print_results_if_done(bench_memory(arena));
	if (plan.first_call)
		return print_results_if_done(bench_first_call(arena));
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
	.operands = {0, OPERANDS_ANY},
	.subcommands = subcommands,
	.run = run_bench,
};
