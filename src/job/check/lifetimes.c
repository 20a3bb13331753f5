#include "job/check/lifetimes.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/attached_buffer.h"
#include "job/check/leaks.h"
#include "job/check/objects/files.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"
#include "job/check/requests/request_states.h"
#include "job/check/windows/windows.h"

enum life_concern {
	CONCERNS_OBJECTS = 1,
	CONCERNS_REQUESTS = 2,
	CONCERNS_BUFFER = 4,
	CONCERNS_FILES = 8,
	CONCERNS_LEAKS = 16,
	CONCERNS_WINDOWS = 32,
	CONCERNS_ACTIVE_BUFFERS = 64,
};

static uint8_t concerns[MPI_CALLS];

void lifetimes_start(void)
{
	requests_start();
	active_buffers_init();
	windows_start();
	for (enum call_id id = 0; id < MPI_CALLS; id++)
		concerns[id] = (object_effects(id) ? CONCERNS_OBJECTS : 0) |
		               (request_effects(id) ? CONCERNS_REQUESTS : 0) |
		               (attached_buffer_is_concerned(id) ? CONCERNS_BUFFER : 0) |
		               (files_are_concerned(id) ? CONCERNS_FILES : 0) |
		               (leaks_are_concerned(id) ? CONCERNS_LEAKS : 0) |
		               (windows_are_concerned(id) ? CONCERNS_WINDOWS : 0) |
		               (active_buffers_are_concerned(id) ? CONCERNS_ACTIVE_BUFFERS : 0);
	objects_start();
}

void lifetimes_before(struct agent_call *call)
{
	const uint8_t concern = concerns[call->id];

	if (!concern)
		return;
	/* While the file or window is still there. */
	if (concern & CONCERNS_FILES && !call->nested)
		files_before(call);
	if (concern & CONCERNS_WINDOWS)
		windows_before(call);
	if (concern & CONCERNS_OBJECTS)
		objects_before(call);
	if (concern & CONCERNS_BUFFER)
		attached_buffer_before(call);
	if (concern & CONCERNS_REQUESTS)
		requests_before(call);
	if (concern & CONCERNS_LEAKS)
		leaks_before(call);
}

void lifetimes_after(struct agent_call *call, int rc)
{
	const uint8_t concern = concerns[call->id];

	if (!concern)
		return;
	if (concern & CONCERNS_OBJECTS)
		objects_after(call, rc);
	if (concern & CONCERNS_REQUESTS)
		requests_after(call, rc);
	if (concern & CONCERNS_FILES && !call->nested)
		files_after(call, rc);
	if (concern & CONCERNS_WINDOWS)
		windows_after(call, rc);
	if (concern & CONCERNS_BUFFER)
		attached_buffer_after(call, rc);
	if (concern & CONCERNS_ACTIVE_BUFFERS)
		active_buffers_after(call, rc);
	if (concern & CONCERNS_LEAKS)
		leaks_after(call, rc);
}

bool lifetimes_follow(enum call_id id, const struct agent_call *outer)
{
	return outer && all_calls[outer->id].deletes_attributes && object_effects(id) & EFFECT_ENDS;
}

void lifetimes_end(bool in_finalize)
{
	leaks_at_end(in_finalize);
}
