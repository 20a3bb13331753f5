/* Wrappers for functions outside MPI: generates and compiles the wrappers for the declared events of a
 * rulebook, and finds the MPI functions that a rulebook needs.
 *
 *	TRY(wrappers_write(book, &arena, &wrappers));
 *	if (wrappers.count)
 *		TRY(wrappers_build(&wrappers, &arena, &library));
 *
 * A wrapper has its own name in C and the function's name for the linker, so that it cannot contradict the
 * headers of the C library. Types are those of the rule. */
#ifndef TARRY_ANALYSIS_WRAPPERS_WRAPPERS_H
#define TARRY_ANALYSIS_WRAPPERS_WRAPPERS_H

#include "analysis/rules/rulebook.h"
#include "base/arena.h"

/* A traced function, with the name of the first event declared for it. */
struct traced {
	const char *function;
	const char *event;
};

struct wrappers {
	const char *source; /* NULL: none */
	const struct traced *traced;
	size_t count;
};

/* Fails if a function cannot be traced, or declarations contradict each other: with
 * the place in the rules. */
enum status wrappers_write(const struct rulebook *book, struct arena *arena,
                           struct wrappers *wrappers) MUST_CHECK;

/* Why a function cannot be traced, as the end of a sentence; NULL: it can. Tracing it would harm the
 * program or the wrapper. */
const char *tracing_refusal(const char *function);

/* The MPI functions that rules need (rules/functions.h), and those needed to match them: messages by their
 * order, requests by their completion, accesses by their epochs. In the format of --only:
 * "point-to-point,request,MPI_Barrier". */
const char *needed_functions(const struct rulebook *book, struct arena *arena);

/* Compilation */

enum { COMPILER_WORDS = 16 };

struct compiler {
	const char *words[COMPILER_WORDS]; /* of the command: "/usr/bin/ccache", "gcc" */
	int word_count;
	const char *identity; /* different for another compiler or another version of it */
};

/* The compiler in the variable CC, otherwise cc, gcc or clang on the PATH. */
enum status compiler_find(struct arena *arena, struct compiler *compiler) MUST_CHECK;

/* Compiled wrappers are cached for the next run with the same rules: in $XDG_CACHE_HOME/tarry or
 * ~/.cache/tarry, a folder that only its owner can change, otherwise in such a folder among the temporary
 * files. The name of a file is derived from its text, the compiler and the machine; files are created
 * atomically, so that concurrent runs do not disturb each other. They may be deleted at any time. */
#define WRAPPERS_PREFIX "tarry-rules-" /* of the names of these files in LD_PRELOAD */

/* The path of the shared library, compiled if necessary. */
enum status wrappers_build(const struct wrappers *wrappers, struct arena *arena,
                           const char **library) MUST_CHECK;

#endif
