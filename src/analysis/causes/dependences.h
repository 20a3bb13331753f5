/* Who waited for whom, read from the rows of the model: one list for all kinds of waits. Internal to the causes.
 *
 *	dependences_want(&sink);
 *	dependences_read(reading, block);           calls reading->add for each
 *	dependences_release(reading);
 *
 * What counts as a wait is what the shipped rules charge: for the last of those that a call needed (model/needed_calls.h), without scheduling
 * delays. */
#ifndef TARRY_ANALYSIS_CAUSES_DEPENDENCES_H
#define TARRY_ANALYSIS_CAUSES_DEPENDENCES_H

#include "analysis/causes/causes.h"
#include "analysis/model/needed_calls.h"

struct dependence {
	const struct call_semantics *wait,
		*partner; /* distinct calls: of the one that waited, and of the late one */
	uint32_t thread, partner_thread;
	int64_t start;         /* of the call that waited */
	int64_t since, moment; /* from when it waited, until the late one came */
	int64_t ns;            /* of this, without delays; 0: nobody waited */
	uint64_t instance;     /* of a blocking call in which all wait for all; 0: another */
	/* Of a collective call, who came last with delays, if that is another one; NULL: it is not. */
	const struct call_semantics *last;
	uint32_t last_thread;
	int64_t last_moment;
	/* For the critical path: who really came last, noise and all, if somebody waited for it. */
	uint32_t path_process; /* NO_PROCESS: nobody did */
	uint32_t path_thread;
	int64_t settled; /* when the wait was over, or, if there was none, `moment` */
};

struct dependence_reading {
	struct analysis_session *session;
	int64_t eps_ns;        /* shorter waits are noise */
	const int64_t *origin; /* what times of rows count from */
	void *context;
	void (*add)(void *context, const struct dependence *dependence);
	/* Internal. */
	struct need_reader needs;
	struct partitioned_wait *partitioned;
};

void dependences_want(struct row_sink *sink);
void dependences_read(struct dependence_reading *reading, const struct row_block *block);
void dependences_release(struct dependence_reading *reading);

#endif
