/* Corrections of the model by observed times. The model predicts well how costs grow, but is wrong by factors that
 * depend on machine and algorithm. Corrections improve the predictions for other sizes and operations. Each
 * communicator has its own corrections, which are equal on all members if they learn from agreed times.
 *
 *	correction_learn(&correction, algorithm, &prediction, log_seconds);
 *	…
 *	log_seconds = correction_predict(&correction, algorithm, &prediction, &is_observed);
 *
 * A factor belongs to an algorithm and its dominant term: latency or bandwidth, inside nodes or between them.
 * Algorithms without observations get the mean factor of the others. Times are natural logarithms of seconds. */
#ifndef TARRY_COLL_CHOICE_CORRECTION_H
#define TARRY_COLL_CHOICE_CORRECTION_H

#include "coll/choice/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Algorithms with higher numbers are not corrected. */
enum { CORRECTED_ALGORITHMS = 64 };

struct coll_factor {
	float log;
	uint32_t count; /* 0: no observation */
};

struct coll_correction {
	struct coll_factor of_all[COLL_TERMS];
	struct coll_factor of_algorithm[CORRECTED_ALGORITHMS][COLL_TERMS];
};

void correction_learn(struct coll_correction *correction, int algorithm,
                      const struct coll_prediction *prediction, double log_seconds);
/* `is_observed`: the algorithm itself was observed, with any term. */
double correction_predict(const struct coll_correction *correction, int algorithm,
                          const struct coll_prediction *prediction, bool *is_observed);

#endif
