/* What a collective operation would cost by each algorithm: steps and bytes on each level of the machine, times the level's latency and bandwidth.
 * The model is for choosing whom to try (trial.h), not for predicting times: the network of a node is shared by its processes, and nothing else
 * is. What is observed corrects it (correction.h). */
#ifndef TARRY_COLL_CHOICE_MODEL_H
#define TARRY_COLL_CHOICE_MODEL_H

#include "coll/choice/levels.h"

#include <stddef.h>

/* Where the processes of a communicator are. */
struct coll_shape {
	int processes, nodes;
	int per_node; /* on the node that has most */
};

/* What time is spent with. */
enum coll_term {
	TERM_NODE_LATENCY,
	TERM_NODE_BANDWIDTH,
	TERM_NETWORK_LATENCY,
	TERM_NETWORK_BANDWIDTH,
	COLL_TERMS
};

struct coll_prediction {
	double seconds;
	enum coll_term term; /* most of them */
};

/* `bytes` as collective.h's coll_bytes() has them. An algorithm that the model does not know costs as much as a plain binomial one. The result is the same
 * to the last bit on all processes. */
struct coll_prediction coll_model_predict(const struct coll_levels *levels, const struct coll_shape *shape,
                                          const char *operation, const char *algorithm, size_t bytes);

#endif
