#include "job/check/requests/request_states.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/attached_buffer.h"
#include "job/check/buffers/receive_shadows.h"
#include "job/check/events/request_operations.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"
#include "job/check/requests/partitions.h"
#include "job/check/requests/request_completion.h"
#include "job/mpi/fortran.h"

#include <string.h>

#define HAS_OBJECT (REQUEST_OF_FILE | REQUEST_ONE_SIDED | REQUEST_MAKES_COMM | REQUEST_BUFFERED)

static enum request_effect effect_of(enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	if (info->completes)
		return info->keeps_requests ? EFFECT_ASKS : EFFECT_COMPLETES;
	if (info->starts)
		return EFFECT_STARTS;
	if (call_has(info, KIND_newrequest))
		return EFFECT_NEW_REQUEST;
	/* MPI_Cancel, MPI_Request_free, MPI_Pready, MPI_Parrived */
	return call_has(info, KIND_inrequest) ||
	                       (call_has(info, KIND_request) && info->class == CLASS_PARTITIONED)
	               ? EFFECT_OTHER_REQUEST
	               : 0;
}

/* The flags of requests of this function. */
static uint32_t flags_of(enum call_id id)
{
	const struct call_info *info = &all_calls[id];
	uint32_t flags = info->persistent ? REQUEST_PERSISTENT : REQUEST_ACTIVE;

	switch (info->class) {
	case CLASS_PARTITIONED:
		flags |= REQUEST_PARTITIONED; /* fall through */
	case CLASS_POINT_TO_POINT:
	case CLASS_PERSISTENT:
	case CLASS_PROBE:
		flags |= info->persistent && info->mode == MODE_BUFFERED ? REQUEST_BUFFERED : 0;
		flags |= info->moves != MOVES_RECV ? REQUEST_SENDS : 0;
		return flags | (info->moves != MOVES_SEND ? REQUEST_RECEIVES : 0);
	case CLASS_FILE_DATA:
		return flags | REQUEST_OF_FILE;
	case CLASS_ONE_SIDED:
		return flags | REQUEST_ONE_SIDED;
	case CLASS_REQUEST:
		return flags | REQUEST_GENERALIZED;
	case CLASS_COMMUNICATOR:
		return flags | REQUEST_COLLECTIVE | REQUEST_MAKES_COMM;
	default:
		return flags | REQUEST_COLLECTIVE;
	}
}

static struct {
	uint32_t flags;      /* of new requests */
	uint8_t effect;      /* enum request_effect */
	uint8_t new_request; /* index of the parameter for a new request */
} calls[MPI_CALLS];

void requests_start(void)
{
	for (enum call_id id = 0; id < MPI_CALLS; id++) {
		calls[id].effect = (uint8_t)effect_of(id);
		if (calls[id].effect != EFFECT_NEW_REQUEST)
			continue;
		calls[id].flags = flags_of(id);
		calls[id].new_request = (uint8_t)call_parameter(id, KIND_newrequest);
	}
}

uint32_t request_effects(enum call_id id)
{
	return calls[id].effect;
}

const void *request_variable(const struct agent_call *call, const void *array, size_t index)
{
	return (const char *)array + index * (call->fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request));
}

static const void *new_variable(const struct agent_call *call)
{
	return (const void *)(uintptr_t)call->arguments[calls[call->id].new_request];
}

/* The variable for a new request may hold the handle of an active one. It is read only if a handle was stored
 * in it before, because the program need not initialize it. */
static void before_new(struct agent_call *call)
{
	const void *variable = new_variable(call);
	struct checked_request *held;

	lock_if_shared();
	held = request_of_variable(variable);
	if (UNLIKELY(held && held->flags & REQUEST_ACTIVE) &&
	    handle_at(OBJECT_REQUEST, variable, 0, call->fortran) == held->handle)
		call->state = held;
	unlock_if_shared();
}

static void remember_overwritten(struct checked_request *held, const struct agent_call *call, uint32_t place)
{
	/* The request may have ended meanwhile, in another thread. */
	if (!(held->flags & REQUEST_TAKEN) || held->variable != new_variable(call))
		return;
	held->overwritten = true;
	held->overwritten_by = call->id;
	held->overwritten_at = place;
	held->variable = NULL; /* another request has the variable now */
}

/* checked_request.object */
static uint64_t object_of(const struct agent_call *call, uint32_t flags)
{
	const enum parameter_kind kind = flags & REQUEST_OF_FILE ? KIND_file : KIND_win;

	if (flags & REQUEST_BUFFERED)
		return attached_buffer_needed(call);
	if (flags & REQUEST_MAKES_COMM)
		return handle_at(OBJECT_COMM, call_address(call, KIND_newcomm), 0, call->fortran);
	if (flags & (REQUEST_OF_FILE | REQUEST_ONE_SIDED))
		return (uint64_t)call->arguments[call_parameter(call->id, kind)];
	return 0;
}

static void after_new(struct agent_call *call, int rc)
{
	const void *variable = new_variable(call);
	const uint32_t flags = calls[call->id].flags | (call->nested ? (uint32_t)REQUEST_NESTED : 0);
	struct checked_request *request, *held = call->state;
	uint32_t place;
	uint64_t handle;

	if (UNLIKELY(rc != MPI_SUCCESS || !variable)) {
		active_buffers_after(call, MPI_ERR_OTHER);
		call->state = NULL;
		return;
	}
	place = agent_place(call);
	handle = handle_at(OBJECT_REQUEST, variable, 0, call->fortran);
	lock_if_shared();
	if (UNLIKELY(held != NULL))
		remember_overwritten(held, call, place);
	request = handle_is_null(OBJECT_REQUEST, handle) ? NULL : request_add(handle, variable, flags);
	if (LIKELY(request != NULL)) {
		request->created_by = call->id;
		request->created_at = place;
		request->fortran = call->fortran ? F_INT(variable) : 0;
		request->object = UNLIKELY(flags & HAS_OBJECT) ? object_of(call, flags) : 0;
		if (UNLIKELY(flags & REQUEST_PARTITIONED))
			partitions_init(request, call_argument(call, KIND_partitions));
		object_check_limit(call, OBJECT_REQUEST, checked_requests.live);
	}
	active_buffers_made(call, request);
	if (UNLIKELY(receive_shadows_live) && request)
		active_buffers_settle(call, request);
	unlock_if_shared();
	call->state = request;
}

void request_report_unknown(struct agent_call *call, uint64_t handle)
{
	const struct request_memory *ended = call->fortran && handle_is_missing(handle)
	                                             ? request_find_ended_fortran((int32_t)~handle)
	                                             : request_find_ended(handle);
	const int one = call_parameter(call->id, KIND_inrequest),
		  plain = call_parameter(call->id, KIND_request);
	const int parameter = one >= 0     ? one
	                      : plain >= 0 ? plain
	                                   : call_parameter_or(call->id, KIND_requests, KIND_conrequests);
	char value[HANDLE_TEXT];

	if (call->nested || (!ended && !handle_is_malformed(OBJECT_REQUEST, handle)))
		return;
	struct finding_draft draft = problem_draft(
		ended ? CHECK_ARGUMENT_FREED_HANDLE : CHECK_ARGUMENT_INVALID_HANDLE, call);
	finding_draft_parameter(&draft, call, parameter);
	if (ended) {
		finding_draft_value(&draft, "type", "%s", object_type_name(OBJECT_REQUEST));
		finding_draft_call(&draft, ended->created_by, ended->created_at, NOTE_CREATED);
	} else {
		handle_print(handle, call->fortran, value);
		finding_draft_value(&draft, "value", "%s", value);
	}
	finding_report(&draft);
}

/* Places that created persistent requests, and whether these were started or freed without a start. If one
 * request was started, the place is correct: the program may not have needed the others. */
enum { PREPARED_PLACES = 1024 };

static struct prepared_place {
	enum call_id by;
	uint32_t at;
	uint32_t unstarted;
	bool started;
} prepared[PREPARED_PLACES];
static uint32_t prepared_count;

static struct prepared_place *prepared_place(const struct checked_request *request)
{
	for (uint32_t i = 0; i < prepared_count; i++)
		if (prepared[i].by == request->created_by && prepared[i].at == request->created_at)
			return &prepared[i];
	if (prepared_count == PREPARED_PLACES)
		return NULL;
	prepared[prepared_count] = (struct prepared_place){request->created_by, request->created_at, 0,
	                                                   false};
	return &prepared[prepared_count++];
}

static void prepared_started(const struct checked_request *request)
{
	struct prepared_place *place = prepared_place(request);

	if (place)
		place->started = true;
}

static void prepared_left(const struct checked_request *request)
{
	struct prepared_place *place = prepared_place(request);

	if (place && (request->flags & (REQUEST_PERSISTENT | REQUEST_STARTED)) == REQUEST_PERSISTENT)
		place->unstarted++;
}

static void report_request(enum check check, struct agent_call *call, const struct checked_request *request)
{
	if (call->nested)
		return;
	struct finding_draft draft = problem_draft(check, call);
	if (check == CHECK_REQUEST_STARTED_ACTIVE)
		finding_draft_call(&draft, request->started_by, request->started_at, NOTE_EARLIER);
	finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	finding_report(&draft);
}

/* MPI_Start, MPI_Startall: started requests are claimed, so that a failed call can be undone. */
static void before_start(struct agent_call *call)
{
	struct request_list list = request_list(call);
	struct checked_request *last = NULL;

	lock_if_shared();
	for (int i = 0; i < list.count; i++) {
		const void *variable = request_variable(call, list.array, (size_t)i);
		const uint64_t handle = handle_at(OBJECT_REQUEST, variable, 0, call->fortran);
		struct checked_request *request = request_look_up(handle, variable, 0);

		if (!request) {
			if (!handle_is_null(OBJECT_REQUEST, handle))
				request_report_unknown(call, handle);
		} else if (!(request->flags & REQUEST_PERSISTENT)) {
			report_request(CHECK_REQUEST_NOT_PERSISTENT, call, request);
		} else if (request->flags & REQUEST_ACTIVE) {
			report_request(CHECK_REQUEST_STARTED_ACTIVE, call, request);
		} else {
			if (!(request->flags & REQUEST_STARTED))
				prepared_started(request);
			request->flags |= REQUEST_ACTIVE | REQUEST_STARTED;
			request->started_by = call->id;
			request->started_at = agent_place(call);
			if (UNLIKELY(request->flags & REQUEST_PARTITIONED))
				partitions_start(request);
			else if (request->flags & REQUEST_BUFFERED)
				attached_buffer_start(call, request);
			request_claim(call, &last, request, i);
			active_buffers_start(call, request);
			request_started(request);
		}
	}
	unlock_if_shared();
}

static void after_start(struct agent_call *call, int rc)
{
	lock_if_shared();
	for (struct checked_request *request = call->state; request;
	     request = request_next_claimed(request)) {
		request->flags &= ~(uint32_t)REQUEST_CLAIMED;
		if (UNLIKELY(rc != MPI_SUCCESS)) {
			request->flags &= ~(uint32_t)REQUEST_ACTIVE;
			active_buffers_complete(NULL, request, NULL);
		}
	}
	unlock_if_shared();
}

/* Freeing an active send is allowed and common. If the program frees another active request, it cannot know
 * when it may use the buffer. */
static void check_freed(struct agent_call *call, const struct checked_request *request)
{
	const uint32_t finished = REQUEST_CANCELLED | REQUEST_SEEN_COMPLETE;
	const uint32_t others = REQUEST_RECEIVES | REQUEST_COLLECTIVE | REQUEST_ONE_SIDED |
	                        REQUEST_PARTITIONED;

	if (!(request->flags & REQUEST_ACTIVE) || request->flags & finished)
		return;
	if (request->flags & others)
		report_request(CHECK_REQUEST_FREED_ACTIVE, call, request);
	else if (request->flags & REQUEST_SENDS && !(request->flags & REQUEST_BUFFERED))
		report_request(CHECK_REQUEST_FREED_SEND, call, request);
}

/* MPI_Request_free may complete a cancelled request. Whether the cancellation succeeded can only be queried
 * before; receives are cancelled at once. */
static void complete_cancelled(struct checked_request *request)
{
	MPI_Status status = {0};
	int complete = 0;

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): a handle */
	if (PMPI_Request_get_status((MPI_Request)(uintptr_t)request->handle, &complete, &status) ==
	            MPI_SUCCESS &&
	    complete)
		request_completed(request, &status);
}

/* MPI_Request_free and MPI_Cancel; MPI_Pready and MPI_Parrived. */
static void before_other(struct agent_call *call)
{
	const void *variable = call_address(call, KIND_inrequest);
	struct checked_request *request, *last = NULL;
	uint64_t handle;

	if (all_calls[call->id].class == CLASS_PARTITIONED)
		partitions_before(call);
	if (!variable)
		return;
	handle = handle_at(OBJECT_REQUEST, variable, 0, call->fortran);
	if (handle_is_null(OBJECT_REQUEST, handle))
		return;
	lock_if_shared();
	request = request_look_up(handle, variable, REQUEST_CLAIMED);
	if (request)
		request_claim(call, &last, request, 0);
	if (!request && !request_look_up(handle, variable, 0))
		request_report_unknown(call, handle);
	if (request && call->id == CALL_Request_free)
		check_freed(call, request);
	if (request && call->id == CALL_Cancel && request->flags & (REQUEST_COLLECTIVE | REQUEST_ONE_SIDED))
		report_request(CHECK_REQUEST_NOT_CANCELLABLE, call, request);
	if (request && call->id == CALL_Request_free &&
	    (request->flags & (REQUEST_CANCELLED | REQUEST_ACTIVE)) == (REQUEST_CANCELLED | REQUEST_ACTIVE))
		complete_cancelled(request);
	call->withheld = request && call->id == CALL_Request_free && active_buffers_have_shadow(request);
	unlock_if_shared();
}

static void after_other(struct agent_call *call, int rc)
{
	struct checked_request *request = call->state;

	if (all_calls[call->id].class == CLASS_PARTITIONED)
		partitions_after(call, rc);
	if (!request)
		return;
	lock_if_shared();
	request->flags &= ~(uint32_t)REQUEST_CLAIMED;
	if (rc == MPI_SUCCESS && call->id == CALL_Cancel)
		request->flags |= REQUEST_CANCELLED;
	if (rc == MPI_SUCCESS && call->id == CALL_Request_free) {
		if (!call->nested)
			prepared_left(request);
		if (UNLIKELY(call->withheld)) {
			receive_shadows_adopt(request->handle, request->buffers);
			request->buffers = NULL;
		}
		request_end(request, call->id);
	}
	unlock_if_shared();
}

static const struct request_steps {
	void (*before)(struct agent_call *call);
	void (*after)(struct agent_call *call, int rc);
} request_steps[] = {
	[EFFECT_NEW_REQUEST] = {before_new, after_new},
	[EFFECT_COMPLETES] = {completion_before, completion_after},
	[EFFECT_ASKS] = {inquiry_before, inquiry_after},
	[EFFECT_STARTS] = {before_start, after_start},
	[EFFECT_OTHER_REQUEST] = {before_other, after_other},
};

void requests_before(struct agent_call *call)
{
	if (calls[call->id].effect)
		request_steps[calls[call->id].effect].before(call);
}

void requests_after(struct agent_call *call, int rc)
{
	if (calls[call->id].effect)
		request_steps[calls[call->id].effect].after(call, rc);
}

void request_end(struct checked_request *request, enum call_id ended_by)
{
	request_ended(request);
	request->facts = NULL;
	if (request->buffers)
		active_buffers_release(request);
	if (UNLIKELY(request->partitions != NULL))
		partitions_release(request);
	request_remove(request, ended_by);
}

/* Requests of one place that were left in the same state. */
struct left_requests {
	const struct checked_request *first;
	uint32_t count;
};

enum { LEFT_GROUPS = 1024 };

static bool left_alike(const struct checked_request *a, const struct checked_request *b)
{
	return a->created_by == b->created_by && a->created_at == b->created_at &&
	       (a->flags & REQUEST_ACTIVE) == (b->flags & REQUEST_ACTIVE) &&
	       a->overwritten == b->overwritten &&
	       (!a->overwritten ||
	        (a->overwritten_by == b->overwritten_by && a->overwritten_at == b->overwritten_at));
}

static void add_left(struct left_requests *groups, uint32_t *count, const struct checked_request *request)
{
	uint32_t i = 0;

	while (i < *count && !left_alike(groups[i].first, request))
		i++;
	if (i == LEFT_GROUPS)
		return;
	if (i == *count)
		groups[(*count)++] = (struct left_requests){request, 0};
	groups[i].count++;
}

static void report_left(const struct left_requests *left)
{
	const struct checked_request *request = left->first;
	const bool active = request->flags & REQUEST_ACTIVE, overwritten = request->overwritten && active;
	struct finding_draft draft = finding_draft(overwritten ? CHECK_REQUEST_OVERWRITTEN
	                                           : active    ? CHECK_LEAK_REQUEST
	                                                       : CHECK_LEAK_PERSISTENT_REQUEST,
	                                           NULL);

	if (overwritten) {
		finding_draft_call(&draft, request->overwritten_by, request->overwritten_at, NOTE_HERE);
		finding_draft_call(&draft, request->created_by, request->created_at, NOTE_EARLIER);
	} else {
		finding_draft_value(&draft, "count", "%u", left->count);
		finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	}
	finding_report(&draft);
}

static void report_unstarted(const struct prepared_place *place)
{
	struct finding_draft draft = finding_draft(CHECK_REQUEST_NEVER_STARTED, NULL);

	finding_draft_call(&draft, place->by, place->at, NOTE_CREATED);
	finding_report(&draft);
}

void requests_report_left(void)
{
	static struct left_requests groups[LEFT_GROUPS];
	struct checked_request *request;
	uint32_t position = 0, count = 0;

	while (request_next(&position, &request)) {
		if (request->flags & REQUEST_NESTED)
			continue;
		prepared_left(request);
		add_left(groups, &count, request);
	}
	for (uint32_t i = 0; i < count; i++)
		report_left(&groups[i]);
	for (uint32_t i = 0; i < prepared_count; i++)
		if (prepared[i].unstarted && !prepared[i].started)
			report_unstarted(&prepared[i]);
}
