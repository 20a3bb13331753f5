/* Lines of the program's source around the calls of a report, as far as the files are readable here.
 *
 *	struct source_lines *sources = source_lines_new(reader);
 *	source_lines_add(sources, "halo.c", 42);
 *	source_lines_json(sources, &json);
 *	source_lines_free(sources);
 *
 * A compiler names files as they were given to it: absolute, or from the folder that it was started in, which nobody knows any more. Such
 * names are looked for from the current folder, the trace's and the programs'. */
#ifndef TARRY_OUTPUT_REPORT_SOURCE_LINES_H
#define TARRY_OUTPUT_REPORT_SOURCE_LINES_H

#include "base/json.h"
#include "trace/reader.h"

struct source_lines *source_lines_new(const struct reader *reader);
void source_lines_free(struct source_lines *sources);
/* Once for each place; what cannot be read is left out. */
void source_lines_add(struct source_lines *sources, const char *file, int line);
/* A list of objects with `file`, `line`, `first` and `lines`. */
void source_lines_json(const struct source_lines *sources, struct json *json);

#endif
