/* The C compiler of this machine, for wrappers of traced functions. */
#ifndef TARRY_ANALYSIS_WRAPPERS_COMPILE_H
#define TARRY_ANALYSIS_WRAPPERS_COMPILE_H

#include "base/arena.h"
#include "base/status.h"

enum { COMPILER_WORDS = 16 };

struct compiler {
	const char *words[COMPILER_WORDS]; /* of the command: "/usr/bin/ccache", "gcc" */
	int word_count;
	const char *identity; /* another one for another compiler, or another version of it */
};

/* What the variable CC names, or else cc, gcc or clang on the PATH. */
enum status compiler_find(struct arena *arena, struct compiler *compiler) MUST_CHECK;

/* Makes a shared library of one C file. What the compiler says goes into `log`, and the first error of it into the trail. */
enum status compiler_run(const struct compiler *compiler, const char *source, const char *library,
                         const char *log) MUST_CHECK;

#endif
