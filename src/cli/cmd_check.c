#include "base/files.h"
#include "base/paths.h"
#include "base/shell.h"
#include "cli/checking.h"
#include "cli/command.h"
#include "cli/findings_output.h"
#include "cli/job.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/recorded_job.h"
#include "cli/rule_loading.h"
#include "cli/trace_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct checking_choice choice = CHECKING_CHOICE_DEFAULT;
static struct recording_choice recorded = RECORDING_CHOICE_DEFAULT;
static struct findings_choice output;
static const char *show;
static bool record, replace;

static const struct option_spec options[] = {
	{"output", 'o', "NAME",
         "name of the run: findings are saved in the folder NAME.check (default: the program's name)",
         OPTION_TEXT, &choice.output},
	HANG_TIMEOUT_OPTION(choice),
	BUFFERS_OPTION(choice),
	OBJECT_LIMITS_OPTION(choice),
	{"record", 0, NULL, "also record the job, to NAME.tarry", OPTION_FLAG, &record},
	{"replace", 0, NULL, "replace an earlier run of this name (default: keep it as NAME.old-1.check)",
         OPTION_FLAG, &replace},
	FINDINGS_OPTIONS(output),
	SYMBOLS_OPTION(output.symbols),
	LANGUAGE_OPTION(output.lang),
	{"show", 0, "FOLDER",
         "show the findings of an earlier run (its folder, or one log in it); starts no job", OPTION_TEXT,
         &show},
	OPTIONS_END,
};

/* Findings determine the exit code, then whether everything was checked, and last the job's own code, which
 * is also printed. The code of a stopped job has no meaning: its processes were ended because of a finding,
 * even if that is suppressed. */
static int exit_code_for(const struct findings_verdict *verdict, bool was_stopped, int code)
{
	if (code != EXIT_FINE && verdict->errors && !was_stopped)
		say("the job ended with exit code %d", code);
	if (verdict->errors || was_stopped)
		return EXIT_WRONG_USE;
	return verdict->is_complete || code != EXIT_FINE ? code : EXIT_UNTRUSTED;
}

static int conclude(const struct checking *plan, const char *program, struct suppressions *suppressions,
                    int code, struct arena *arena)
{
	struct findings_verdict verdict = {0};
	bool was_stopped;

	exit_code_when_exhausted = code;
	output.is_interrupted = job_signal() != 0;
	output.program = program;
	checking_wait(plan);
	if (!folder_has_file(plan->own.fd, CHECK_LOG_PREFIX)) {
		const char *notes = arena_format(arena, "%s/" NOTES_FILE, plan->folder);

		/* No process reached MPI_Init, or none could be checked. */
		if (say_notes(notes))
			say("nothing was checked: see the notes above");
		else
			say("nothing was checked: %s",
			    program_absence(program, code, plan->libraries, arena));
		checking_discard(plan);
		return code == EXIT_FINE ? EXIT_UNTRUSTED : code;
	}
	if (output.is_interrupted)
		checking_note_interrupted(plan);
	was_stopped = checking_was_stopped(plan);
	checking_end(plan);
	if (write_findings(plan->folder, &output, suppressions, stderr, &verdict) != EXIT_FINE)
		return was_stopped ? EXIT_WRONG_USE : code == EXIT_FINE ? EXIT_FAILED : code;
	say("findings: %s; see them again with: tarry check --show %s", plan->folder,
	    SHELL_QUOTED(path_from_here(plan->folder)));
	return exit_code_for(&verdict, was_stopped, code);
}

static enum status export_all(const struct checking *plan, const struct recorded_job *job)
{
	unsetenv(SETTING_RUN);
	unsetenv(SETTING_OUTPUT);
	if (record)
		TRY(recorded_job_export(job));
	return checking_export(plan);
}

static int check_job(const struct invocation *given, struct suppressions *suppressions)
{
	struct arena *arena = given->arena;
	struct launch_line line;
	struct recorded_job job;
	struct checking plan;
	struct job_streams streams = {.out = STDOUT_FILENO, .error = STDERR_FILENO, .listens_to_keys = true};
	const char *path, *program;
	int code;

	if (program_find(given->argv[0], arena, &path) != OK)
		return program_refused(given->argv[0]);
	launch_line_read(&line, given->argc, given->argv, arena);
	program = launch_line_program(&line);
	if (checking_plan(&choice, line.program, arena, &plan) != OK)
		return report_failure();
	streams.stopped_file = plan.stopped;
	streams.crashed_file = plan.crashed;
	/* Both have the same name, except for the suffix. */
	recorded.output = arena_bytes_as_text(arena, plan.folder, strlen(plan.folder) - strlen(CHECK_SUFFIX));
	if (record && recorded_job_begin(&recorded, line.program, replace, arena, &job) != OK)
		return report_failure();
	if (checking_begin(&plan, replace) != OK || export_all(&plan, &job) != OK ||
	    job_run_into(path, launch_line_forward(&line, job_variables, arena), &streams, &code) != OK) {
		code = report_failure();
	} else {
		if (record)
			recorded_job_conclude(&job, program, arena, code);
		code = conclude(&plan, program, suppressions, code, arena);
		if (record)
			checking_note_trace(&plan, job.run);
	}
	if (record)
		recorded_job_end(&job);
	return code;
}

/* "app" is "app.check", also beside a program of that name. */
static int show_run(const char *name, struct suppressions *suppressions, struct arena *arena)
{
	const char *folder = arena_format(arena, "%s" CHECK_SUFFIX, name);
	struct findings_verdict verdict = {0};
	int code;

	if (!path_is_folder(name) && path_exists(folder))
		name = folder;
	checking_wait_shortly(name);
	code = write_findings(name, &output, suppressions, stdout, &verdict);
	if (code == EXIT_FINE)
		checking_tidy(name);
	return code == EXIT_FINE ? exit_code_for(&verdict, false, code) : code;
}

static enum status check_options(void)
{
	TRY(checking_check(&choice));
	return findings_choice_check(&output);
}

static int run_check(const struct invocation *given)
{
	struct suppressions suppressions = {0};
	enum status status = OK;
	int code = EXIT_USAGE;

	if (show && given->argc)
		return misuse(&command_check, "unexpected argument '%s': '--show' starts no job",
		              given->argv[0]);
	if (!show && !given->argc)
		return misuse(&command_check, "missing argument LAUNCHER: tarry check %s",
		              command_check.usage);
	for (size_t i = 0; i < output.suppress.count && status == OK; i++)
		status = suppressions_read(&suppressions, output.suppress.at[i]);
	if (status != OK)
		report_failure();
	else
		code = show ? show_run(show, &suppressions, given->arena) : check_job(given, &suppressions);
	suppressions_release(&suppressions);
	return code;
}

const struct command command_check = {
	.name = "check",
	.summary = "start an MPI job and find errors in its use of MPI",
	.usage = "[options] [--] LAUNCHER [OPTION ...] PROGRAM [ARGUMENT ...]",
	.example = "tarry check -- mpirun -n 4 ./app input.dat\n"
		   "tarry check --hang-timeout 60 -- mpirun -n 4 ./app input.dat\n"
		   "tarry check --suppress known.txt --json findings.json -- srun -n 64 ./app\n"
		   "tarry check --show app.check",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {0, OPERANDS_ANY},
	.check = check_options,
	.run = run_check,
};
