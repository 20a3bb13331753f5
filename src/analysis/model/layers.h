/* Code that is a layer of the program's own around MPI: it does little but call MPI, so the line of a call says nothing, and the line
 * that called the layer says it all.
 *
 *	layers_find(reader, source);
 *	symbols_find_call(source, process, call)      solver.c:120 instead of comm.c:33
 *
 * A function is a layer if it makes one or two calls and is called from several places. A whole file is one if that is true of its
 * functions on average, if other files call it, and if all such files together make nearly all calls of the program. A part of the
 * trace is enough to see that. */
#ifndef TARRY_ANALYSIS_MODEL_LAYERS_H
#define TARRY_ANALYSIS_MODEL_LAYERS_H

#include "analysis/symbols/symbols.h"

void layers_find(struct reader *reader, struct symbols *source);

#endif
