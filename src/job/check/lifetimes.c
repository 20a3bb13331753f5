#include "job/check/lifetimes.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/attached_buffer.h"
#include "job/check/objects/files.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/repeated_calls.h"
#include "job/check/objects/request_table.h"
#include "job/check/requests/request_states.h"
#include "job/check/windows/windows.h"
#include "job/mpi/flavour.h"

/* Objects that the program has not freed when MPI ends: one finding, with a count, for each place that created them. */

static struct {
	bool attributes; /* there are attributes on MPI_COMM_SELF or MPI_COMM_WORLD: their delete functions run in MPI_Finalize */
	bool sessions; /* there was at least one session */
	bool finalized;
	bool reported;
} state;

static bool leaks_are_concerned(enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	return id == CALL_Finalize || id == CALL_Session_init ||
	       (info->deletes_attributes && call_has(info, KIND_comm) && call_has(info, KIND_attribute));
}

/* Objects of one kind and place. */
struct leaked_objects {
	enum object_kind kind;
	enum call_id by;
	uint32_t at;
	uint32_t count;
};

enum { LEAKED_GROUPS = 1024 };

#define KIND_BIT(kind) (1u << (kind))

static void add_leak(struct leaked_objects *groups, uint32_t *count, enum object_kind kind,
                     const struct object_reference *reference)
{
	uint32_t i = 0;

	while (i < *count && !(groups[i].kind == kind && groups[i].by == reference->created_by &&
	                       groups[i].at == reference->created_at))
		i++;
	if (i == LEAKED_GROUPS)
		return;
	if (i == *count)
		groups[(*count)++] = (struct leaked_objects){kind, reference->created_by,
		                                             reference->created_at, 0};
	groups[i].count++;
}

static void report_leak(const struct leaked_objects *leaked)
{
	static const enum check checks[OBJECT_KINDS] = {
		[OBJECT_COMM] = CHECK_LEAK_COMMUNICATOR, [OBJECT_TYPE] = CHECK_LEAK_DATATYPE,
		[OBJECT_GROUP] = CHECK_LEAK_GROUP,       [OBJECT_WIN] = CHECK_LEAK_WINDOW,
		[OBJECT_OP] = CHECK_LEAK_OPERATION,      [OBJECT_INFO] = CHECK_LEAK_INFO,
		[OBJECT_FILE] = CHECK_LEAK_FILE,         [OBJECT_ERRHANDLER] = CHECK_LEAK_ERRHANDLER,
		[OBJECT_KEYVAL] = CHECK_LEAK_KEYVAL,     [OBJECT_SESSION] = CHECK_LEAK_SESSION,
		[OBJECT_MESSAGE] = CHECK_LEAK_MESSAGE};
	struct finding_draft draft = finding_draft(checks[leaked->kind], NULL);

	finding_draft_value(&draft, "count", "%u", leaked->count);
	finding_draft_call(&draft, leaked->by, leaked->at, NOTE_CREATED);
	finding_report(&draft);
}

static void report_objects(uint32_t kinds)
{
	static struct leaked_objects groups[LEAKED_GROUPS];
	struct checked_object *object;
	uint32_t position = 0, count = 0;

	while (object_next(&position, &object)) {
		if (object->unowned || !(kinds & KIND_BIT(object->kind)))
			continue;
		for (const struct object_reference *reference = &object->reference; reference;
		     reference = reference->next)
			add_leak(groups, &count, object->kind, reference);
	}
	for (uint32_t i = 0; i < count; i++)
		report_leak(&groups[i]);
}

static void report_all_objects(void)
{
	if (!state.reported)
		report_objects(~KIND_BIT(OBJECT_MESSAGE));
	state.reported = true;
}

static void leaks_before(const struct agent_call *call)
{
	if (call->id != CALL_Finalize || call->nested)
		return;
	requests_report_left();
	attached_buffer_report_left();
	report_objects(KIND_BIT(OBJECT_MESSAGE));
	if (!state.attributes && !object_count(OBJECT_SESSION))
		report_all_objects();
}

static void leaks_after(const struct agent_call *call, int rc)
{
	if (rc != MPI_SUCCESS)
		return;
	if (call->id == CALL_Session_init) {
		state.sessions = true;
	} else if (call->id == CALL_Finalize) {
		state.finalized = true;
		if (!object_count(OBJECT_SESSION))
			report_all_objects();
	} else {
		const uint64_t comm = (uint64_t)call_argument(call, KIND_comm);

		state.attributes |= comm == HANDLE(MPI_COMM_SELF) || comm == HANDLE(MPI_COMM_WORLD);
	}
}

/* A program that uses only sessions ends here. If the required MPI_Finalize is missing, there is another finding for that. MPI_Finalize may end
 * the process because a session is left. */
void lifetimes_end(bool in_finalize)
{
	if (in_finalize) {
		report_objects(KIND_BIT(OBJECT_SESSION));
		return;
	}
	if (!state.sessions || state.reported)
		return;
	if (!state.finalized) {
		requests_report_left();
		attached_buffer_report_left();
		report_objects(KIND_BIT(OBJECT_MESSAGE));
	}
	report_all_objects();
}

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
	repeated_calls_start();
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
	/* First, while the file or window still exists. */
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
