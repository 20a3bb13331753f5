#include "analysis/wrappers/compile.h"

#include "base/settings.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exceptions go through the wrappers; an overflow in a rule's formula must not surprise. */
static const char *const flags[] = {
	"-std=gnu11", "-D_GNU_SOURCE",       "-O2", "-fPIC",      "-shared", "-fexceptions",
	"-fwrapv",    "-fvisibility=hidden", "-w",  "-Wl,-z,now",
};
enum { FLAGS = sizeof flags / sizeof *flags };

static bool is_program(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static const char *find_on_path(const char *name, struct arena *arena)
{
	const char *list = getenv("PATH");

	if (strchr(name, '/'))
		return is_program(name) ? name : NULL;
	while (list && *list) {
		size_t length = strcspn(list, ":");
		const char *path = arena_format(arena, "%.*s/%s", (int)length, list, name);
		if (length && is_program(path))
			return path;
		list += length + (list[length] == ':');
	}
	return NULL;
}

/* "ccache gcc -m64" */
static void split_words(char *text, struct compiler *compiler)
{
	char *rest;

	for (char *word = strtok_r(text, " \t", &rest); word && compiler->word_count < COMPILER_WORDS;
	     word = strtok_r(NULL, " \t", &rest))
		compiler->words[compiler->word_count++] = word;
}

static enum status choose(struct arena *arena, struct compiler *compiler)
{
	static const char *const usual[] = {"cc", "gcc", "clang"};
	const char *wanted = getenv("CC");

	if (wanted)
		split_words(arena_text(arena, wanted), compiler);
	if (compiler->word_count) {
		compiler->words[0] = find_on_path(compiler->words[0], arena);
		return compiler->words[0] ? OK
		                          : fail("the variable CC names '%s', which cannot be run", wanted);
	}
	compiler->word_count = 1;
	for (size_t i = 0; i < sizeof usual / sizeof *usual && !compiler->words[0]; i++)
		compiler->words[0] = find_on_path(usual[i], arena);
	return compiler->words[0] ? OK
	                          : fail("there is no C compiler: install gcc or clang, or name one in the "
	                                 "variable CC");
}

/* Of the file that all links lead to, since an update changes that. */
static const char *identify(const struct compiler *compiler, struct arena *arena)
{
	const char *identity = "";
	char path[PATH_MAX];
	struct stat info = {0};

	for (int i = 0; i < compiler->word_count; i++)
		identity = arena_format(arena, "%s%s ", identity, compiler->words[i]);
	if (!realpath(compiler->words[0], path) || stat(path, &info) != 0)
		return identity;
	return arena_format(arena, "%s(%s, %lld bytes, changed %lld)", identity, path,
	                    (long long)info.st_size, (long long)info.st_mtime);
}

enum status compiler_find(struct arena *arena, struct compiler *compiler)
{
	struct compiler found = {.word_count = 0};

	TRY(choose(arena, &found));
	found.identity = identify(&found, arena);
	*compiler = found;
	return OK;
}

static void list_words(const struct compiler *compiler, const char *source, const char *library,
                       const char **argv)
{
	const char *files[] = {"-o", library, source, "-ldl", NULL};
	int count = 0;

	for (int i = 0; i < compiler->word_count; i++)
		argv[count++] = compiler->words[i];
	for (int i = 0; i < FLAGS; i++)
		argv[count++] = flags[i];
	memcpy(argv + count, files, sizeof files);
}

/* Without what makes a process record itself, and with messages in the language that is looked for in them. */
static char **environment_of_compiler(struct arena *arena)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = arena_array(arena, char *, count + 2);
	for (size_t i = 0; i < count; i++)
		if (!text_begins(environ[i], "LD_PRELOAD=") && !text_begins(environ[i], SETTING_OUTPUT "=") &&
		    !text_begins(environ[i], "LC_ALL="))
			list[kept++] = environ[i];
	list[kept] = arena_text(arena, "LC_ALL=C");
	return list;
}

/* Nothing of what it says goes to the user's streams. */
static int start(const char *const *argv, const char *log, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	struct arena arena = {0};
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	error = posix_spawn(child, argv[0], &actions, NULL, (char *const *)argv,
	                    environment_of_compiler(&arena));
	posix_spawn_file_actions_destroy(&actions);
	arena_release(&arena);
	return error;
}

/* "unknown type name 'hid_t'": of the first line that tells an error, what stands behind that word. */
static enum status add_error(const struct compiler *compiler, const char *log)
{
	FILE *file = fopen(log, "r");
	char line[512], first[512] = "it fails without a word";
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		const char *error = strstr(line, "error: ");
		found = error != NULL;
		if (found)
			snprintf(first, sizeof first, "%.*s", (int)strcspn(error + 7, "\n"), error + 7);
	}
	if (file)
		fclose(file);
	return fail(
		"the C compiler '%s' cannot make the wrappers: %s; a type that it does not know has to be "
		"written as what it stands for, as int64_t for hid_t",
		compiler->words[0], first);
}

enum status compiler_run(const struct compiler *compiler, const char *source, const char *library,
                         const char *log)
{
	const char *argv[COMPILER_WORDS + FLAGS + 5];
	int code = 0, error;
	pid_t child, ended;

	list_words(compiler, source, library, argv);
	error = start(argv, log, &child);
	if (error)
		return fail("cannot run the C compiler '%s': %s", compiler->words[0], strerror(error));
	while ((ended = waitpid(child, &code, 0)) < 0 && errno == EINTR)
		;
	if (ended < 0 || !WIFEXITED(code))
		return fail("the C compiler '%s' was stopped", compiler->words[0]);
	return WEXITSTATUS(code) == 0 ? OK : add_error(compiler, log);
}
