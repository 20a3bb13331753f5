/* What the user marked: regions and phases of tarry.h, and levels of MPI_Pcontrol.
 *
 *	if (mark_kind(call) == MARK_PHASE)
 *		… from here on the process is in the phase mark_name(reader, call) …
 *
 * MPI_Pcontrol with a level above 1 begins the phase "MPI_Pcontrol(level)". Any other level ends such a phase: 1 is what MPI begins
 * with, and 0 switches off. */
#ifndef TARRY_ANALYSIS_MODEL_MARKS_H
#define TARRY_ANALYSIS_MODEL_MARKS_H

#include "trace/reader.h"

enum mark_kind { MARK_NONE, MARK_REGION_BEGIN, MARK_REGION_END, MARK_PHASE, MARK_LEVEL_END };

enum mark_kind mark_kind(const struct call *call);
/* Of a region or phase. Lives as long as the reader. NULL: the trace does not tell it. */
const char *mark_name(struct reader *reader, const struct call *call);
/* Whether any was begun, as far as the trace was read. */
bool has_phases(const struct reader *reader);
/* It began with MPI_Pcontrol. */
bool is_level(const char *phase);

#endif
