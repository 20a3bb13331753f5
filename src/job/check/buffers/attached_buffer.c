#include "job/check/buffers/attached_buffer.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"

#include <string.h>

/* Attached buffers of the process (OBJECT_NONE), of communicators and of sessions. */
enum { BUFFERS_MAX = 64 };

static struct attached_buffer {
	enum object_kind owner_kind;
	uint64_t owner; /* handle */
	bool unlimited; /* MPI_BUFFER_AUTOMATIC */
	uint64_t size;  /* bytes */
	enum call_id by;
	uint32_t at; /* place */
} buffers[BUFFERS_MAX];
static uint32_t buffer_count;
static bool is_full; /* there were more buffers: nothing is certain */
static bool is_new;  /* attached_buffer_is_new() has not been called yet */

static struct attached_buffer *find(enum object_kind kind, uint64_t owner)
{
	for (uint32_t i = 0; i < buffer_count; i++)
		if (buffers[i].owner_kind == kind && buffers[i].owner == owner)
			return &buffers[i];
	return NULL;
}

static struct attached_buffer *buffer_of_process(void)
{
	return find(OBJECT_NONE, 0);
}

/* The buffer of a call that attaches, detaches or flushes it. */
static struct attached_buffer buffer_named(const struct agent_call *call)
{
	struct attached_buffer named = {.owner_kind = OBJECT_NONE};

	if (call_parameter(call->id, KIND_comm) >= 0)
		named.owner_kind = OBJECT_COMM, named.owner = (uint64_t)call_argument(call, KIND_comm);
	else if (call_parameter(call->id, KIND_session) >= 0)
		named.owner_kind = OBJECT_SESSION, named.owner = (uint64_t)call_argument(call, KIND_session);
	return named;
}

static bool is_buffered_send(enum call_id id)
{
	return all_calls[id].mode == MODE_BUFFERED && !all_calls[id].persistent;
}

static enum object_kind ended_owner(enum call_id id)
{
	return call_parameter(id, KIND_oldcomm) >= 0      ? OBJECT_COMM
	       : call_parameter(id, KIND_oldsession) >= 0 ? OBJECT_SESSION
	                                                  : OBJECT_NONE;
}

bool attached_buffer_is_concerned(enum call_id id)
{
	return is_buffered_send(id) || all_calls[id].buffer || ended_owner(id);
}

static void detach(enum object_kind kind, uint64_t owner)
{
	struct attached_buffer *buffer = find(kind, owner);

	if (buffer)
		*buffer = buffers[--buffer_count];
}

/* Freeing a communicator or session detaches its buffer. */
static void detach_ended(const struct agent_call *call, enum object_kind kind)
{
	const void *variable = call_address(call, kind == OBJECT_COMM ? KIND_oldcomm : KIND_oldsession);

	if (buffer_count && variable)
		detach(kind, handle_at(kind, variable, 0, call->fortran));
}

static bool has_only_that_of_process(void)
{
	return !is_full && buffer_count == (buffer_of_process() ? 1 : 0);
}

/* A communicator's buffer takes precedence over the buffers of its session and of the process. Which communicators a session has is not
 * known here. */
bool attached_buffer_is_of_process(const struct agent_call *call)
{
	if (has_only_that_of_process())
		return true;
	for (uint32_t i = 0; i < buffer_count; i++)
		if (buffers[i].owner_kind == OBJECT_SESSION)
			return false;
	return !is_full && call_parameter(call->id, KIND_comm) >= 0 &&
	       !find(OBJECT_COMM, (uint64_t)call_argument(call, KIND_comm));
}

static bool is_usable(const struct checked_object *object)
{
	return object && object->state != OBJECT_FREED;
}

uint64_t attached_buffer_needed(const struct agent_call *call)
{
	const int64_t count = call_argument(call, KIND_count), type_word = call_argument(call, KIND_type),
		      comm_word = call_argument(call, KIND_comm);
	MPI_Datatype type;
	MPI_Comm comm;
	int bytes = 0;

	/* If arguments are wrong, MPI_Pack_size would end the program. */
	if (call->problems || count < 0 || count > INT32_MAX ||
	    call_argument(call, KIND_dest) == MPI_PROC_NULL ||
	    !is_usable(object_find(OBJECT_TYPE, (uint64_t)type_word)) ||
	    !is_usable(object_find(OBJECT_COMM, (uint64_t)comm_word)))
		return 0;
	memcpy(&type, &type_word, sizeof type);
	memcpy(&comm, &comm_word, sizeof comm);
	if (PMPI_Pack_size((int)count, type, comm, &bytes) != MPI_SUCCESS || bytes < 0)
		return 0;
	return (uint64_t)bytes + MPI_BSEND_OVERHEAD;
}

static void check_room(struct agent_call *call, const struct attached_buffer *buffer, uint64_t needed)
{
	const bool is_small = buffer && !buffer->unlimited && needed > buffer->size;

	if (!needed || call->nested || (buffer && !is_small))
		return;
	struct finding_draft draft = problem_draft(
		is_small ? CHECK_BUFFER_TOO_SMALL : CHECK_BUFFER_NOT_ATTACHED, call);
	finding_draft_value(&draft, is_small ? "needed" : "bytes", "%llu", (unsigned long long)needed);
	if (is_small) {
		finding_draft_value(&draft, "size", "%llu", (unsigned long long)buffer->size);
		finding_draft_call(&draft, buffer->by, buffer->at, NOTE_EARLIER);
	}
	finding_report(&draft);
}

void attached_buffer_start(struct agent_call *call, const struct checked_request *request)
{
	if (has_only_that_of_process())
		check_room(call, buffer_of_process(), request->object);
}

static void before_send(struct agent_call *call)
{
	const struct attached_buffer *own = find(OBJECT_COMM, (uint64_t)call_argument(call, KIND_comm));

	if (own || attached_buffer_is_of_process(call))
		check_room(call, own ? own : buffer_of_process(), attached_buffer_needed(call));
}

static void before_attach(struct agent_call *call)
{
	const struct attached_buffer named = buffer_named(call), *held = find(named.owner_kind, named.owner);

	if (!held || call->nested)
		return;
	struct finding_draft draft = problem_draft(CHECK_BUFFER_ATTACHED_TWICE, call);

	finding_draft_call(&draft, held->by, held->at, NOTE_EARLIER);
	finding_report(&draft);
}

void attached_buffer_before(struct agent_call *call)
{
	const enum object_kind ended = ended_owner(call->id);

	lock_if_shared();
	if (all_calls[call->id].buffer == BUFFER_ATTACHES)
		before_attach(call);
	else if (is_buffered_send(call->id))
		before_send(call);
	else if (ended)
		detach_ended(call, ended);
	unlock_if_shared();
}

static void attach(const struct agent_call *call)
{
	struct attached_buffer named = buffer_named(call), *buffer = find(named.owner_kind, named.owner);

	if (!buffer && buffer_count == BUFFERS_MAX) {
		is_full = true;
		return;
	}
#ifdef MPI_BUFFER_AUTOMATIC
	named.unlimited = call_address(call, KIND_rbuf) == MPI_BUFFER_AUTOMATIC;
#endif
	named.size = (uint64_t)call_argument(call, KIND_wide);
	named.by = call->id;
	named.at = agent_place(call);
	*(buffer ? buffer : &buffers[buffer_count++]) = named;
}

void attached_buffer_after(struct agent_call *call, int rc)
{
	const enum buffer_use use = all_calls[call->id].buffer;
	const struct attached_buffer named = buffer_named(call);

	if (rc != MPI_SUCCESS || !use)
		return;
	lock_if_shared();
	if (use == BUFFER_ATTACHES)
		attach(call);
	else if (use == BUFFER_DETACHES)
		detach(named.owner_kind, named.owner);
	/* A flush empties the buffer. After MPI_Buffer_iflush, messages may still be unsent, but do not count. */
	if (named.owner_kind == OBJECT_NONE && use != BUFFER_DETACHES)
		is_new = true;
	unlock_if_shared();
}

uint64_t attached_buffer_size(void)
{
	const struct attached_buffer *buffer = buffer_of_process();

	return buffer && !buffer->unlimited ? buffer->size : 0;
}

bool attached_buffer_is_new(void)
{
	const bool was_new = is_new;

	is_new = false;
	return was_new;
}

void attached_buffer_report_left(void)
{
	for (uint32_t i = 0; i < buffer_count; i++) {
		if (buffers[i].unlimited)
			continue;
		struct finding_draft draft = finding_draft(CHECK_LEAK_BUFFER, NULL);
		finding_draft_value(&draft, "bytes", "%llu", (unsigned long long)buffers[i].size);
		finding_draft_call(&draft, buffers[i].by, buffers[i].at, NOTE_CREATED);
		finding_report(&draft);
	}
}
