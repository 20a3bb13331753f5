#include "tracing/compile.h"

#include "base/settings.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* In the child: nothing of ours, and nothing on the user's streams. */
static void become_compiler(const struct compiler *compiler, const char *source, const char *library,
                            const char *log)
{
	const char *argv[COMPILER_WORDS + FLAGS + 5];
	int count = 0, silence = open("/dev/null", O_RDONLY),
	    out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (int i = 0; i < compiler->word_count; i++)
		argv[count++] = compiler->words[i];
	for (int i = 0; i < FLAGS; i++)
		argv[count++] = flags[i];
	argv[count++] = "-o";
	argv[count++] = library;
	argv[count++] = source;
	argv[count++] = "-ldl";
	argv[count] = NULL;
	unsetenv("LD_PRELOAD");
	unsetenv(SETTING_OUTPUT);
	setenv("LC_ALL", "C", 1);
	if (out >= 0 && silence >= 0 && dup2(silence, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
		execv(argv[0], (char *const *)argv);
	_exit(127);
}

/* "unknown type name 'hid_t'": of the first line that tells an error, what stands behind that word. */
static enum status tell_error(const struct compiler *compiler, const char *log)
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
	pid_t child = fork(), ended;
	int code = 0;

	if (child < 0)
		return fail("cannot start the C compiler '%s': %s", compiler->words[0], strerror(errno));
	if (!child)
		become_compiler(compiler, source, library, log);
	while ((ended = waitpid(child, &code, 0)) < 0 && errno == EINTR)
		;
	if (ended < 0 || !WIFEXITED(code) || WEXITSTATUS(code) == 127)
		return fail("cannot run the C compiler '%s'", compiler->words[0]);
	return WEXITSTATUS(code) == 0 ? OK : tell_error(compiler, log);
}
