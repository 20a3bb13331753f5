/* The C file of the wrappers that a rulebook asks for: one for each function that is not MPI's and that an event is
 * declared for.
 *
 *	TRY(wrappers_write(book, &arena, &wrappers));
 *	if (wrappers.count)
 *		TRY(wrappers_build(&wrappers, &arena, &library));      tracing/cache.h
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

#endif
