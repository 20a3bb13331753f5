/* Files that are a layer of the program's own around MPI: their functions do little but call it, so that the line of a call says nothing; who called
 * the layer says it all.
 *
 *	layers_find(reader, source);
 *	symbols_find_call(source, process, call)      solver.c:120 instead of comm.c:33
 *
 * Such a file is called from others, from several places, and its functions make one or two calls each; and all such files together make
 * nearly all calls of the program. A part of the trace is enough to see that. */
#ifndef TARRY_ANALYSIS_MODEL_LAYERS_H
#define TARRY_ANALYSIS_MODEL_LAYERS_H

#include "analysis/symbols/symbols.h"

void layers_find(struct reader *reader, struct symbols *source);

#endif
