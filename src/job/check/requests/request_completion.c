#include "job/check/requests/request_completion.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/events/request_operations.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/mapped_memory.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/threads.h"
#include "job/check/requests/partitions.h"

#include <stdlib.h>

/* The count may be wrong: an array counts only if its end is mapped. MPI itself reports a missing array. */
static bool is_there(const struct agent_call *call, const struct request_list *list)
{
	const size_t bytes = (size_t)list->count * (call->fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request));

	return is_mapped((uint64_t)(uintptr_t)list->array + bytes - 1);
}

struct request_list request_list(const struct agent_call *call)
{
	const int many = call_parameter(call->id, KIND_many);
	struct request_list list = {call_address(call, many < 0 ? KIND_inrequest : KIND_requests), 1};

	if (!list.array)
		list.array = call_address(call, KIND_conrequests);

	if (many >= 0)
		list.count = (int)call->arguments[many];
	if (!list.array || list.count < 0 || (list.count > 1 && !is_there(call, &list)))
		list.count = 0;
	return list;
}

void request_claim(struct agent_call *call, struct checked_request **last, struct checked_request *request,
                   int index)
{
	request->flags |= REQUEST_CLAIMED;
	request->claim_index = index;
	request->claim_next = NO_REQUEST;
	if (*last)
		(*last)->claim_next = request->number;
	else
		call->state = request;
	*last = request;
}

static bool is_claimed_by(const struct agent_call *call, const struct checked_request *request)
{
	const struct checked_request *claimed = call->state;

	while (claimed && claimed != request)
		claimed = request_next_claimed(claimed);
	return claimed != NULL;
}

/* All requests with this handle are already claimed: by an earlier element of this call,
 * or by another thread. */
static void report_duplicate(struct agent_call *call, const struct checked_request *request, int index)
{
	if (call->nested)
		return;
	if (!is_claimed_by(call, request)) {
		threads_report_request(call, request->created_by, request->created_at);
		return;
	}
	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_DUPLICATE_REQUEST, call);
	finding_draft_parameter(&draft, call, call_parameter(call->id, KIND_requests));
	finding_draft_value(&draft, "first", "%d", request->claim_index + call->fortran);
	finding_draft_value(&draft, "second", "%d", index + call->fortran);
	finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	finding_report(&draft);
}

/* Requests that were created one after the other are usually neighbours in the array. Testing the neighbours
 * of the last request saves the search, which is long if many requests share a handle. */
static struct checked_request *guess(const struct checked_request *last, uint64_t handle,
                                     const void *variable)
{
	for (uint32_t i = 0; last && i < 2; i++) {
		const uint32_t number = last->number + (i ? UINT32_MAX : 1);
		struct checked_request *request = number < checked_requests.limit ? request_get(number)
		                                                                  : NULL;
		if (request && request->handle == handle && request->variable == variable &&
		    (request->flags & (REQUEST_TAKEN | REQUEST_CLAIMED)) == REQUEST_TAKEN)
			return request;
	}
	return NULL;
}

/* A call that was left by an exception or a jump keeps its claims. If there is only one thread,
 * its next call takes them over. */
static struct checked_request *take_over(const struct agent_call *call, uint64_t handle, const void *variable)
{
	struct checked_request *request = checked.shared ? NULL : request_look_up(handle, variable, 0);

	return request && !is_claimed_by(call, request) ? request : NULL;
}

static void release_buffers(struct checked_request *request)
{
	struct active_buffer *buffers = request->buffers;

	request->buffers = NULL;
	active_buffers_deliver(buffers);
}

/* If several requests share a handle, a copy of it may mean any of them, so their buffers are not checked. MPI
 * gives the same handle to operations that complete at once. A request that another call has claimed may be
 * complete, and its handle may be in use again. */
static void forget_shared_buffers(struct checked_request *one)
{
	for (uint32_t at = request_first(one->handle); at != NO_REQUEST; at = request_get(at)->next) {
		struct checked_request *request = request_get(at);

		if (request == one || request->handle != one->handle || request->flags & REQUEST_CLAIMED)
			continue;
		release_buffers(request);
		release_buffers(one);
	}
}

static void claim_element(struct agent_call *call, struct checked_request **last, const void *variable,
                          int index)
{
	const struct call_info *info = &all_calls[call->id];
	const uint64_t handle = handle_at(OBJECT_REQUEST, variable, 0, call->fortran);
	struct checked_request *request = guess(*last, handle, variable);

	if (LIKELY(!request))
		request = request_look_up(handle, variable, REQUEST_CLAIMED);
	if (UNLIKELY(!request)) {
		if (handle_is_null(OBJECT_REQUEST, handle))
			return;
		request = take_over(call, handle, variable);
	}
	if (UNLIKELY(!request)) {
		request = request_look_up(handle, variable, 0);
		if (request)
			report_duplicate(call, request, index);
		else
			request_report_unknown(call, handle);
	} else if (request->flags & REQUEST_ACTIVE) {
		if (UNLIKELY(request->variable != variable))
			forget_shared_buffers(request);
		request_claim(call, last, request, index);
		if (UNLIKELY(request->partitions != NULL) && call_waits_for_requests(info) &&
		    !call_needs_one_request(info))
			partitions_check_complete(call, request);
	}
}

void completion_before(struct agent_call *call)
{
	const struct request_list list = request_list(call);
	struct checked_request *last = NULL;

	lock_if_shared();
	for (int i = 0; i < list.count; i++)
		claim_element(call, &last, request_variable(call, list.array, (size_t)i), i);
	unlock_if_shared();
}

static void complete(struct agent_call *call, struct checked_request *request, const MPI_Status *status,
                     bool failed)
{
	const uint32_t over = REQUEST_ACTIVE | REQUEST_CLAIMED | REQUEST_SEEN_COMPLETE;

	if (request->buffers)
		active_buffers_complete(call, request, status);
	request_arrived(request, failed ? NULL : status);
	request_completed(request, status);
	request->flags &= ~over;
	if (UNLIKELY(request->flags & REQUEST_MAKES_COMM)) {
		struct checked_object *comm = object_find(OBJECT_COMM, request->object);
		if (comm)
			comm->incomplete = false;
	}
	if (request->flags & REQUEST_PERSISTENT)
		request->flags &= ~(uint32_t)REQUEST_CANCELLED;
	else
		request_end(request, call->id);
}

static const MPI_Status *status_at(const struct agent_call *call, int index)
{
	const MPI_Status *statuses = call->status;

	/* Some of these are equal in one of the libraries. NOLINTNEXTLINE(misc-redundant-expression) */
	if (!statuses || statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE)
		return NULL;
	return &statuses[index];
}

/* After a failed call, a request that is not persistent is complete if its variable is null. For persistent
 * requests, the status decides. */
static bool ended_in_failure(const struct agent_call *call, const struct request_list *list,
                             const struct checked_request *request, const MPI_Status *status, int rc)
{
	const void *variable = request_variable(call, list->array, (size_t)request->claim_index);
	int class = rc;

	if (!(request->flags & REQUEST_PERSISTENT))
		return handle_is_null(OBJECT_REQUEST, handle_at(OBJECT_REQUEST, variable, 0, call->fortran));
	PMPI_Error_class(rc, &class);
	if (class == MPI_ERR_IN_STATUS)
		return status && status->MPI_ERROR != MPI_ERR_PENDING;
	return list->count == 1 && class != MPI_ERR_REQUEST && class != MPI_ERR_ARG;
}

/* The call has one status per request, or a single one. */
static void complete_all(struct agent_call *call, int rc)
{
	const struct request_list list = request_list(call);
	const bool whole = !call_needs_one_request(&all_calls[call->id]);

	for (struct checked_request *next, *request = call->state; request; request = next) {
		const MPI_Status *status = whole ? status_at(call, request->claim_index) : NULL;
		next = request_next_claimed(request);
		if (LIKELY(rc == MPI_SUCCESS) || ended_in_failure(call, &list, request, status, rc))
			complete(call, request, status, rc != MPI_SUCCESS);
		else
			request->flags &= ~(uint32_t)REQUEST_CLAIMED;
	}
}

static void release_claims(struct agent_call *call)
{
	for (struct checked_request *request = call->state; request; request = request_next_claimed(request))
		request->flags &= ~(uint32_t)REQUEST_CLAIMED;
}

/* True if the call may have completed the request at this position of its array. */
static bool is_gone(const struct agent_call *call, const struct request_list *list, int position)
{
	const struct checked_request *request = call->state;
	const void *variable;
	MPI_Status status;
	int complete = 0;

	while (request && request->claim_index != position)
		request = request_next_claimed(request);
	if (!request)
		return false;
	variable = request_variable(call, list->array, (size_t)position);
	if (!(request->flags & REQUEST_PERSISTENT))
		return handle_is_null(OBJECT_REQUEST, handle_at(OBJECT_REQUEST, variable, 0, call->fortran));
	/* An inactive request has an empty status. */
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): a handle */
	PMPI_Request_get_status((MPI_Request)(uintptr_t)request->handle, &complete, &status);
	return complete && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG;
}

/* Fortran counts from 1, but MPICH 4.0's mpi_f08 returns C indices. */
static int first_index(const struct agent_call *call, const int *indices, int count)
{
	const struct request_list list = request_list(call);

	for (int i = 0; call->fortran && i < count; i++)
		if (indices[i] == 0 ||
		    (!is_gone(call, &list, indices[i] - 1) && is_gone(call, &list, indices[i])))
			return 0;
	return call->fortran;
}

/* Completes the request at `index` of the array, and removes it from the claims. */
static void complete_index(struct agent_call *call, int index, const MPI_Status *status)
{
	struct checked_request *before = NULL, *request = call->state;

	while (request && request->claim_index != index) {
		before = request;
		request = request_next_claimed(request);
	}
	if (!request)
		return;
	if (before)
		before->claim_next = request->claim_next;
	else
		call->state = request_next_claimed(request);
	complete(call, request, status, false);
}

static void complete_some(struct agent_call *call)
{
	const int *outcount = call_address(call, KIND_outcount), *indices = call_address(call, KIND_indices);

	if (outcount && indices) {
		const int first = first_index(call, indices, *outcount);

		/* Indices usually ascend, so that each claim is near the start of the list. */
		for (int i = 0; i < *outcount; i++)
			complete_index(call, indices[i] - first, status_at(call, i));
	}
	release_claims(call);
}

static void complete_any(struct agent_call *call)
{
	const int *index = call_address(call, KIND_index);

	if (index && *index >= 0)
		complete_index(call, *index - first_index(call, index, 1), status_at(call, 0));
	release_claims(call);
}

void completion_after(struct agent_call *call, int rc)
{
	const int *flag = call_address(call, KIND_flag);
	const bool failed = rc != MPI_SUCCESS;

	if (!call->state)
		return;
	lock_if_shared();
	if (LIKELY(!failed) && flag && !*flag)
		release_claims(call);
	else if (LIKELY(!failed) && call_parameter(call->id, KIND_outcount) >= 0)
		complete_some(call);
	else if (LIKELY(!failed) && call_parameter(call->id, KIND_index) >= 0)
		complete_any(call);
	else
		complete_all(call, rc);
	unlock_if_shared();
}

static bool is_truncated(const MPI_Status *status)
{
	int class = MPI_SUCCESS;

	PMPI_Error_class(status->MPI_ERROR, &class);
	return class == MPI_ERR_TRUNCATE;
}

void completion_fails(const struct agent_call *call, int error_class)
{
	const bool is_for_all = !call_needs_one_request(&all_calls[call->id]),
		   is_alone = request_list(call).count == 1;

	if (!all_calls[call->id].completes || !call->state ||
	    (error_class != MPI_ERR_TRUNCATE && error_class != MPI_ERR_IN_STATUS))
		return;
	lock_if_shared();
	for (struct checked_request *request = call->state; request;
	     request = request_next_claimed(request)) {
		const MPI_Status *status = is_alone || is_for_all ? status_at(call, request->claim_index)
		                                                  : NULL;

		/* The error field is set only in statuses of several requests. */
		if (status && (is_alone || is_truncated(status)))
			request_completed(request, status);
	}
	unlock_if_shared();
}

/* Inquiries, with one handle or an array of handles. */

static struct checked_request *find_asked(struct agent_call *call, const struct request_list *list, int index,
                                          bool is_reported)
{
	const int by_value = call_parameter(call->id, KIND_request);
	const void *variable = by_value >= 0 ? NULL : request_variable(call, list->array, (size_t)index);
	const uint64_t handle = by_value >= 0 ? (uint64_t)call->arguments[by_value]
	                                      : handle_at(OBJECT_REQUEST, variable, 0, call->fortran);

	if (handle_is_null(OBJECT_REQUEST, handle))
		return NULL;
	if (is_reported && !request_look_up(handle, variable, 0))
		request_report_unknown(call, handle);
	return request_look_up(handle, variable, REQUEST_CLAIMED);
}

static struct request_list asked_list(const struct agent_call *call)
{
	const struct request_list one = {NULL, 1};

	return call_parameter(call->id, KIND_request) >= 0 ? one : request_list(call);
}

void inquiry_before(struct agent_call *call)
{
	const struct request_list list = asked_list(call);

	lock_if_shared();
	for (int i = 0; i < list.count; i++)
		find_asked(call, &list, i, true);
	unlock_if_shared();
}

/* The element at `index` is complete; `status` is the number of its status. */
static void seen_complete(struct agent_call *call, const struct request_list *list, int index, int status)
{
	struct checked_request *request = index >= 0 && index < list->count
	                                          ? find_asked(call, list, index, false)
	                                          : NULL;

	if (!request)
		return;
	request->flags |= REQUEST_SEEN_COMPLETE;
	active_buffers_complete(call, request, status_at(call, status));
	request_arrived(request, status_at(call, status));
}

void inquiry_after(struct agent_call *call, int rc)
{
	const int *flag = call_address(call, KIND_flag), *index = call_address(call, KIND_index),
		  *outcount = call_address(call, KIND_outcount), *indices = call_address(call, KIND_indices);
	const struct request_list list = asked_list(call);

	if (rc != MPI_SUCCESS || (flag && !*flag))
		return;
	lock_if_shared();
	if (outcount)
		for (int i = 0; indices && i < *outcount; i++)
			seen_complete(call, &list, indices[i] - call->fortran, i);
	else if (index)
		seen_complete(call, &list, *index - call->fortran, 0);
	else
		for (int i = 0; i < list.count; i++)
			seen_complete(call, &list, i, i);
	unlock_if_shared();
}
