/* What a collective operation would cost by each algorithm: steps and bytes on each level of the machine, times the level's latency and bandwidth.
 * The model is for choosing whom to try (trial.h), not for predicting times: the network of a node is shared by its processes, and nothing else
 * is. */
#ifndef TARRY_COLL_CHOICE_MODEL_H
#define TARRY_COLL_CHOICE_MODEL_H

#include "coll/choice/levels.h"

#include <stddef.h>

/* Where the processes of a communicator are. */
struct coll_shape {
	int processes, nodes;
	int per_node; /* on the node that has most */
};

/* `bytes` as collective.h's coll_bytes() has them. An algorithm that the model does not know costs as much as a plain binomial one. */
double coll_model_seconds(const struct coll_levels *levels, const struct coll_shape *shape,
                          const char *operation, const char *algorithm, size_t bytes);

#endif
