/* Lines of the program's source around the calls of a report, as far as the files are readable here.
 *
 *	struct source_lines *sources = source_lines_new(files);
 *	source_lines_add(sources, "halo.c", 42);
 *	source_lines_json(sources, &json);
 *	source_lines_free(sources);
 *
 * base/source_files.h says which files may be read. */
#ifndef TARRY_OUTPUT_REPORT_SOURCE_LINES_H
#define TARRY_OUTPUT_REPORT_SOURCE_LINES_H

#include "base/json.h"
#include "base/source_files.h"

struct source_lines *source_lines_new(struct source_files *files); /* NULL: there are no lines */
void source_lines_free(struct source_lines *sources);
/* Once for each place; what cannot be read is left out. */
void source_lines_add(struct source_lines *sources, const char *file, int line);
/* A list of objects with `file`, `line`, `first` and `lines`. */
void source_lines_json(const struct source_lines *sources, struct json *json);

#endif
