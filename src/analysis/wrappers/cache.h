/* Compiled wrappers, kept for the next run with the same rules: in $XDG_CACHE_HOME/tarry or ~/.cache/tarry, a folder that only
 * its owner can change, or else in one like it among the temporary files. A file's name follows from its text, the compiler and
 * the machine; it appears whole, so that runs at the same time do not disturb each other. Anybody may delete them. */
#ifndef TARRY_ANALYSIS_WRAPPERS_CACHE_H
#define TARRY_ANALYSIS_WRAPPERS_CACHE_H

#include "analysis/wrappers/wrappers.h"

/* How the names of such files begin, to be known in LD_PRELOAD. */
#define WRAPPERS_PREFIX "tarry-rules-"

/* The path of the shared library, compiled if need be. */
enum status wrappers_build(const struct wrappers *wrappers, struct arena *arena,
                           const char **library) MUST_CHECK;

#endif
