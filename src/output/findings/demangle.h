/* Short names of C++ functions, for stacks: "_ZN4heat4Grid8exchangeEi" is "heat::Grid::exchange". What is not understood stays as it is. */
#ifndef TARRY_OUTPUT_FINDINGS_DEMANGLE_H
#define TARRY_OUTPUT_FINDINGS_DEMANGLE_H

#include "base/arena.h"

const char *demangle_short(const char *name, struct arena *arena);

#endif
