/* From call sites to source lines, with libdw, after the run and on any machine that has the program's files.
 *
 *	struct source *source = source_new();
 *	struct location where = source_find_call(source, process, event.call);
 *	location_describe(&where, &text);     "jacobi.c:42 exchange"
 *	source_free(source);
 *
 * A file that is missing, was rebuilt since, or has no debug information gives less, never something wrong, and
 * leaves a warning that says how to mend it. Answers are cached, and live as long as the source. */
#ifndef TARRY_ANALYSIS_SYMBOLS_SOURCE_H
#define TARRY_ANALYSIS_SYMBOLS_SOURCE_H

#include "base/text.h"
#include "trace/reader.h"

struct location {
	const char *module;   /* base name of the file; NULL if nothing is known */
	uint64_t offset;      /* in the module */
	const char *function; /* NULL if not known */
	uint64_t function_offset;
	const char *inlined; /* the function that was inlined there, NULL if none was */
	const char *file;    /* as the compiler named it; NULL if not known */
	int line;
	const char *
		through; /* not the call itself: that of this function, which went on to it by a jump; or NULL */
	bool is_near;    /* the line is that of something around the call */
};

struct source *source_new(void);
void source_free(struct source *source);

/* Look for the program's files in this folder first: they were moved, or those that ran are stripped. */
void source_search(struct source *source, const char *folder);

/* Where a call was made from. */
struct location source_find_call(struct source *source, const struct process *process,
                                 const struct call *call);

/* `offset` is a return address, as calls have it; the line is that of the call before it. `module` may be NULL. Of
 * an MPI call source_find_call() knows more. */
struct location source_find(struct source *source, const struct module *module, uint64_t offset);

/* "file.c:42 function", "function+0x1c in app", "app+0x4f0", "app" or nothing. */
void location_describe(const struct location *where, struct text *out);

/* A sentence for each module that told less than it could. */
size_t source_warnings(const struct source *source, const char *const **warnings);

#endif
