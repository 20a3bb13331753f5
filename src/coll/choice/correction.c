#include "coll/choice/correction.h"

#include "coll/choice/trial.h"

/* The weight of earlier observations is limited, because a machine changes. */
enum { MEMORY = 4 };
/* A logarithm; a larger deviation is a failure, not an observation. */
static const double FAR_OFF = 12;

static void add_observation(struct coll_factor *factor, double log)
{
	if (factor->count < MEMORY)
		factor->count++;
	factor->log += (float)((log - factor->log) / factor->count);
}

void correction_learn(struct coll_correction *correction, int algorithm,
                      const struct coll_prediction *prediction, double log_seconds)
{
	const double log = log_seconds - trial_log(prediction->seconds);

	if (algorithm < 0 || algorithm >= CORRECTED_ALGORITHMS || log > FAR_OFF || log < -FAR_OFF)
		return;
	add_observation(&correction->of_all[prediction->term], log);
	add_observation(&correction->of_algorithm[algorithm][prediction->term], log);
}

/* The correction of the term, or the mean of those that were observed. False: there are no observations. */
static bool find_factor(const struct coll_factor factors[COLL_TERMS], enum coll_term term, double *log)
{
	double sum = 0;
	int count = 0;

	for (int i = 0; i < COLL_TERMS; i++)
		if (factors[i].count) {
			sum += factors[i].log;
			count++;
		}
	if (factors[term].count)
		*log = factors[term].log;
	else if (count)
		*log = sum / count;
	return count > 0;
}

double correction_predict(const struct coll_correction *correction, int algorithm,
                          const struct coll_prediction *prediction, bool *is_observed)
{
	double log = 0;

	*is_observed = algorithm >= 0 && algorithm < CORRECTED_ALGORITHMS &&
	               find_factor(correction->of_algorithm[algorithm], prediction->term, &log);
	if (!*is_observed)
		find_factor(correction->of_all, prediction->term, &log);
	return trial_log(prediction->seconds) + log;
}
