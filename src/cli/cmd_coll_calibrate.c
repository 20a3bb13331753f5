#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/bench_launch.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/job.h"
#include "coll/choice/levels.h"
#include "topo/machine/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bench_request request;

static const struct option_spec options[] = {
	BENCH_LAUNCH_OPTIONS(request),
	OPTIONS_END,
};

static enum status find_launch(struct arena *arena, struct bench_launch *launch)
{
	const char *programs;

	TRY(bench_request_check(&request));
	TRY(bench_find(&request, arena, launch));
	TRY(installation_programs(arena, &programs));
	launch->program = path_join(programs, arena_format(arena, "tarry-calibrate-%s", launch->mpi), arena);
	if (access(launch->program, X_OK) != 0)
		return fail("cannot run '%s': %s; see 'tarry doctor'", launch->program, strerror(errno));
	return OK;
}

static enum status keep(const struct coll_levels *levels, FILE *printed, struct arena *arena)
{
	char path[PATH_MAX], line[1024];
	FILE *file;
	int fd;
	const char *folder;

	if (!machine_measured_path(path, sizeof path))
		return fail("there is no folder for the results: set HOME or XDG_CACHE_HOME");
	/* The folder in the user's cache, and its parent. */
	folder = path_folder(path, arena);
	mkdir(path_folder(folder, arena), 0700);
	mkdir(folder, 0700);
	fd = private_file_replace(AT_FDCWD, path, USER_FILE_MODE);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!file)
		return fail("cannot write '%s': %s", path, strerror(errno));
	fputs("# Measured by tarry coll calibrate: seconds, and bytes in a second.\n", file);
	coll_levels_write(levels->node.bandwidth > 0 ? &levels->node : NULL,
	                  levels->network.bandwidth > 0 ? &levels->network : NULL, file);
	/* Distances between nodes, which only topo/machine reads. */
	rewind(printed);
	while (fgets(line, sizeof line, printed))
		if (text_begins(line, "Link=") && text_ends(line, "\n"))
			fputs(line, file);
	if (fclose(file) != 0)
		return fail("cannot write '%s': %s", path, strerror(errno));
	say("kept in '%s'", path);
	return OK;
}

static void say_level(const char *name, const struct coll_level *level)
{
	say("%s: latency %s, bandwidth %s/s", name, AS_SECONDS(level->latency_s),
	    AS_SIZE((uint64_t)level->bandwidth));
}

/* The output of the program. */
static int conclude(FILE *printed, struct arena *arena)
{
	struct coll_levels levels = {{0, 0}, {0, 0}};

	rewind(printed);
	if (!coll_levels_read(printed, &levels)) {
		say("nothing was measured: at least two processes are needed");
		return EXIT_FAILED;
	}
	if (levels.node.bandwidth > 0)
		say_level("inside a node", &levels.node);
	if (levels.network.bandwidth > 0)
		say_level("between nodes", &levels.network);
	else
		say("between nodes: not measured, because all processes were on one node");
	return keep(&levels, printed, arena) == OK ? EXIT_FINE : report_failure();
}

static int run_calibrate(const struct invocation *given)
{
	struct arena *arena = given->arena;
	struct bench_plan unused = {0};
	struct job_streams streams = {.error = STDERR_FILENO};
	struct bench_launch launch;
	FILE *printed;
	int code;

	bench_take_operands(given->argc, given->argv, &request, &unused);
	if (unused.operations.count)
		return misuse(&command_coll_calibrate, "unexpected argument '%s'", given->argv[0]);
	if (find_launch(arena, &launch) != OK)
		return report_failure();
	printed = tmpfile();
	if (!printed) {
		say("cannot create a temporary file: %s", strerror(errno));
		return EXIT_FAILED;
	}
	streams.out = fileno(printed);
	if (job_run_into(launch.path, bench_words(&launch, arena), &streams, &code) != OK)
		code = report_failure();
	else if (code == EXIT_FINE)
		code = conclude(printed, arena);
	else
		say("the job ended with exit code %d: nothing was measured", code);
	fclose(printed);
	return code;
}

const struct command command_coll_calibrate = {
	.name = "coll calibrate",
	.summary = "measure latency and bandwidth for 'tarry coll'",
	.usage = "[options] [-- LAUNCHER [OPTION ...]]",
	.example = "tarry coll calibrate\n"
		   "tarry coll calibrate -- mpirun -n 64 --hostfile hosts",
	.options = options,
	.order = OPTIONS_TO_DASHES,
	.operands = {0, OPERANDS_ANY},
	.run = run_calibrate,
};
