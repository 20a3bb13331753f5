#include "cli/program.h"

#include "analysis/symbols/elf_file.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/library_search.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIBRARIES_MAX = 512 };

/* Libraries with other names are known by their functions. */
static const struct known_mpi {
	const char *pattern; /* of the name that programs need it by */
	const char *mpi;
} known_mpis[] = {
	{"libmpi_abi*.so*", "abi"}, /* before names with a compiler in them */
	{"libmpi.so.40", "openmpi"},    {"libmpich.so.12", "mpich"},
	{"libmpi.so.12", "mpich"},      {"libmpi_*.so.12", "mpich"},
	{"libmpi.so.*", NULL},          {"libmpich.so.*", NULL}, /* too old */
	{"libmpitrampoline.so*", NULL}, /* these two translate calls for another MPI library */
	{"libmuk.so*", "abi"},          {NULL, NULL},
};

/* Programs that start the program of interest. Programs that load libraries while they run (python, perl,
 * java …) call dlopen. */
static const char *const starters[] = {
	"sh",      "dash",      "bash",   "zsh",     "ksh",     "fish",     "env",     "nice",   "time",
	"timeout", "nohup",     "stdbuf", "numactl", "taskset", "valgrind", "strace",  "ltrace", "perf",
	"gdb",     "gdbserver", "xterm",  "setsid",  "chrt",    "tarry",    "busybox", NULL,
};

static const struct known_mpi *find_mpi(const char *soname)
{
	const struct known_mpi *known = known_mpis;

	while (known->pattern && fnmatch(known->pattern, soname, 0) != 0)
		known++;
	return known->pattern ? known : NULL;
}

static bool starts_others(const char *path)
{
	const char *base = path_name(path);

	for (const char *const *name = starters; *name; name++)
		if (strcmp(*name, base) == 0)
			return true;
	return false;
}

/* Libraries that are needed, each once, in the order of discovery. */
struct closure {
	const char *names[LIBRARIES_MAX];
	const char *paths[LIBRARIES_MAX];
	size_t count;
};

static bool closure_has(const struct closure *closure, const char *name)
{
	for (size_t i = 0; i < closure->count; i++)
		if (strcmp(closure->names[i], name) == 0)
			return true;
	return false;
}

static void closure_add(struct closure *closure, const struct elf_file *file, const char *path,
                        struct library_search *search)
{
	const char *origin = path_folder(path, search->arena);

	for (size_t i = 0; i < file->needed_count && closure->count < LIBRARIES_MAX; i++) {
		const char *name = file->needed[i];
		if (closure_has(closure, name))
			continue;
		closure->names[closure->count] = name;
		closure->paths[closure->count++] = library_find(search, name, file->rpath, file->runpath,
		                                                origin);
	}
}

/* Breadth first, until an MPI library turns up: that one's own needs do not matter. */
static void find_mpi_library(const struct elf_file *main, const char *path, struct arena *arena,
                             struct program *program)
{
	struct closure *closure = arena_new(arena, struct closure);
	struct library_search search;

	library_search_init(&search, LIBRARY_SEARCH_CONFIG, arena);
	closure_add(closure, main, path, &search);
	for (size_t i = 0; i < closure->count; i++) {
		const struct known_mpi *known = find_mpi(closure->names[i]);
		struct elf_file file = {0};
		if (!known && closure->paths[i] && elf_file_read(closure->paths[i], arena, &file))
			closure_add(closure, &file, closure->paths[i], &search);
		if (known || file.interface) {
			program->library = closure->names[i];
			program->mpi = known ? known->mpi : file.interface;
			return;
		}
	}
}

struct program program_inspect(const char *path, struct arena *arena)
{
	struct program program = {.kind = PROGRAM_OPAQUE};
	struct elf_file file;

	if (starts_others(path) || !elf_file_read(path, arena, &file))
		return program;
	find_mpi_library(&file, path, arena, &program);
	if (program.library && !file.defines_recorder) {
		program.kind = PROGRAM_WITH_MPI;
	} else if (file.defines_upc || file.defines_gasp) {
		program.kind = file.defines_gasp ? PROGRAM_UPC : PROGRAM_UPC_ALONE;
	} else if (file.defines_mpi) {
		program.kind = file.defines_recorder ? PROGRAM_WITH_RECORDER : PROGRAM_STATIC_MPI;
		program.mpi = file.own_mpi;
	} else if (!file.has_interpreter) {
		program.kind = PROGRAM_STATIC;
	} else if (!file.loads_libraries) {
		program.kind = PROGRAM_WITHOUT_MPI;
	}
	return program;
}

static const char *obstacle_of_library(const struct program *program, const char *name, const char *libraries,
                                       struct arena *arena)
{
	if (!program->mpi)
		return arena_format(
			arena,
			"'%s' uses '%s', an unknown MPI library: link it with "
			"Open MPI 4 or later, or with MPICH 3.1 or later or one compatible with it",
			name, program->library);
	if (installation_serves(libraries, program->mpi))
		return NULL;
	return arena_format(arena,
	                    "'%s' uses '%s' (%s), which this installation does not support: '%s/%s' is "
	                    "missing; build Tarry where the mpicc of that MPI is found",
	                    name, program->library, program->mpi, libraries,
	                    recorder_name(program->mpi, arena));
}

/* The folder of the recorder to link with; only the option if MPI is unknown, or if there is no such
 * folder. */
static const char *linked_recorder(const struct program *program, const char *libraries, struct arena *arena)
{
	const char *folder = program->mpi ? arena_format(arena, "%s/static/%s", libraries, program->mpi)
	                                  : NULL;

	if (folder && path_exists(path_join(folder, "libtarry.a", arena)))
		return arena_format(arena, "'-L%s -ltarry'", folder);
	return "-ltarry";
}

const char *program_obstacle(const struct program *program, const char *name, const char *libraries,
                             struct arena *arena)
{
	switch (program->kind) {
	case PROGRAM_OPAQUE:
		return NULL;
	case PROGRAM_UPC:
		if (installation_serves(libraries, UPC_RECORDER))
			return NULL;
		return arena_format(
			arena,
			"'%s' is a UPC program, which this installation does not support: '%s/%s' is missing; "
			"install Tarry again",
			name, libraries, recorder_name(UPC_RECORDER, arena));
	case PROGRAM_UPC_ALONE:
		return arena_format(arena,
		                    "'%s' is a UPC program that was not compiled for recording: compile it "
		                    "with 'tarry upcc'",
		                    name);
	case PROGRAM_WITHOUT_MPI:
		return arena_format(
			arena,
			"'%s' does not use MPI: it is neither linked with an MPI library nor a UPC program compiled by 'tarry upcc'",
			name);
	case PROGRAM_STATIC:
		return arena_format(arena,
		                    "'%s' is linked statically, so nothing can be loaded into it: link it "
		                    "without -static",
		                    name);
	case PROGRAM_STATIC_MPI:
		return arena_format(
			arena,
			"'%s' has MPI linked in statically, so its calls cannot be recorded: link it with the shared MPI library, or "
			"with Tarry's recorder: %s before the MPI library (docs/libraries.md)",
			name, linked_recorder(program, libraries, arena));
	case PROGRAM_WITH_RECORDER:
		return NULL;
	case PROGRAM_WITH_MPI:
		return obstacle_of_library(program, name, libraries, arena);
	}
	return NULL;
}

const char *program_absence(const char *name, int code, const char *libraries, struct arena *arena)
{
	const char *path = NULL, *obstacle = NULL;
	struct program program = {.kind = PROGRAM_OPAQUE};

	if (name && program_find(name, arena, &path) == OK && path) {
		program = program_inspect(path, arena);
		obstacle = program_obstacle(&program, name, libraries, arena);
	} else if (name && code != EXIT_FINE) {
		obstacle = arena_format(arena,
		                        "the launcher could not start the program: %s; check its path, and "
		                        "the folder that the launcher starts it in",
		                        trail_text());
	}
	if (obstacle)
		return obstacle;
	if (program.kind == PROGRAM_UPC)
		return arena_format(arena, "'%s' did not start its UPC threads, or was stopped before it did",
		                    name);
	return arena_format(arena, "'%s' did not call MPI_Init, or was stopped before it did",
	                    name ? name : "the program");
}

static enum status check_runnable(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0)
		return fail("cannot run '%s': %s", path, strerror(errno));
	if (S_ISDIR(info.st_mode))
		return fail("cannot run '%s': it is a folder", path);
	if (access(path, X_OK) != 0)
		return fail("cannot run '%s': %s", path, strerror(errno));
	return OK;
}

enum status program_find(const char *name, struct arena *arena, const char **path)
{
	if (!strchr(name, '/')) {
		const char *list = getenv("PATH");

		while (list && *name) {
			size_t length = strcspn(list, ":");
			const char *folder = length ? arena_bytes_as_text(arena, list, length) : ".";
			*path = path_join(folder, name, arena);
			if (check_runnable(*path) == OK)
				return OK;
			list = list[length] ? list + length + 1 : NULL;
		}
		return fail("cannot run '%s': no such program on the PATH", name);
	}
	TRY(check_runnable(name));
	*path = name;
	return OK;
}

int program_refused(const char *name)
{
	report_failure();
	return strchr(name, '/') && access(name, F_OK) == 0 ? EXIT_CANNOT_RUN : EXIT_NOT_FOUND;
}

static bool start(const char *path, const char *const *words, int output, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int failed;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	failed = posix_spawn(child, path, &actions, NULL, (char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return !failed;
}

/* False: the word came before the end. */
static bool read_answer(int input, const char *word, struct text *answer)
{
	char bytes[4096];
	ssize_t size;

	while (answer->length < OUTPUT_MAX && (size = read(input, bytes, sizeof bytes)) > 0) {
		text_add_bytes(answer, bytes, (size_t)size);
		if (word && strstr(text_get(answer), word))
			return false;
	}
	return answer->length < OUTPUT_MAX;
}

int capture_output(const char *path, const char *const *words, const char *word, struct text *answer)
{
	int ends[2], status = -1;
	bool is_whole;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	if (!start(path, words, ends[1], &child)) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	close(ends[1]);
	is_whole = read_answer(ends[0], word, answer);
	close(ends[0]);
	if (!is_whole)
		return kill(child, SIGTERM); /* it may first wait for its children, so do not wait for it */
	if (waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
