#include "base/files.h"
#include "base/paths.h"
#include "base/shell.h"
#include "cli/checking.h"
#include "cli/coll_job.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/parts_folder.h"
#include "cli/program.h"
#include "cli/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct recording_choice choice = RECORDING_CHOICE_DEFAULT;
static struct checking_choice checked = CHECKING_CHOICE_DEFAULT;
static struct coll_choice collectives;
static bool check, record, coll;

static const struct option_spec options[] = {
	RECORDING_OPTIONS(choice),
	{"check", 0, NULL, "find errors in the use of MPI instead of recording; see 'tarry check --show'",
         OPTION_FLAG, &check},
	{"record", 0, NULL, "with --check or --coll: also record", OPTION_FLAG, &record},
	{"coll", 0, NULL,
         "use collective algorithms adapted to the machine instead of recording; see 'tarry coll --report'",
         OPTION_FLAG, &coll},
	COLL_ALGORITHM_OPTION(collectives),
	HANG_TIMEOUT_OPTION(checked),
	BUFFERS_OPTION(checked),
	OBJECT_LIMITS_OPTION(checked),
	OPTIONS_END,
};

/* Where launchers tell a process its rank. */
static const char *const rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",      "PMI_RANK",           "SLURM_PROCID", "PALS_RANKID",
	"MV2_COMM_WORLD_RANK",  "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK", NULL,
};

/* One process of many speaks for all. */
static bool is_speaker(void)
{
	for (const char *const *name = rank_variables; *name; name++) {
		const char *rank = getenv(*name);
		if (rank)
			return strcmp(rank, "0") == 0;
	}
	return true;
}

static enum status prepare_recording(char **argv, const char *path, struct arena *arena)
{
	struct recording plan;
	const char *awaited, *obstacle;

	/* Under `tarry run`, use the trace for which it waits. */
	if (!choice.output && setting_get(SETTING_RUN))
		choice.output = setting_get(SETTING_OUTPUT);
	TRY(recording_plan(&choice, argv, arena, &plan));
	/* If another trace was requested, no command waits for it, so the processes must complete it
	 * themselves. */
	awaited = setting_get(SETTING_OUTPUT);
	if (!awaited || strcmp(awaited, plan.output) != 0)
		unsetenv(SETTING_RUN);
	/* A `tarry run` that waits for another job would take these parts as its own. */
	TRY(setting_get(SETTING_RUN) ? OK : parts_check_unused(plan.parts));
	TRY(recording_export(&plan, NULL));
	if (is_speaker()) {
		struct program program = program_inspect(path, arena);

		obstacle = parts_obstacle(plan.parts, arena);
		if (!obstacle)
			obstacle = program_obstacle(&program, argv[0], plan.libraries, arena);
		if (obstacle)
			say("%s", obstacle);
		else if (!setting_get(SETTING_RUN)) {
			const char *name = SHELL_QUOTED(path_from_here(plan.output));

			/* The program replaces this process, so this cannot be printed when the trace is
			 * complete. */
			say("trace: %s, when the job is over; see: tarry report %s", plan.output, name);
			if (path_exists(plan.output))
				say("the earlier trace of this name will be renamed to '%.*s.old-N" TRACE_SUFFIX
				    "'",
				    (int)(strlen(path_name(plan.output)) - strlen(TRACE_SUFFIX)),
				    path_name(plan.output));
			if (parts_are_left(plan.parts))
				say("'%s' contains parts of an earlier job; to make a trace of them: tarry recover %s",
				    plan.parts, name);
		}
		if (plan.wrapped.obstacle)
			say("%s", plan.wrapped.obstacle);
	}
	return OK;
}

/* Under `tarry check`, use the folder for which it waits. A tool that was started in between may have put its library first. */
static enum status join_check(struct arena *arena)
{
	static const struct wrapped_functions none;
	const char *libraries;

	TRY(installation_libraries(arena, &libraries));
	return preload_export(libraries, &none, false);
}

static enum status prepare_check(char **argv, const char *path, struct arena *arena)
{
	struct checking plan;
	const char *obstacle;
	struct program program = program_inspect(path, arena);

	if (setting_get(SETTING_CHECK))
		return join_check(arena);
	checked.output = choice.output;
	if (!record) {
		unsetenv(SETTING_RUN);
		unsetenv(SETTING_OUTPUT);
	}
	TRY(checking_plan(&checked, argv, arena, &plan));
	obstacle = program_obstacle(&program, argv[0], plan.libraries, arena);
	if (is_speaker() && obstacle)
		say("%s", obstacle);
	if (obstacle)
		return OK;
	TRY(checking_join(&plan, arena));
	if (is_speaker())
		say("findings: %s, when the job is over; see: tarry check --show %s", plan.folder,
		    SHELL_QUOTED(path_from_here(plan.folder)));
	return checking_export(&plan);
}

/* Under `tarry coll` and `tarry run --coll`, use their folder. */
static enum status prepare_coll(char **argv, struct arena *arena)
{
	struct coll_job plan;

	if (setting_get(SETTING_COLL))
		return OK;
	if (!record) {
		unsetenv(SETTING_RUN);
		unsetenv(SETTING_OUTPUT);
	}
	TRY(coll_job_plan(&collectives, argv, false, arena, &plan));
	TRY(coll_job_export(&plan));
	if (is_speaker())
		say("collectives: %s, when the job is over; see: tarry coll --report %s", plan.folder,
		    path_from_here(plan.folder));
	return OK;
}

static enum status check_options(void)
{
	TRY(recording_check(&choice));
	TRY(checking_check(&checked));
	TRY(coll_choice_check(&collectives));
	if ((record && !check && !coll) || (collectives.algorithm && !coll))
		return fail("option '%s' needs '--coll'%s", record ? "--record" : "--algorithm",
		            record ? " or '--check'" : "");
	if (!check && (checked.hang_timeout != HANG_TIMEOUT_DEFAULT || checked.limits ||
	               strcmp(checked.buffers, BUFFERS_DEFAULT) != 0))
		return fail("options '--hang-timeout', '--buffers' and '--limits' need '--check'");
	return OK;
}

static int run_exec(const struct invocation *given)
{
	struct arena *arena = given->arena;
	char **argv = given->argv;
	const char *path;

	if (program_find(argv[0], arena, &path) != OK)
		return program_refused(argv[0]);
	if (((!check && !coll) || record) && prepare_recording(argv, path, arena) != OK)
		return report_failure();
	if (check && prepare_check(argv, path, arena) != OK)
		return report_failure();
	if (coll && prepare_coll(argv, arena) != OK)
		return report_failure();
	execv(path, argv);
	say("cannot run '%s': %s", path, strerror(errno));
	return EXIT_CANNOT_RUN;
}

const struct command command_exec = {
	.name = "exec",
	.summary = "record or check a program that a launcher starts",
	.usage = "[options] [--] PROGRAM [ARGUMENT ...]",
	.example = "mpirun -n 4 tarry exec ./app input.dat\n"
		   "srun -n 64 tarry exec -o large ./app\n"
		   "mpirun -n 4 tarry exec --check ./app",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {1, OPERANDS_ANY},
	.check = check_options,
	.run = run_exec,
};
