/* How many processes share how many processors: whether somebody had to wait for one. */
#ifndef TARRY_ANALYSIS_MODEL_CROWDING_H
#define TARRY_ANALYSIS_MODEL_CROWDING_H

#include "analysis/model/nodes.h"

struct crowding {
	uint32_t processes;
	uint32_t cores; /* that any of them may run on; 0: not known */
};

/* Of the node where most processes come to a processor. */
struct crowding most_crowded(const struct reader *reader, const struct nodes *nodes);

#endif
