#include "base/source_excerpts.h"

#include "base/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 240 };

static void read_lines(struct arena *arena, struct source_excerpt *excerpt, int last, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	for (int number = 1; number <= last && (length = getline(&line, &room, file)) >= 0; number++) {
		const char *kept;

		if (number < excerpt->first)
			continue;
		while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			length--;
		kept = arena_bytes_as_text(arena, line,
		                           (size_t)(length > LINE_BYTES_MAX ? LINE_BYTES_MAX : length));
		arena_add(arena, excerpt->lines, excerpt->count, kept);
	}
	free(line);
	/* The file has become shorter. */
	if (excerpt->count <= (size_t)(excerpt->line - excerpt->first))
		excerpt->count = 0;
}

static struct source_excerpt *read_excerpt(struct source_excerpts *excerpts, const char *name, int line)
{
	struct source_excerpt *excerpt = arena_new(&excerpts->arena, struct source_excerpt);
	FILE *file = excerpts->files ? source_files_open(excerpts->files, name) : NULL;

	*excerpt = (struct source_excerpt){.file = arena_text(&excerpts->arena, name),
	                                   .line = line,
	                                   .first = line > excerpts->around ? line - excerpts->around : 1};
	if (file) {
		read_lines(&excerpts->arena, excerpt, line + excerpts->around, file);
		fclose(file);
	}
	return excerpt;
}

const struct source_excerpt *source_excerpt_get(struct source_excerpts *excerpts, const char *file, int line)
{
	struct source_excerpt *excerpt = NULL;

	if (!file || line < 1 || line > INT_MAX - excerpts->around)
		return NULL;
	for (size_t i = 0; i < excerpts->count && !excerpt; i++)
		if (excerpts->items[i]->line == line && strcmp(excerpts->items[i]->file, file) == 0)
			excerpt = excerpts->items[i];
	if (!excerpt) {
		excerpt = read_excerpt(excerpts, file, line);
		arena_add(&excerpts->arena, excerpts->items, excerpts->count, excerpt);
	}
	return excerpt->count ? excerpt : NULL;
}

const char *source_excerpt_line(struct source_excerpts *excerpts, const struct source_excerpt *excerpt)
{
	const char *line = excerpt->lines[excerpt->line - excerpt->first];
	size_t length;
	char *trimmed;

	line += strspn(line, " \t");
	length = strlen(line);
	while (length && strchr(" \t", line[length - 1]))
		length--;
	trimmed = arena_bytes_as_text(&excerpts->arena, line, length);
	utf8_strip_controls(trimmed, length, "");
	return trimmed;
}

void source_excerpts_json(const struct source_excerpts *excerpts, struct json *json, const char *key)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < excerpts->count; i++) {
		const struct source_excerpt *excerpt = excerpts->items[i];

		if (!excerpt->count)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "file", excerpt->file);
		json_number(json, "line", excerpt->line);
		json_number(json, "first", excerpt->first);
		json_texts(json, "lines", excerpt->lines, excerpt->count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void source_excerpts_release(struct source_excerpts *excerpts)
{
	arena_release(&excerpts->arena);
	*excerpts = (struct source_excerpts){0};
}
