/* What was observed of algorithms, against what the model had said of them: the model is right about how costs grow, and wrong by factors that depend on
 * the machine and on the algorithm. So the next size, and the next operation, are predicted better. Each communicator has its own, which is the same on all
 * members, as long as they learn from times that they have agreed on.
 *
 *	correction_learn(&correction, algorithm, &prediction, log_seconds);
 *	…
 *	log_seconds = correction_predict(&correction, algorithm, &prediction, &is_observed);
 *
 * A factor belongs to an algorithm and to what it mostly spends its time with there: latency or bandwidth, inside nodes or between them. Algorithms
 * that were not observed get the factor of all others. Seconds are natural logarithms. */
#ifndef TARRY_COLL_CHOICE_CORRECTION_H
#define TARRY_COLL_CHOICE_CORRECTION_H

#include "coll/choice/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Algorithms have numbers below this; others are not corrected. */
enum { CORRECTED_ALGORITHMS = 64 };

struct coll_factor {
	float log;
	uint32_t count; /* 0: nothing was observed */
};

struct coll_correction {
	struct coll_factor of_all[COLL_TERMS];
	struct coll_factor of_algorithm[CORRECTED_ALGORITHMS][COLL_TERMS];
};

void correction_learn(struct coll_correction *correction, int algorithm,
                      const struct coll_prediction *prediction, double log_seconds);
/* `is_observed`: the algorithm itself was, with the same term or another one. */
double correction_predict(const struct coll_correction *correction, int algorithm,
                          const struct coll_prediction *prediction, bool *is_observed);

#endif
