/* The eager limit where the MPI library did not tell it: the largest standard send that returned before its receive was posted. It
 * is a lower bound, for each world and distance, and -1 if there was no such send: a larger send may wait for its receiver. Only
 * processes count that share a clock, or whose clocks were compared, beyond what these may be apart.
 *
 *	if (eager_is_unknown(nodes))
 *		eager_infer(reader, time, nodes);      one replay of the trace
 *	eager_between(nodes, sender, receiver)         as before
 *
 * Who replays the trace anyway gives each message to an inference instead:
 *
 *	struct eager_inference inference = eager_inference_new(time, nodes);
 *	eager_inference_add(&inference, message);
 *	eager_inference_end(&inference);
 */
#ifndef TARRY_ANALYSIS_MODEL_EAGER_H
#define TARRY_ANALYSIS_MODEL_EAGER_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/processes.h"

struct eager_inference {
	const struct corrected_time *time;
	struct nodes *nodes;
	int64_t (*bytes)[DISTANCES]; /* by world */
};

bool eager_is_unknown(const struct nodes *nodes);

struct eager_inference eager_inference_new(const struct corrected_time *time, struct nodes *nodes);
void eager_inference_add(const struct eager_inference *inference, const struct message *message);
/* Limits that the trace tells stay as they are. */
void eager_inference_end(struct eager_inference *inference);

void eager_infer(struct reader *reader, const struct corrected_time *time, struct nodes *nodes);

#endif
