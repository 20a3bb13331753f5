/* Waits between processes, from the rows of the model: one list for all kinds of waits.
 * Internal to the causes.
 *
 *	dependences_want(&sink);
 *	dependences_read(reading, block);           calls reading->add for each
 *	dependences_release(reading);
 *
 * Waits are defined as in the shipped rules: for the last of the calls that a call needed
 * (model/needed_calls.h), without scheduling delays. */
#ifndef TARRY_ANALYSIS_CAUSES_DEPENDENCES_H
#define TARRY_ANALYSIS_CAUSES_DEPENDENCES_H

#include "analysis/causes/call_log.h"
#include "analysis/model/needed_calls.h"

struct dependence {
	const struct call_semantics *wait, *partner; /* distinct calls: the waiting one, and the late one */
	uint32_t thread, partner_thread;
	int64_t start;         /* of the waiting call */
	int64_t since, moment; /* start of the wait, and arrival of the late process */
	int64_t ns;            /* of this, without delays; 0: no wait */
	uint32_t phase;        /* of the waiting call */
	uint64_t instance;     /* of a blocking call in which all wait for all; 0: other calls */
	/* For a collective call: the call that arrived last with delays, if it is another
	 * one; otherwise NULL. */
	const struct call_semantics *last;
	uint32_t last_thread;
	int64_t last_moment;
	/* For the critical path: the process that really arrived last, including noise, if
	 * another waited for it. */
	uint32_t path_process; /* NO_PROCESS: none */
	uint32_t path_thread;
	int64_t settled; /* end of the wait or, without a wait, `moment` */
};

struct dependence_reading {
	struct analysis_session *session;
	const struct call_logs *logs;
	const int64_t *origin; /* origin of the times in rows */
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
