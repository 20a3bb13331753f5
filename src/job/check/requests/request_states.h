/* The lifetime of requests: from the call that creates one to its completion, and for persistent and
 * partitioned requests through all starts.
 *
* MPI may give several requests the same handle, as MPICH does for sends that complete at once. Then the
 * variable with the handle identifies the request; if that is unknown, any of them is taken.
 *
* Overwriting the variable of an active request is not an error in itself, because the program may have copied
 * the handle. It is reported at the end, if the request was never completed. */
#ifndef TARRY_JOB_CHECK_REQUESTS_REQUEST_STATES_H
#define TARRY_JOB_CHECK_REQUESTS_REQUEST_STATES_H

#include "job/check/wire/agent_call.h"

/* The effect of a call on requests; 0: none. */
enum request_effect {
	EFFECT_NEW_REQUEST = 1,
	EFFECT_COMPLETES,
	EFFECT_ASKS, /* asks whether it is complete */
	EFFECT_STARTS,
	EFFECT_OTHER_REQUEST, /* frees, cancels, marks partitions */
};

/* Before the first call. */
void requests_start(void);
uint32_t request_effects(enum call_id id);

/* Around each call that has an effect. */
void requests_before(struct agent_call *call);
void requests_after(struct agent_call *call, int rc);

/* At the end: reports requests that were overwritten, never completed or never started. */
void requests_report_left(void);

#endif
