#include "output/report/source_lines.h"

#include "base/array.h"
#include "base/memory.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lines before and behind a call, letters of a line, and the largest file that is somebody's source. */
enum { AROUND = 6, LETTERS = 240, FILE_MOST = 16 << 20 };

struct excerpt {
	const char *file;
	int line, first;
	ARRAY(const char *) lines;
};

struct source_lines {
	struct arena arena;
	ARRAY(const char *) folders;
	ARRAY(struct excerpt) excerpts;
};

/* That a file is in; the current one for a name without a folder. */
static void add_folder_of(struct source_lines *sources, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *folder = arena_bytes_as_text(&sources->arena, path,
	                                         slash ? (size_t)(slash - path) + 1 : 0);

	for (size_t i = 0; i < sources->folders.count; i++)
		if (strcmp(sources->folders.items[i], folder) == 0)
			return;
	array_add(&sources->folders, folder);
}

struct source_lines *source_lines_new(const struct reader *reader)
{
	struct source_lines *sources = memory_new(1, sizeof *sources);

	add_folder_of(sources, "");
	add_folder_of(sources, reader->path);
	/* The first module of a process is its program. */
	for (size_t i = 0; i < reader->process_count && sources->folders.count < 16; i++)
		if (reader->processes[i].module_count && reader->processes[i].modules[0].path)
			add_folder_of(sources, reader->processes[i].modules[0].path);
	return sources;
}

/* A trace may name any file: only ordinary ones are read, without waiting for anything. */
static FILE *open_ordinary(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat about;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > FILE_MOST) {
		close(fd);
		return NULL;
	}
	return fdopen(fd, "r");
}

static FILE *open_source(const struct source_lines *sources, const char *name)
{
	char path[PATH_MAX];

	if (*name == '/')
		return open_ordinary(name);
	for (size_t i = 0; i < sources->folders.count; i++) {
		FILE *file;
		if ((size_t)snprintf(path, sizeof path, "%s%s", sources->folders.items[i], name) >=
		    sizeof path)
			continue;
		file = open_ordinary(path);
		if (file)
			return file;
	}
	return NULL;
}

/* Names of sources end in one of these: a trace that names another file must not have that shown. */
static bool is_source_name(const char *name)
{
	static const char *const endings[] = {".c",   ".h",   ".cc",  ".cpp", ".cxx", ".hpp", ".C",
	                                      ".f",   ".F",   ".for", ".f77", ".f90", ".F90", ".f95",
	                                      ".f03", ".f08", ".F95", ".F03", ".F08", ".inc", ".upc",
	                                      ".py",  ".pyx", ".cu",  ".hip"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static void read_lines(struct arena *arena, struct excerpt *excerpt, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	for (int number = 1; number <= excerpt->line + AROUND && (length = getline(&line, &room, file)) >= 0;
	     number++) {
		if (number < excerpt->first)
			continue;
		while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			length--;
		array_add(&excerpt->lines,
		          arena_bytes_as_text(arena, line, (size_t)(length > LETTERS ? LETTERS : length)));
	}
	free(line);
}

void source_lines_add(struct source_lines *sources, const char *file, int line)
{
	struct excerpt excerpt = {.line = line, .first = line > AROUND ? line - AROUND : 1};
	FILE *opened;

	for (size_t i = 0; i < sources->excerpts.count; i++)
		if (sources->excerpts.items[i].line == line &&
		    strcmp(sources->excerpts.items[i].file, file) == 0)
			return;
	if (line < 1 || line > INT_MAX - AROUND || !is_source_name(file))
		return;
	opened = open_source(sources, file);
	if (!opened)
		return;
	excerpt.file = arena_text(&sources->arena, file);
	read_lines(&sources->arena, &excerpt, opened);
	fclose(opened);
	array_add(&sources->excerpts, excerpt);
}

void source_lines_json(const struct source_lines *sources, struct json *json)
{
	json_open(json, NULL, '[');
	for (size_t i = 0; i < sources->excerpts.count; i++) {
		const struct excerpt *excerpt = &sources->excerpts.items[i];
		json_open(json, NULL, '{');
		json_text(json, "file", excerpt->file);
		json_number(json, "line", excerpt->line);
		json_number(json, "first", excerpt->first);
		json_open(json, "lines", '[');
		for (size_t j = 0; j < excerpt->lines.count; j++)
			json_text(json, NULL, excerpt->lines.items[j]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

void source_lines_free(struct source_lines *sources)
{
	for (size_t i = 0; i < sources->excerpts.count; i++)
		array_release(&sources->excerpts.items[i].lines);
	array_release(&sources->excerpts);
	array_release(&sources->folders);
	arena_release(&sources->arena);
	free(sources);
}
