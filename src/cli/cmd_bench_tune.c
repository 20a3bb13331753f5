#include "bench/results/plan_options.h"
#include "bench/tuning/gains.h"
#include "cli/command.h"
#include "cli/tune_jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	{"output", 'o', "FILE", "tuning file to write; default: tuned.rules for Open MPI, tuned.json for MPICH",
	 OPTION_TEXT, &choice.output},
	BENCH_LAUNCH_OPTIONS(request),
	{"sizes", 's', "LIST", "bytes of a message: 1,1K,64K; 8-1M doubles, 8-1M:4 multiplies by 4; "
	 "default: " PLAN_DEFAULT_SIZES, OPTION_LIST, &plan.sizes},
	{"ranks", 'r', "LIST", "numbers of processes: 2,4,8; 2-64 doubles, 2-8:+1 counts; default: all",
	 OPTION_LIST, &plan.ranks},
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
	struct arena arena;
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
		text_add(&text, "\nfor your jobs:\n");
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

		/* An algorithm may win at all sizes of which half were measured, so there is no file. */
		if (!tuning->results.point_count) {
			say("interrupted before anything was measured: no tuning file is written");
			return OK;
		}
		if (!file)
			file = arena_format(&tuning->arena, "%s.measured.json",
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
	TRY(tuning_place(&tuning->results, choice.output, &tuning->arena, &tuning->place));
	choices_make(&tuning->results, &tuning->demand, &tuning->arena, &tuning->choices);
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

static void remove_folder(const struct tune_command *tuning)
{
	const char *const names[] = {"results.json", "journal"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(arena_format((struct arena *)&tuning->arena, "%s/%s", tuning->jobs.folder, names[i]));
	rmdir(tuning->jobs.folder);
}

/* In the user's folder, which other nodes are likely to see too. */
static enum status make_folder(struct tune_command *tuning)
{
	char *folder = arena_text(&tuning->arena, "tarry-tune-XXXXXX");

	if (!mkdtemp(folder))
		return fail("cannot create a folder here for the results of jobs: %s", strerror(errno));
	tuning->jobs.folder = folder;
	return OK;
}

static int tune_in_folder(struct tune_command *tuning)
{
	if (make_folder(tuning) != OK)
		return report_failure();
	enum status status = tune(tuning);
	int code = status == OK ? EXIT_FINE : report_failure();
	remove_folder(tuning);
	return tuning->jobs.ended_by ? EXIT_BY_SIGNAL + tuning->jobs.ended_by : code;
}

/* Before an hour of measuring, not after it. */
static enum status check_outputs(void)
{
	return output_files_check(&(struct output_files){choice.output, choice.json, choice.results});
}

static int find_and_tune(struct tune_command *tuning)
{
	struct bench_launch launch;
	int code;

	if (check_outputs() != OK || bench_find(&request, &tuning->arena, &launch) != OK)
		return report_failure();
	code = bench_check(&launch, &plan, &tuning->arena);
	if (code)
		return code;
	tuning->jobs = (struct tune_jobs){
		.launch = &launch, .patience = choice.patience, .arena = &tuning->arena};
	return tune_in_folder(tuning);
}

static int run_bench_tune(int argc, char **argv)
{
	struct tune_command tuning = {0};
	int code;

	bench_take_operands(argc, argv, &request, &plan);
	if (check_words() != OK)
		return misuse(&command_bench_tune, "%s", trail_text());
	results_init(&tuning.results);
	tuning.demand = (struct demand){choice.gain, plan.confidence};
	code = find_and_tune(&tuning);
	results_release(&tuning.results);
	arena_release(&tuning.arena);
	return code;
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
	.operands_max = OPERANDS_ANY,
	.run = run_bench_tune,
};
