/* Wrappers for functions outside MPI: the C file of the wrappers that a rulebook declares events for, its compilation, and which functions
 * of MPI a rulebook needs.
 *
 *	TRY(wrappers_write(book, &arena, &wrappers));
 *	if (wrappers.count)
 *		TRY(wrappers_build(&wrappers, &arena, &library));      
 *
 * A wrapper has a name of its own in C and the function's name for the linker, so that whatever the headers of the C library
 * say about the function is no contradiction. Types are taken as the rule gives them. */
#ifndef TARRY_ANALYSIS_WRAPPERS_WRAPPERS_H
#define TARRY_ANALYSIS_WRAPPERS_WRAPPERS_H

#include "analysis/rules/rulebook.h"
#include "base/arena.h"

/* A function that is traced, by the name of the first event that is declared for it. */
struct traced {
	const char *function;
	const char *event;
};

struct wrappers {
	const char *source; /* NULL if there are none */
	const struct traced *traced;
	size_t count;
};

/* Fails if a function cannot be traced, or declarations contradict each other: with the place in the rules. */
enum status wrappers_write(const struct rulebook *book, struct arena *arena,
                           struct wrappers *wrappers) MUST_CHECK;

/* Why a function cannot be traced, as the end of a sentence; NULL: it can. The program or the wrapper would come to harm. */
const char *tracing_refusal(const char *function);

/* The functions of MPI that rules need (rules/functions.h), and those without which these could not be matched: messages by their
 * order, requests by their completion, accesses by their epochs. As --only takes it: "point-to-point,request,MPI_Barrier". */
const char *needed_functions(const struct rulebook *book, struct arena *arena);

/* Compilation */

enum { COMPILER_WORDS = 16 };

struct compiler {
	const char *words[COMPILER_WORDS]; /* of the command: "/usr/bin/ccache", "gcc" */
	int word_count;
	const char *identity; /* another one for another compiler, or another version of it */
};

/* What the variable CC names, or else cc, gcc or clang on the PATH. */
enum status compiler_find(struct arena *arena, struct compiler *compiler) MUST_CHECK;

/* Compiled wrappers are kept for the next run with the same rules: in $XDG_CACHE_HOME/tarry or ~/.cache/tarry, a folder that only
 * its owner can change, or else in one like it among the temporary files. The name of a file follows from its text, the compiler and
 * the machine; it appears whole, so that runs at the same time do not disturb each other. Anybody may delete them. */
#define WRAPPERS_PREFIX "tarry-rules-" /* of the names of these files in LD_PRELOAD */

/* The path of the shared library, compiled if need be. */
enum status wrappers_build(const struct wrappers *wrappers, struct arena *arena,
                           const char **library) MUST_CHECK;

#endif
