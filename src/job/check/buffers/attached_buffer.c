#include "job/check/buffers/attached_buffer.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"

#include <string.h>

static struct {
	bool attached;
	bool unlimited; /* MPI_BUFFER_AUTOMATIC */
	bool is_new;    /* nobody has asked for it */
	uint64_t size;  /* bytes */
	enum call_id by;
	uint32_t at; /* place */
} buffer;

static bool is_buffered_send(enum call_id id)
{
	return all_calls[id].mode == MODE_BUFFERED && !all_calls[id].persistent;
}

static bool is_attach(enum call_id id)
{
	return all_calls[id].plain == CALL_Buffer_attach;
}

static bool is_detach(enum call_id id)
{
	return all_calls[id].plain == CALL_Buffer_detach;
}

bool attached_buffer_is_concerned(enum call_id id)
{
	return is_buffered_send(id) || is_attach(id) || is_detach(id);
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

	/* MPI stops the program when it is asked of what is wrong. */
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

static void check_room(struct agent_call *call, uint64_t needed)
{
	const bool is_small = buffer.attached && !buffer.unlimited && needed > buffer.size;

	if (!needed || call->nested || (buffer.attached && !is_small))
		return;
	struct finding_draft draft = problem_draft(
		is_small ? CHECK_BUFFER_TOO_SMALL : CHECK_BUFFER_NOT_ATTACHED, call);
	finding_draft_value(&draft, is_small ? "needed" : "bytes", "%llu", (unsigned long long)needed);
	if (is_small) {
		finding_draft_value(&draft, "size", "%llu", (unsigned long long)buffer.size);
		finding_draft_call(&draft, buffer.by, buffer.at, NOTE_EARLIER);
	}
	finding_report(&draft);
}

void attached_buffer_start(struct agent_call *call, const struct checked_request *request)
{
	check_room(call, request->object);
}

void attached_buffer_before(struct agent_call *call)
{
	lock_if_shared();
	if (is_attach(call->id) && buffer.attached && !call->nested) {
		struct finding_draft draft = problem_draft(CHECK_BUFFER_ATTACHED_TWICE, call);

		finding_draft_call(&draft, buffer.by, buffer.at, NOTE_EARLIER);
		finding_report(&draft);
	} else if (is_buffered_send(call->id)) {
		check_room(call, attached_buffer_needed(call));
	}
	unlock_if_shared();
}

void attached_buffer_after(struct agent_call *call, int rc)
{
	if (rc != MPI_SUCCESS || (!is_attach(call->id) && !is_detach(call->id)))
		return;
	lock_if_shared();
	if (is_attach(call->id)) {
		buffer.attached = buffer.is_new = true;
#ifdef MPI_BUFFER_AUTOMATIC
		buffer.unlimited = (void *)(uintptr_t)call->arguments[0] == MPI_BUFFER_AUTOMATIC;
#endif
		buffer.size = (uint64_t)call_argument(call, KIND_wide);
		buffer.by = call->id;
		buffer.at = agent_place(call);
	} else {
		buffer.attached = false;
	}
	unlock_if_shared();
}

uint64_t attached_buffer_size(void)
{
	return buffer.attached && !buffer.unlimited ? buffer.size : 0;
}

bool attached_buffer_is_new(void)
{
	const bool is_new = buffer.is_new;

	buffer.is_new = false;
	return is_new;
}

void attached_buffer_report_left(void)
{
	if (!buffer.attached || buffer.unlimited)
		return;
	struct finding_draft draft = finding_draft(CHECK_LEAK_BUFFER, NULL);
	finding_draft_value(&draft, "bytes", "%llu", (unsigned long long)buffer.size);
	finding_draft_call(&draft, buffer.by, buffer.at, NOTE_CREATED);
	finding_report(&draft);
}
