#include "job/preload/other_tools.h"

#include "base/files.h"
#include "base/libc_dlsym.h"
#include "base/notes.h"
#include "base/settings.h"
#include "job/preload/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of a message, which has one line: tools, functions named for each tool, and lengths. */
enum { TOOLS = 4, NAMED = 3, NAME_ROOM = 48, PATH_ROOM = 200 };

struct other_tool {
	const void *base; /* load address of its file; NULL: none */
	const char *path;
	uint32_t functions;
	char names[NAMED * NAME_ROOM];
};

/* Atomic: threads may find them concurrently, with the same result. */
static void *mpi_handles[MPI_LIBRARIES];
static int mpi_count;

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static bool is_ours(const void *address)
{
	return (const char *)address >= __ehdr_start && (const char *)address < _end;
}

static bool is_of_mpi(const void *function, const char *name)
{
	for (int i = 0, count = __atomic_load_n(&mpi_count, __ATOMIC_ACQUIRE); i < count; i++)
		if (dlsym(__atomic_load_n(&mpi_handles[i], __ATOMIC_RELAXED), name) == function)
			return true;
	return false;
}

void *other_tools_next(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name);

	return next && !is_of_mpi(next, name) ? next : NULL;
}

/* Another file's definition of this function that gets its calls before ours. NULL: none. */
static const void *before_us(const char *name)
{
	const void *first = dlsym(RTLD_DEFAULT, name);

	return first && !is_ours(first) && !is_of_mpi(first, name) ? first : NULL;
}

static void add(struct other_tool *tools, const void *function, const char *name)
{
	struct other_tool *tool = tools;
	const ElfW(Sym) *symbol = NULL;
	size_t length;
	Dl_info file;

	if (!function || !dladdr1(function, &file, (void **)&symbol, RTLD_DL_SYMENT))
		return;
	/* A non-PIE program that takes the address of a library's function contains a jump under its name. */
	if (symbol && symbol->st_shndx == SHN_UNDEF)
		return;
	while (tool < tools + TOOLS && tool->base && tool->base != file.dli_fbase)
		tool++;
	if (tool == tools + TOOLS)
		return;
	tool->base = file.dli_fbase;
	tool->path = file.dli_fname;
	length = strlen(tool->names);
	if (tool->functions++ < NAMED)
		snprintf(tool->names + length, sizeof tool->names - length, "%s%s", length ? ", " : "", name);
}

static void note_tools(const struct other_tool *tools, const char *what_follows)
{
	char more[32], sentence[NAMED * NAME_ROOM + PATH_ROOM + 300];

	/* `tarry exec` does not call MPI, even if such a tool loads MPI into it. */
	if (strcmp(program_invocation_short_name, "tarry") == 0)
		return;
	for (const struct other_tool *tool = tools; tool < tools + TOOLS && tool->base; tool++) {
		snprintf(more, sizeof more, " and %d more", (int)tool->functions - NAMED);
		snprintf(sentence, sizeof sentence, "'%.*s' defines %s%s%s", PATH_ROOM, tool->path,
		         tool->names, tool->functions > NAMED ? more : "", what_follows);
		preload_note(sentence);
	}
}

bool other_tools_find(const struct mpi_libraries *libraries)
{
	struct other_tool behind[TOOLS] = {{0}}, before[TOOLS] = {{0}};

	for (int i = 0; i < libraries->count; i++)
		__atomic_store_n(&mpi_handles[i], libraries->handles[i], __ATOMIC_RELAXED);
	__atomic_store_n(&mpi_count, libraries->count, __ATOMIC_RELEASE);
	for (size_t i = 0; i < preload_count; i++) {
		const char *name = preload_entries[i].name;

		if (strncmp(name, "tarry_", 6) == 0)
			continue;
		add(behind, other_tools_next(name), name);
		add(before, before_us(name), name);
	}
	note_tools(behind, ": it gets these calls, as without Tarry");
	note_tools(
		before,
		" and gets these calls before Tarry: they are not recorded or checked if it passes them on to PMPI functions; if it "
		"is preloaded, start the program with 'tarry exec' after it");
	return behind->base;
}

void preload_note_in(const char *folder, const char *sentence)
{
	int fd = folder && *folder ? open_uncounted(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
	                           : -1;

	if (fd < 0)
		return;
	note_write_at(fd, sentence);
	close(fd);
}

void preload_note(const char *sentence)
{
	const char *output = setting_get(SETTING_OUTPUT);

	if (output && *output)
		note_write(output, sentence);
	preload_note_in(setting_get(SETTING_CHECK), sentence);
	preload_note_in(setting_get(SETTING_COLL), sentence);
}
