/* A rule file in memory, and places in it. All input of the language passes here: its size is bounded, it is
 * UTF-8 and has no zero bytes. */
#ifndef TARRY_ANALYSIS_RULES_SOURCE_H
#define TARRY_ANALYSIS_RULES_SOURCE_H

#include "analysis/rules/diagnostics.h"
#include "base/arena.h"

#include <stdint.h>

enum { SOURCE_MAX_BYTES = 16 << 20 };

/* A place with a known column, from which the next is counted: lines may be as long as files. */
struct column_mark {
	uint32_t line, byte, column;
};

/* Bytes from `begin` to before `end`. */
struct source_range {
	const struct rule_source *source;
	uint32_t begin, end;
};

struct rule_source {
	const char *path; /* as shown in messages */
	const char *text; /* ends with a zero byte */
	uint32_t size;
	uint32_t *lines; /* start of each */
	uint32_t line_count;
	struct column_mark *mark;
	struct source_range
		variant; /* the row of values substituted here; without a source: the original file */
};

/* Everything is in the arena. If the file cannot be read, the trail says why; source_flaw()
 * finds errors in its text. */
enum status source_read(struct arena *arena, const char *path, struct rule_source **source) MUST_CHECK;
/* Text from elsewhere, such as a setting of the command line. */
struct rule_source *source_of_text(struct arena *arena, const char *name, const char *text, size_t size);
/* NULL, or why this is not valid text, and where. */
const char *source_flaw(const struct rule_source *source, struct source_range *where);

/* Line and column from 1; columns count characters. */
struct origin origin_of(struct source_range place);
/* The text of a line, without its end. */
const char *source_line(const struct rule_source *source, uint32_t line, size_t *length);

/* Errors, for the list of diagnostics */

/* A place without a source is outside any file. Returns NULL, so that a check that returns a pointer or a
 * bool can end with it. */
void *add_error(struct diagnostics *errors, struct source_range place, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Adds to the previous error. */
void add_error_note(struct diagnostics *errors, struct source_range place, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* The limit is reached. */
static inline bool has_enough_errors(const struct diagnostics *errors)
{
	return errors->error_count > DIAGNOSTICS_MAX_ERRORS;
}

/* Adds a note if there are more errors. */
void note_hidden_errors(struct diagnostics *errors);

#endif
