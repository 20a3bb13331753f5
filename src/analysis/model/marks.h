/* The user's marks: regions and phases of tarry.h, and levels of MPI_Pcontrol.
 *
 *	if (mark_kind(call) == MARK_PHASE)
 *		… from here on the process is in the phase mark_name(reader, call) …
 *
 * MPI_Pcontrol with a level above 1 begins the phase "MPI_Pcontrol(level)". Any other level ends such a
 * phase: 1 is MPI's initial level, and 0 switches off. */
#ifndef TARRY_ANALYSIS_MODEL_MARKS_H
#define TARRY_ANALYSIS_MODEL_MARKS_H

#include "trace/reader.h"

/* In paths of regions, between a region and the one in it. */
#define REGION_SEPARATOR " > "

enum mark_kind { MARK_NONE, MARK_REGION_BEGIN, MARK_REGION_END, MARK_PHASE, MARK_LEVEL_END };

enum mark_kind mark_kind(const struct call *call);
/* The name of a region or phase. Valid as long as the reader. NULL: unknown. */
const char *mark_name(struct reader *reader, const struct call *call);
/* True if any was begun, as far as the trace was read. */
bool has_phases(const struct reader *reader);
/* True if MPI_Pcontrol began it. */
bool is_level(const char *phase);

#endif
