/* Names of C++ functions as people write them. */
#ifndef TARRY_ANALYSIS_SYMBOLS_DEMANGLE_H
#define TARRY_ANALYSIS_SYMBOLS_DEMANGLE_H

#include "base/arena.h"

/* "solver::exchange" of "_ZN6solver8exchangeEii": without parameters. The name itself if it is none of C++, or nothing here can read it. */
const char *demangled(struct arena *arena, const char *name);

#endif
