/* Calls that complete requests. A call claims its requests before MPI runs, because MPI sets their handles to null. Afterwards, completed requests
 * end, or become inactive. */
#ifndef TARRY_JOB_CHECK_REQUESTS_REQUEST_COMPLETION_H
#define TARRY_JOB_CHECK_REQUESTS_REQUEST_COMPLETION_H

#include "job/check/objects/request_table.h"

/* The requests of a call. */
struct request_list {
	const void *array; /* of MPI_Request or MPI_Fint */
	int count;         /* 0: no array */
};

struct request_list request_list(const struct agent_call *call);
const void *request_variable(const struct agent_call *call, const void *array, size_t index);

/* The following functions need the lock. */

/* Claims a request for the call, after `last`. The first claimed request is in call->state. */
void request_claim(struct agent_call *call, struct checked_request **last, struct checked_request *request,
                   int index);

/* The request ends. */
void request_end(struct checked_request *request, enum call_id ended_by);
/* No request has this handle: reports argument.freed-handle if a request had it, argument.invalid-handle if no
 * request can have it. Other handles may come from calls that were not seen. */
void request_report_unknown(struct agent_call *call, uint64_t handle);

/* Without the lock. */
void completion_before(struct agent_call *call);
void completion_after(struct agent_call *call, int rc);
/* MPI ends the process in this call with an error of this class. Announces messages that are too long for their receives. */
void completion_fails(const struct agent_call *call, int error_class);
/* MPI_Request_get_status and its variants: the requests do not change. */
void inquiry_before(struct agent_call *call);
void inquiry_after(struct agent_call *call, int rc);

#endif
