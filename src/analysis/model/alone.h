/* Of those who meet in a collective call of UPC, who was in it while nobody else was: sets `alone` of all participants. */
#ifndef TARRY_ANALYSIS_MODEL_ALONE_H
#define TARRY_ANALYSIS_MODEL_ALONE_H

#include "analysis/model/call_semantics.h"
#include "analysis/relations/rows.h"

void note_alone(struct collective_call *participants, uint32_t count);

#endif
