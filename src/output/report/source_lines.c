#include "output/report/source_lines.h"

#include "base/array.h"
#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines before and after a call, and letters of a line. */
enum { AROUND = 6, LETTERS = 240 };

struct excerpt {
	const char *file;
	int line, first;
	ARRAY(const char *) lines;
};

struct source_lines {
	struct arena arena;
	struct source_files *files;
	ARRAY(struct excerpt) excerpts;
};

struct source_lines *source_lines_new(struct source_files *files)
{
	struct source_lines *sources = memory_new(1, sizeof *sources);

	sources->files = files;
	return sources;
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
	if (line < 1 || line > INT_MAX - AROUND || !sources->files)
		return;
	opened = source_files_open(sources->files, file);
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
	arena_release(&sources->arena);
	free(sources);
}
