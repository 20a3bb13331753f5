/* Estimates the cost of an algorithm: steps and bytes per level of the machine, times the level's latency and
 * bandwidth. The only shared resource is the network link of a node. The model selects candidates for trials
 * (trial.h); it does not predict times well. Observations correct it (correction.h). */
#ifndef TARRY_COLL_CHOICE_MODEL_H
#define TARRY_COLL_CHOICE_MODEL_H

#include "coll/choice/levels.h"

#include <stddef.h>

/* The shape of a communicator. */
struct coll_shape {
	int processes, nodes;
	int per_node; /* on the largest node */
};

/* The terms of a cost. */
enum coll_term {
	TERM_NODE_LATENCY,
	TERM_NODE_BANDWIDTH,
	TERM_NETWORK_LATENCY,
	TERM_NETWORK_BANDWIDTH,
	COLL_TERMS
};

struct coll_prediction {
	double seconds;
	enum coll_term term; /* the dominant one */
};

/* `bytes` as in coll_bytes() of collective.h. An unknown algorithm costs as much as a binomial tree. The
 * result is bitwise equal on all processes. */
struct coll_prediction coll_model_predict(const struct coll_levels *levels, const struct coll_shape *shape,
                                          const char *operation, const char *algorithm, size_t bytes);

#endif
