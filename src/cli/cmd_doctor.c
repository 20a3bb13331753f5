#include "analysis/wrappers/wrappers.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/shell.h"
#include "base/status.h"
#include "base/text.h"
#include "base/watchpoints.h"
#include "cli/bench_launch.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/library_search.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "cli/upc_compiler.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The state of the examination: each check adds its result. */
enum doctor_verdict {
	VERDICT_OK,
	VERDICT_ABSENT,  /* does without */
	VERDICT_MISSING, /* recording cannot work */
	VERDICTS
};

enum { RESULTS_MAX = 40 };

struct doctor_result {
	const char *check;
	enum doctor_verdict verdict;
	const char *text;
	const char *advice; /* NULL if all is well */
};

struct examination {
	struct arena *arena;
	const char *check;   /* the one that is running */
	const char *program; /* the user's; NULL: none */
	struct doctor_result results[RESULTS_MAX];
	size_t count;
};

static const char *const doctor_verdict_names[VERDICTS] = {"ok", "absent", "missing"};

/* `advice` is for whatever is not well. */
static void add(struct examination *e, enum doctor_verdict verdict, const char *text, const char *advice)
{
	if (e->count < RESULTS_MAX)
		e->results[e->count++] = (struct doctor_result){e->check, verdict, text,
		                                                verdict == VERDICT_OK ? NULL : advice};
}

static const char *libraries(struct examination *e)
{
	const char *folder;

	return installation_libraries(e->arena, &folder) == OK ? folder : "../lib";
}

static void check_preload(struct examination *e)
{
	const char *path = arena_format(e->arena, "%s/" PRELOAD_LIBRARY, libraries(e));

	if (access(path, R_OK) == 0)
		add(e, VERDICT_OK, path, NULL);
	else
		add(e, VERDICT_MISSING, arena_format(e->arena, "%s: %s", path, strerror(errno)),
		    "build or install Tarry again: bin and lib must be in the same folder");
}

static const char *advice_to_build(struct examination *e, const struct served_mpi *served,
                                   const char *purpose)
{
	return served->needs_mpicc
	               ? arena_format(e->arena, "to %s programs of %s, build Tarry where its mpicc is found",
	                              purpose, served->name)
	               : arena_format(e->arena, "to %s programs of libmpi_abi, install Tarry again", purpose);
}

static void check_recorders(struct examination *e)
{
	const char *folder = libraries(e);
	bool any = false;

	for (const struct served_mpi *served = served_mpis; served->mpi; served++)
		any |= installation_serves(folder, served->mpi);
	for (const struct served_mpi *served = served_mpis; served->mpi; served++) {
		const char *text = arena_format(e->arena, "%s: %s", served->name,
		                                recorder_name(served->mpi, e->arena));
		add(e,
		    installation_serves(folder, served->mpi) ? VERDICT_OK
		    : any                                    ? VERDICT_ABSENT
		                                             : VERDICT_MISSING,
		    text, advice_to_build(e, served, "record"));
	}
}

/* The user's program, and the recorder for it. */
static void check_program(struct examination *e)
{
	const char *path, *obstacle;
	struct program program;

	if (!e->program)
		return;
	if (program_find(e->program, e->arena, &path) != OK) {
		add(e, VERDICT_MISSING, arena_text(e->arena, trail_text()), "correct its path");
		return;
	}
	program = program_inspect(path, e->arena);
	obstacle = program_obstacle(&program, e->program, libraries(e), e->arena);
	if (obstacle)
		add(e, VERDICT_MISSING, obstacle, NULL);
	else if (program.kind == PROGRAM_WITH_MPI)
		add(e, VERDICT_OK,
		    arena_format(e->arena, "%s: needs %s, recorded by %s", e->program, program.library,
		                 recorder_name(program.mpi, e->arena)),
		    NULL);
	else
		add(e, VERDICT_OK,
		    arena_format(
			    e->arena,
			    program.kind == PROGRAM_UPC ? "%s: a UPC program"
			    : program.kind == PROGRAM_WITH_RECORDER
				    ? "%s: is linked with Tarry's recorder; 'tarry check' and 'tarry coll' need a shared MPI library"
				    : "%s: starts another program or loads MPI itself; that program is then recorded",
			    e->program),
		    NULL);
}

static void check_upc_recorder(struct examination *e)
{
	add(e, installation_serves(libraries(e), UPC_RECORDER) ? VERDICT_OK : VERDICT_ABSENT,
	    arena_format(e->arena, "UPC: %s", recorder_name(UPC_RECORDER, e->arena)),
	    "to record UPC programs, install Tarry again");
}

/* The agent in the job, and the analyser program. */
static void check_checkers(struct examination *e)
{
	const char *programs, *analyser = ANALYSER_PROGRAM;

	if (installation_programs(e->arena, &programs) == OK)
		analyser = path_join(programs, ANALYSER_PROGRAM, e->arena);
	for (const struct served_mpi *served = served_mpis; served->mpi; served++) {
		const char *name = checker_name(served->mpi, e->arena);
		const char *text = arena_format(e->arena, "%s: %s", served->name, name);

		if (access(path_join(libraries(e), name, e->arena), R_OK) != 0)
			add(e, VERDICT_ABSENT, text, advice_to_build(e, served, "check"));
		else if (access(analyser, X_OK) != 0)
			add(e, VERDICT_ABSENT, arena_format(e->arena, "%s: %s", analyser, strerror(errno)),
			    "to check programs, build or install Tarry again: bin and lib must be in the same folder");
		else
			add(e, VERDICT_OK, text, NULL);
	}
}

static void check_benches(struct examination *e)
{
	for (const struct served_mpi *served = served_mpis; served->mpi; served++) {
		if (!served->needs_mpicc) /* it is linked with a library */
			continue;
		add(e, bench_is_served(served->mpi, e->arena) ? VERDICT_OK : VERDICT_ABSENT,
		    arena_format(e->arena, "%s: %s", served->name, bench_program_name(served->mpi, e->arena)),
		    arena_format(
			    e->arena,
			    "to measure operations of %s, build Tarry where its mpicc and hwloc are found",
			    served->name));
	}
}

static void check_mpi_libraries(struct examination *e)
{
	struct library_search search;

	library_search_init(&search, LIBRARY_SEARCH_CONFIG, e->arena);
	for (const struct served_mpi *served = served_mpis; served->mpi; served++) {
		const char *path = NULL;
		for (const char *const *soname = served->sonames; *soname && !path; soname++)
			path = library_find(&search, *soname, NULL, NULL, "");
		add(e, path ? VERDICT_OK : VERDICT_ABSENT,
		    path ? arena_format(e->arena, "%s: %s", served->name, path)
		         : arena_format(e->arena, "%s: no %s in the system's folders or LD_LIBRARY_PATH",
		                        served->name, served->sonames[0]),
		    "not needed if programs bring their own; otherwise install it or load its module");
	}
}

/* The first line that has a digit: Hydra begins with a title. */
static const char *version_line(struct examination *e, const char *path)
{
	const char *const words[] = {path, "--version", NULL};
	struct text answer = {0};
	char *line = NULL, *rest, *to;

	capture_output(path, words, NULL, &answer);
	for (line = strtok_r(arena_text(e->arena, text_get(&answer)), "\n", &rest);
	     line && !strpbrk(line, "0123456789"); line = strtok_r(NULL, "\n", &rest))
		;
	text_release(&answer);
	if (!line)
		return "version unknown";
	/* Columns become one space. */
	to = line;
	for (const char *word = line; *(word += strspn(word, " \t\n")); word += strcspn(word, " \t\n")) {
		size_t length = strcspn(word, " \t\n");
		if (to > line)
			*to++ = ' ';
		memmove(to, word, length);
		to += length;
	}
	*to = 0;
	return line;
}

static const char *const launchers[] = {"mpirun",        "mpiexec", "srun",   "mpirun.openmpi",
                                        "mpiexec.mpich", "oshrun",  "upcrun", NULL};

static void check_launchers(struct examination *e)
{
	size_t before = e->count;

	for (const char *const *name = launchers; *name; name++) {
		const char *path;
		if (program_find(*name, e->arena, &path) == OK)
			add(e, VERDICT_OK, arena_format(e->arena, "%s: %s", path, version_line(e, path)),
			    NULL);
	}
	if (e->count == before)
		add(e, VERDICT_ABSENT, "no mpirun, mpiexec or srun on the PATH",
		    "install an MPI library or load its module");
}

/* Container runtimes, and their options to bind folders of the host. */
static const struct container_runtime {
	const char *program;
	const char *command; /* words of container_words are replaced */
} container_runtimes[] = {
	{"apptainer", "apptainer exec --bind PREFIX,FOLDER IMAGE TARRY exec ./app"},
	{"singularity", "singularity exec --bind PREFIX,FOLDER IMAGE TARRY exec ./app"},
	{"podman",
         "podman run --rm --userns=keep-id --network=host --ipc=host --pid=host -v PREFIX:PREFIX:ro -v FOLDER:FOLDER -w FOLDER IMAGE "
         "TARRY exec ./app"},
	{NULL, NULL},
};

enum { CONTAINER_WORDS = 3 };
static const char *const container_words[CONTAINER_WORDS] = {"PREFIX", "FOLDER", "TARRY"};

static const char *container_command(const struct container_runtime *runtime, const char *const *values,
                                     struct arena *arena)
{
	struct text text = {0};
	char quoted[PATH_MAX];

	for (const char *at = runtime->command; *at;) {
		int word = 0;
		while (word < CONTAINER_WORDS && !text_begins(at, container_words[word]))
			word++;
		if (word < CONTAINER_WORDS) {
			text_add(&text, "%s", shell_quote(values[word], quoted, sizeof quoted));
			at += strlen(container_words[word]);
		} else {
			text_add(&text, "%c", *at++);
		}
	}
	const char *command = arena_text(arena, text_get(&text));
	text_release(&text);
	return command;
}

/* The kind of container that this process is in; NULL: none, or an unknown one. */
static const char *container_here(void)
{
	if (getenv("APPTAINER_CONTAINER") || getenv("SINGULARITY_CONTAINER"))
		return "Apptainer";
	return access("/run/.containerenv", F_OK) == 0 ? "Podman"
	       : access("/.dockerenv", F_OK) == 0      ? "Docker"
	                                               : NULL;
}

static void check_folder_in_container(struct examination *e, const char *kind)
{
	struct stat here, root;
	bool is_bound = stat(".", &here) == 0 && stat("/", &root) == 0 && here.st_dev != root.st_dev;

	add(e, is_bound ? VERDICT_OK : VERDICT_ABSENT,
	    arena_format(e->arena,
	                 is_bound ? "in a container (%s), in a folder that is bound or mounted"
	                          : "in a container (%s), in a folder of its own",
	                 kind),
	    "a trace in this folder may vanish with the container: bind the folder of the job, at the same path on all nodes");
}

/* Inside a container: whether traces will be kept. For each runtime: the command that makes Tarry available
 * in a container. */
static void check_containers(struct examination *e)
{
	const char *kind = container_here(), *programs, *prefix;
	char folder[PATH_MAX];
	size_t before;

	if (kind)
		check_folder_in_container(e, kind);
	before = e->count;
	if (installation_programs(e->arena, &programs) != OK || !getcwd(folder, sizeof folder))
		return;
	prefix = path_folder(programs, e->arena);
	for (const struct container_runtime *runtime = container_runtimes; runtime->program; runtime++) {
		const char *path;

		if (program_find(runtime->program, e->arena, &path) != OK)
			continue;
		if (strcmp(prefix, "/usr") == 0 || strcmp(prefix, "/") == 0) {
			add(e, VERDICT_ABSENT,
			    arena_format(e->arena, "%s: images have a folder '%s' of their own", path,
			                 prefix),
			    "install Tarry in the image, or again in a folder that can be bound: make install PREFIX=/opt/tarry");
			continue;
		}
		const char *const values[CONTAINER_WORDS] = {prefix, folder,
		                                             path_join(programs, "tarry", e->arena)};
		add(e, VERDICT_OK,
		    arena_format(e->arena, "%s: %s", path, container_command(runtime, values, e->arena)),
		    NULL);
	}
	if (!kind && e->count == before)
		add(e, VERDICT_ABSENT, "no apptainer, singularity or podman on the PATH",
		    "not needed without containers");
}

static const char *const upc_compilers[] = {"upcc", "gupc", "clang-upc", NULL};

static void check_upc(struct examination *e)
{
	size_t before = e->count;

	for (const char *const *name = upc_compilers; *name; name++) {
		const char *path;
		if (program_find(*name, e->arena, &path) == OK) {
			enum upc_family family = upc_compiler_recognise(path);
			const char *text = arena_format(e->arena, "%s: %s", path, upc_family_name(family));

			if (family == UPC_NONE)
				add(e, VERDICT_ABSENT, text,
				    "'tarry upcc' supports Berkeley UPC, GNU UPC and Clang UPC");
			else if (family == UPC_BERKELEY && !upc_compiler_instruments(path))
				add(e, VERDICT_ABSENT,
				    arena_format(e->arena, "%s without instrumentation", text),
				    "to record its programs, configure Berkeley UPC with --with-multiconf=+opt_inst");
			else
				add(e, VERDICT_OK, text, NULL);
		}
	}
	if (e->count == before)
		add(e, VERDICT_ABSENT, "no upcc, gupc or clang-upc on the PATH",
		    "not needed without UPC programs; otherwise install a UPC compiler or load its module");
}

static void check_counter(struct examination *e)
{
	uint64_t first = clock_ticks();
	uint64_t frequency = clock_frequency();

	if (!machine_counter_is_sane() || !frequency || clock_ticks() < first)
		add(e, VERDICT_ABSENT, CLOCK_NAME " is not a reliable clock",
		    "recording uses clock_gettime, which is slower");
	else
		add(e, VERDICT_OK, arena_format(e->arena, CLOCK_NAME ", %.3f MHz", (double)frequency / 1e6),
		    NULL);
}

/* The nearest existing parent folder: the others can be created in it. */
static void add_writable(struct examination *e, const char *path, enum doctor_verdict otherwise,
                         const char *advice)
{
	char *folder = arena_text(e->arena, path);
	struct statvfs space;

	while (access(folder, F_OK) != 0 && strrchr(folder, '/') > folder)
		*strrchr(folder, '/') = 0;
	if (access(folder, W_OK | X_OK) != 0 || statvfs(folder, &space) != 0) {
		add(e, otherwise, arena_format(e->arena, "%s: %s", folder, strerror(errno)), advice);
		return;
	}
	add(e, space.f_bavail ? VERDICT_OK : otherwise,
	    arena_format(e->arena, "%s, %s free", path, AS_SIZE((uint64_t)space.f_bavail * space.f_frsize)),
	    advice);
}

static void check_watchpoints(struct examination *e)
{
	const uint32_t count = watchpoints_open();

	if (count)
		add(e, VERDICT_OK, arena_format(e->arena, "%u for each process", count), NULL);
	else
		add(e, VERDICT_ABSENT, "the kernel, a container or a debugger denies them",
		    "'tarry check' does not see loads of small buffers and windows; allow perf_event_open, or compile with 'tarry cc'");
}

static void check_folder(struct examination *e)
{
	char here[PATH_MAX];

	if (getcwd(here, sizeof here))
		add_writable(e, here, VERDICT_MISSING, "choose another place for traces with --output");
	else
		add(e, VERDICT_MISSING, strerror(errno), "change to a folder that exists");
}

static void check_cache(struct examination *e)
{
	static const char advice[] = "measurements of the MPI library are repeated in each run";
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		cache = arena_format(e->arena, "%s/tarry", cache);
	else if (home && *home == '/')
		cache = arena_format(e->arena, "%s/.cache/tarry", home);
	else
		cache = NULL;
	if (cache)
		add_writable(e, cache, VERDICT_ABSENT, advice);
	else
		add(e, VERDICT_ABSENT, "neither HOME nor XDG_CACHE_HOME is set", advice);
}

static void check_compiler(struct examination *e)
{
	struct compiler compiler;
	bool is_found = compiler_find(e->arena, &compiler) == OK;

	add(e, is_found ? VERDICT_OK : VERDICT_ABSENT,
	    is_found ? compiler.words[0] : arena_text(e->arena, trail_text()),
	    "without it rules can trace only MPI functions");
}

static void check_debug_information(struct examination *e)
{
	struct library_search search;
	const char *path;

	library_search_init(&search, LIBRARY_SEARCH_CONFIG, e->arena);
	path = library_find(&search, "libdw.so.1", NULL, NULL, "");
	add(e, path ? VERDICT_OK : VERDICT_ABSENT, path ? path : "no libdw.so.1 of elfutils",
	    "install it, and compile programs with -g, to see source lines");
}

static const struct doctor_check {
	const char *name;
	void (*look)(struct examination *e);
} checks[] = {
	{"preload", check_preload},
	{"recorder", check_recorders},
	{"recorder", check_upc_recorder},
	{"program", check_program},
	{"checker", check_checkers},
	{"bench", check_benches},
	{"MPI", check_mpi_libraries},
	{"launcher", check_launchers},
	{"container", check_containers},
	{"UPC", check_upc},
	{"counter", check_counter},
	{"watchpoints", check_watchpoints},
	{"folder", check_folder},
	{"cache", check_cache},
	{"C compiler", check_compiler},
	{"debug information", check_debug_information},
	{NULL, NULL},
};

static bool can_record(const struct examination *examination)
{
	for (size_t i = 0; i < examination->count; i++)
		if (examination->results[i].verdict == VERDICT_MISSING)
			return false;
	return true;
}

enum { VERDICT_WIDTH = 9, CHECK_WIDTH = 19 };

static struct {
	bool json;
} choice;

static const struct option_spec options[] = {
	{"json", 0, NULL, "print the findings as JSON", OPTION_FLAG, &choice.json},
	OPTIONS_END,
};

static const enum colour verdict_colours[VERDICTS] = {COLOUR_GOOD, COLOUR_DOUBTFUL, COLOUR_BAD};

static void print_text(const struct examination *examination)
{
	const char *plain = colour_code(COLOUR_NONE, stdout);

	for (size_t i = 0; i < examination->count; i++) {
		const struct doctor_result *result = &examination->results[i];
		printf("%s%-*s%s%-*s%s\n", colour_code(verdict_colours[result->verdict], stdout),
		       VERDICT_WIDTH, doctor_verdict_names[result->verdict], plain, CHECK_WIDTH,
		       result->check, result->text);
		if (result->advice)
			printf("%*s%s\n", VERDICT_WIDTH + CHECK_WIDTH, "", result->advice);
	}
	if (examination->program)
		printf("the program %s be recorded here\n", can_record(examination) ? "can" : "cannot");
	else
		puts(can_record(examination) ? "programs can be recorded here"
		                             : "nothing can be recorded here");
}

static void print_json(const struct examination *examination)
{
	struct text out = {0};
	struct json json = {.out = &out};

	json_open(&json, NULL, '{');
	json_bool(&json, "can_record", can_record(examination));
	json_open(&json, "findings", '[');
	for (size_t i = 0; i < examination->count; i++) {
		const struct doctor_result *result = &examination->results[i];
		json_open(&json, NULL, '{');
		json_text(&json, "check", result->check);
		json_text(&json, "verdict", doctor_verdict_names[result->verdict]);
		json_text(&json, "text", result->text);
		if (result->advice)
			json_text(&json, "advice", result->advice);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	fputs(text_get(&out), stdout);
	text_release(&out);
}

static int run_doctor(const struct invocation *given)
{
	struct examination examination = {.arena = given->arena, .program = given->argv[0]};

	for (const struct doctor_check *check = checks; check->name; check++) {
		examination.check = check->name;
		check->look(&examination);
	}
	(choice.json ? print_json : print_text)(&examination);
	return can_record(&examination) ? EXIT_FINE : EXIT_FAILED;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "check the installation on this machine",
	.usage = "[options] [PROGRAM]",
	.example = "tarry doctor\ntarry doctor ./app",
	.options = options,
	.operands = {0, 1},
	.run = run_doctor,
};
