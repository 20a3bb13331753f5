#include "base/paths.h"
#include "cli/coll_job.h"
#include "cli/command.h"
#include "cli/job.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/recording.h"

#include <stdlib.h>

static struct coll_choice choice;
static const char *json, *report;

static const struct option_spec options[] = {
	COLL_ALGORITHM_OPTION(choice),
	{"off", 0, NULL, "use only MPI's own algorithms, for comparison", OPTION_FLAG, &choice.off},
	{"json", 0, "FILE", "write the chosen algorithms to FILE as JSON ('-': stdout)", OPTION_TEXT, &json},
	{"report", 0, "FOLDER", "show the algorithms chosen in an earlier 'tarry exec --coll'; starts no job",
         OPTION_TEXT, &report},
	OPTIONS_END,
};

static const struct command *const subcommands[] = {&command_coll_show, &command_coll_calibrate, NULL};

static enum status check_choice(void)
{
	return coll_choice_check(&choice);
}

static int run_coll(const struct invocation *given)
{
	struct arena *arena = given->arena;
	struct launch_line line;
	struct coll_job plan;
	const char *path;
	int code;

	if (report && given->argc)
		return misuse(&command_coll, "unexpected argument '%s': '--report' starts no job",
		              given->argv[0]);
	if (report) {
		if (!path_is_folder(report)) {
			say("'%s' is not a folder of 'tarry exec --coll'", report);
			return EXIT_FAILED;
		}
		return coll_job_tell(report, json, EXIT_FINE) ? EXIT_FINE : EXIT_FAILED;
	}
	if (!given->argc)
		return misuse(&command_coll, "missing argument LAUNCHER: tarry coll %s", command_coll.usage);
	if (program_find(given->argv[0], arena, &path) != OK)
		return program_refused(given->argv[0]);
	launch_line_read(&line, given->argc, given->argv, arena);
	unsetenv(SETTING_RUN);
	unsetenv(SETTING_OUTPUT);
	unsetenv(SETTING_CHECK);
	if (coll_job_plan(&choice, line.program, true, arena, &plan) != OK || coll_job_export(&plan) != OK)
		return report_failure();
	if (job_run(path, launch_line_forward(&line, job_variables, arena), &code) != OK)
		code = report_failure();
	exit_code_when_exhausted = code;
	if (!coll_job_conclude(&plan, json, code) && code == EXIT_FINE)
		code = EXIT_FAILED;
	return code;
}

const struct command command_coll = {
	.name = "coll",
	.summary = "start an MPI job with collectives adapted to the machine",
	.usage = "[options] [--] LAUNCHER [OPTION ...] PROGRAM [ARGUMENT ...]",
	.example = "tarry coll -- mpirun -n 64 ./app input.dat\n"
		   "tarry coll --algorithm allgather=bruck_reorder -- srun -n 64 ./app\n"
		   "tarry coll calibrate -- mpirun -n 64 --hostfile hosts\n"
		   "tarry coll show run.tarry",
	.options = options,
	.add_help = coll_algorithms_help,
	.order = OPTIONS_FIRST,
	.operands = {0, OPERANDS_ANY},
	.subcommands = subcommands,
	.check = check_choice,
	.run = run_coll,
};
