/* Which functions of MPI are recorded for a rulebook, and no more: `tarry run --minimal`. */
#ifndef TARRY_ANALYSIS_WRAPPERS_NEEDED_H
#define TARRY_ANALYSIS_WRAPPERS_NEEDED_H

#include "analysis/rules/rulebook.h"
#include "base/arena.h"

/* What the rules need (rules/functions.h) and those without which that could not be matched: messages by their order, requests by
 * their completion, accesses by their epochs. As --only takes it: "point-to-point,request,MPI_Barrier". */
const char *needed_functions(const struct rulebook *book, struct arena *arena);

#endif
