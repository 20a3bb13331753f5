#include "analysis/wrappers/cache.h"

#include "analysis/wrappers/compile.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/private_files.h"
#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { FOLDERS = 2 };

/* One that is wanted: its text, and the name that follows from it. */
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

/* The nth place to keep them; NULL: this one there is not. */
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

static void make_folders(const char *path, struct arena *arena)
{
	char *part = arena_text(arena, path);

	for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(part, 0700);
		*at = '/';
	}
	mkdir(part, 0700);
}

/* What is loaded into the user's programs must not be anybody else's. */
static enum status check_folder(const char *path)
{
	struct statvfs system;
	int folder;

	if (strpbrk(path, " :"))
		return fail("'%s' cannot be preloaded from: its path has a space or a colon", path);
	folder = private_folder_open(path);
	if (folder < 0 && (errno == EPERM || errno == ENOTDIR || errno == ELOOP))
		return fail("'%s' is no folder that you alone can write to", path);
	if (folder < 0)
		return fail("cannot make the folder '%s': %s", path, strerror(errno));
	close(folder);
	if (access(path, W_OK | X_OK) != 0)
		return fail("cannot write into '%s': %s", path, strerror(errno));
	if (statvfs(path, &system) == 0 && system.f_flag & ST_NOEXEC)
		return fail("nothing can be run from '%s'", path);
	return OK;
}

static bool has_text(const char *path, const char *text)
{
	size_t size = strlen(text);
	char *bytes = malloc(size + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
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

/* Behind the text stands how large the library was: a machine that went down may have left only a part of it. */
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
	TRY(compiler_run(&wanted->compiler, source, library, log));
	if (chmod(library, 0700) != 0 || !can_be_loaded(library))
		return fail("'%s' was compiled, but cannot be loaded", library);
	return write_source(source, with_size(wanted, library));
}

/* The text gets its name last: who finds it finds a library beside it. */
static enum status build(const struct wanted_library *wanted, const char *source, const char *library)
{
	const char *draft = arena_format(wanted->arena, "%s.%ld", library, (long)getpid()),
		   *draft_source = arena_format(wanted->arena, "%s.c", draft),
		   *draft_library = arena_format(wanted->arena, "%s.so", draft),
		   *log = arena_format(wanted->arena, "%s.log", draft);
	enum status status = compile(wanted, draft_source, draft_library, log);

	if (status == OK && (rename(draft_library, library) != 0 || rename(draft_source, source) != 0))
		status = fail("cannot write '%s': %s", library, strerror(errno));
	unlink(draft_source);
	unlink(draft_library);
	unlink(log);
	return status;
}

static enum status provide(const struct wanted_library *wanted, const char *folder, const char **library)
{
	const char *path = arena_format(wanted->arena, "%s/%s", folder, wanted->stem),
		   *source = arena_format(wanted->arena, "%s.c", path),
		   *found = arena_format(wanted->arena, "%s.so", path);

	make_folders(folder, wanted->arena);
	TRY(check_folder(folder));
	if (!is_kept(wanted, source, found))
		TRY(build(wanted, source, found));
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
