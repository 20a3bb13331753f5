/* Compiles wrappers into a shared library, once, and caches it. */
#include "analysis/wrappers/wrappers.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler */

/* Exceptions pass through the wrappers; an overflow in a rule's formula must be harmless. */
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

static enum status choose(struct arena *arena, struct compiler *compiler)
{
	static const char *const usual[] = {"cc", "gcc", "clang"};
	const char *wanted = getenv("CC");

	if (wanted) {
		char *rest;
		/* "ccache gcc -m64" */
		for (char *word = strtok_r(arena_text(arena, wanted), " \t", &rest);
		     word && compiler->word_count < COMPILER_WORDS; word = strtok_r(NULL, " \t", &rest))
			compiler->words[compiler->word_count++] = word;
	}
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

/* Of the final target of all links, because an update changes that. */
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

/* Without variables that make a process record itself, and with messages in the language
 * that is searched for. */
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

/* Its output does not go to the user's streams. */
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

/* "unknown type name 'hid_t'": the text after "error:" of the first line that has it. */
static enum status add_error(const struct compiler *compiler, const char *log)
{
	FILE *file = open_regular_stream(AT_FDCWD, log);
	char line[512], first[512] = "it fails without a message";
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
		"the C compiler '%s' cannot make the wrappers: %s; replace a type that it does not know by its definition, such as hid_t by int64_t",
		compiler->words[0], first);
}

/* The cache */

enum { FOLDERS = 2 };

/* A wanted library: its source text, and the name derived from it. */
struct wanted_library {
	const char *text;
	const char *stem; /* without folder and suffix */
	struct compiler compiler;
	struct arena *arena;
};

static const char *machine_name(struct arena *arena)
{
	struct utsname name;

	return uname(&name) == 0 ? arena_text(arena, name.machine) : "unknown";
}

static enum status want(const struct wrappers *wrappers, struct arena *arena, struct wanted_library *wanted)
{
	struct wanted_library found = {.arena = arena};

	TRY(compiler_find(arena, &found.compiler));
	found.text = arena_format(arena, "// %s, %s\n%s", found.compiler.identity, machine_name(arena),
	                          wrappers->source);
	found.stem = arena_format(arena, WRAPPERS_PREFIX "%016" PRIx64,
	                          hash_bytes(found.text, strlen(found.text)));
	*wanted = found;
	return OK;
}

/* The nth folder for the cache; NULL: not available. */
static const char *folder_of(int nth, struct arena *arena)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *temporary = getenv("TMPDIR");

	if (nth == 0 && cache && *cache == '/')
		return arena_format(arena, "%s/tarry", cache);
	if (nth == 0)
		return home && *home == '/' ? arena_format(arena, "%s/.cache/tarry", home) : NULL;
	return arena_format(arena, "%s/tarry-%lu", temporary && *temporary == '/' ? temporary : "/tmp",
	                    (unsigned long)geteuid());
}

/* Libraries loaded into the user's programs must belong to the user. */
static enum status check_folder(const char *path)
{
	struct statvfs system;
	int folder;

	if (strpbrk(path, " :"))
		return fail("libraries in '%s' cannot be preloaded: its path has a space or a colon", path);
	folder = private_folder_open(path);
	if (folder < 0 && (errno == EPERM || errno == ENOTDIR || errno == ELOOP))
		return fail("'%s' is not a folder that only you can write to", path);
	if (folder < 0)
		return fail("cannot create the folder '%s': %s", path, strerror(errno));
	close(folder);
	if (access(path, W_OK | X_OK) != 0)
		return fail("cannot write into '%s': %s", path, strerror(errno));
	if (statvfs(path, &system) == 0 && system.f_flag & ST_NOEXEC)
		return fail("the file system of '%s' forbids running programs", path);
	return OK;
}

static bool has_text(const char *path, const char *text)
{
	size_t size = strlen(text);
	char *bytes = malloc(size + 1);
	int fd = open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW);
	struct stat info;
	bool same;

	same = bytes && fd >= 0 && fstat(fd, &info) == 0 && (size_t)info.st_size == size &&
	       pread_fully(fd, bytes, size, 0) && memcmp(bytes, text, size) == 0;
	if (fd >= 0)
		close(fd);
	free(bytes);
	return same;
}

static bool can_be_loaded(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (library)
		dlclose(library);
	return library != NULL;
}

/* The size of the library follows the text: after a crash of the machine the library may be incomplete. */
static const char *with_size(const struct wanted_library *wanted, const char *library)
{
	struct stat info;

	if (lstat(library, &info) != 0 || !S_ISREG(info.st_mode) || !is_private(&info))
		return NULL;
	return arena_format(wanted->arena, "%s// %lld bytes\n", wanted->text, (long long)info.st_size);
}

static bool is_kept(const struct wanted_library *wanted, const char *source, const char *library)
{
	const char *text = with_size(wanted, library);

	return text && has_text(source, text);
}

static enum status write_source(const char *path, const char *text)
{
	int fd = private_file_replace(AT_FDCWD, path, 0600);
	bool written = fd >= 0 && write_fully(fd, text, strlen(text));
	int error = errno;

	if (fd >= 0 && close(fd) != 0 && written)
		return fail("cannot write '%s': %s", path, strerror(errno));
	return written ? OK : fail("cannot write '%s': %s", path, strerror(error));
}

static enum status compile(const struct wanted_library *wanted, const char *source, const char *library,
                           const char *log)
{
	TRY(write_source(source, wanted->text));
	const char *argv[COMPILER_WORDS + FLAGS + 5];
	int code = 0, error;
	pid_t child, ended;
	const char *files[] = {"-o", library, source, "-ldl", NULL};
	int count = 0;
	for (int i = 0; i < wanted->compiler.word_count; i++)
		argv[count++] = wanted->compiler.words[i];
	for (int i = 0; i < FLAGS; i++)
		argv[count++] = flags[i];
	memcpy(argv + count, files, sizeof files);
	error = start(argv, log, &child);
	if (error)
		return fail("cannot run the C compiler '%s': %s", wanted->compiler.words[0], strerror(error));
	while ((ended = waitpid(child, &code, 0)) < 0 && errno == EINTR)
		;
	if (ended < 0 || !WIFEXITED(code))
		return fail("the C compiler '%s' was stopped", wanted->compiler.words[0]);
	TRY(WEXITSTATUS(code) == 0 ? OK : add_error(&wanted->compiler, log));
	if (chmod(library, 0700) != 0 || !can_be_loaded(library))
		return fail("'%s' was compiled, but cannot be loaded", library);
	return write_source(source, with_size(wanted, library));
}

static enum status provide(const struct wanted_library *wanted, const char *folder, const char **library)
{
	const char *path = arena_format(wanted->arena, "%s/%s", folder, wanted->stem),
		   *source = arena_format(wanted->arena, "%s.c", path),
		   *found = arena_format(wanted->arena, "%s.so", path);

	char *part = arena_text(wanted->arena, folder);
	for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(part, 0700);
		*at = '/';
	}
	mkdir(part, 0700);
	TRY(check_folder(folder));
	if (!is_kept(wanted, source, found)) {
		/* The source is renamed last: if it exists, so does the library. */
		const char *draft = arena_format(wanted->arena, "%s.%ld", found, (long)getpid()),
			   *draft_source = arena_format(wanted->arena, "%s.c", draft),
			   *draft_library = arena_format(wanted->arena, "%s.so", draft),
			   *log = arena_format(wanted->arena, "%s.log", draft);
		enum status status = compile(wanted, draft_source, draft_library, log);
		if (status == OK && (rename(draft_library, found) != 0 || rename(draft_source, source) != 0))
			status = fail("cannot write '%s': %s", found, strerror(errno));
		unlink(draft_source);
		unlink(draft_library);
		unlink(log);
		TRY(status);
	}
	*library = found;
	return OK;
}

enum status wrappers_build(const struct wrappers *wrappers, struct arena *arena, const char **library)
{
	enum status status = FAILED;
	struct wanted_library wanted;

	TRY(want(wrappers, arena, &wanted));
	for (int i = 0; i < FOLDERS && status != OK; i++) {
		const char *folder = folder_of(i, arena);
		if (folder)
			status = provide(&wanted, folder, library);
	}
	return status;
}
