/* Finds wrapper code of the program around MPI. It does little but call MPI, so the useful source line is
 * that of the wrapper's caller, not that of the MPI call.
 *
 *	layers_find(reader, source);
 *	symbols_find_call(source, process, call)      solver.c:120 instead of comm.c:33
 *
 * A function is a wrapper if it makes one or two calls and is called from several places. A whole file is one
 * if that holds for its functions on average, if other files call it, and if all such files together make
 * nearly all calls of the program. A part of the trace is enough to decide. */
#ifndef TARRY_ANALYSIS_MODEL_LAYERS_H
#define TARRY_ANALYSIS_MODEL_LAYERS_H

#include "analysis/symbols/symbols.h"

void layers_find(struct reader *reader, struct symbols *source);

#endif
