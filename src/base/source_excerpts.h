/* Source lines around a place, for reports and pages. Each place is read once, if
 * base/source_files.h allows it.
 *
 *	struct source_excerpts excerpts = {.files = sources, .around = 2};
 *	const struct source_excerpt *excerpt = source_excerpt_get(&excerpts, "halo.c", 42);
 *
 *	if (excerpt)
 *		text_add(&out, "%d | %s\n", excerpt->line, source_excerpt_line(&excerpts, excerpt));
 *	source_excerpts_json(&excerpts, &json, "sources");
 *	source_excerpts_release(&excerpts); */
#ifndef TARRY_BASE_SOURCE_EXCERPTS_H
#define TARRY_BASE_SOURCE_EXCERPTS_H

#include "base/arena.h"
#include "base/json.h"
#include "base/source_files.h"

struct source_excerpt {
	const char *file; /* as the compiler named it */
	int line, first;  /* the line of the place, and of the first line in the excerpt */
	const char **lines;
	size_t count; /* 0: not readable */
};

struct source_excerpts {
	struct source_files *files; /* NULL: nothing can be read */
	int around;                 /* lines before and after each place */
	struct arena arena;
	struct source_excerpt **items;
	size_t count;
};

/* NULL: the line cannot be read. */
const struct source_excerpt *source_excerpt_get(struct source_excerpts *excerpts, const char *file, int line);
/* The line of the place without leading and trailing blanks. */
const char *source_excerpt_line(struct source_excerpts *excerpts, const struct source_excerpt *excerpt);
/* A list of objects with `file`, `line`, `first` and `lines`. */
void source_excerpts_json(const struct source_excerpts *excerpts, struct json *json, const char *key);
void source_excerpts_release(struct source_excerpts *excerpts);

#endif
