#include "job/check/objects/files.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"
#include "job/check/objects/type_signatures.h"

#include <stdio.h>
#include <string.h>

bool files_are_concerned(enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	return info->pointer || info->resizes || id == CALL_File_open || id == CALL_File_close ||
	       id == CALL_File_set_view;
}

/* "MPI_MODE_RDONLY | MPI_MODE_CREATE" */
static void name_modes(int mode, char *text, size_t bytes)
{
	static const struct {
		int mode;
		const char *name;
	} modes[] = {
		{MPI_MODE_RDONLY, "MPI_MODE_RDONLY"}, {MPI_MODE_WRONLY, "MPI_MODE_WRONLY"},
		{MPI_MODE_RDWR, "MPI_MODE_RDWR"},     {MPI_MODE_CREATE, "MPI_MODE_CREATE"},
		{MPI_MODE_EXCL, "MPI_MODE_EXCL"},     {MPI_MODE_SEQUENTIAL, "MPI_MODE_SEQUENTIAL"},
	};
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof modes / sizeof *modes && used < bytes; i++)
		if (mode & modes[i].mode)
			used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? " | " : "",
			                         modes[i].name);
}

static void report_mode(struct agent_call *call, const struct checked_object *file, int mode)
{
	char text[160];

	call->problems++;
	name_modes(mode, text, sizeof text);
	struct finding_draft draft = finding_draft(CHECK_FILE_ACCESS_MODE, call);
	finding_draft_value(&draft, "mode", "%s", text[0] ? text : "0");
	if (file)
		object_draft_created(&draft, file);
	finding_report(&draft);
}

static void check_open(struct agent_call *call)
{
	const int mode = (int)call_argument(call, KIND_number);
	const int access = mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);

	if (access != MPI_MODE_RDONLY && access != MPI_MODE_WRONLY && access != MPI_MODE_RDWR)
		report_mode(call, NULL, mode);
	else if (access == MPI_MODE_RDONLY && mode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
		report_mode(call, NULL, access | (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)));
	else if (access == MPI_MODE_RDWR && mode & MPI_MODE_SEQUENTIAL)
		report_mode(call, NULL, access | MPI_MODE_SEQUENTIAL);
}

static void check_mode(struct agent_call *call, const struct checked_object *file)
{
	const struct call_info *info = &all_calls[call->id];
	const int mode = file->file.mode;

	if (!mode || info->split == SPLIT_ENDS)
		return;
	if (mode & MPI_MODE_RDONLY && (info->moves == MOVES_WRITE || info->resizes))
		report_mode(call, file, MPI_MODE_RDONLY);
	else if (mode & MPI_MODE_WRONLY && info->moves == MOVES_READ)
		report_mode(call, file, MPI_MODE_WRONLY);
	else if (mode & MPI_MODE_SEQUENTIAL && (info->pointer || info->resizes) &&
	         !(info->pointer == POINTER_SHARED && info->class == CLASS_FILE_DATA))
		report_mode(call, file, MPI_MODE_SEQUENTIAL);
}

static void report_split(struct agent_call *call, const struct checked_object *file)
{
	struct finding_draft draft = problem_draft(CHECK_FILE_SPLIT_COLLECTIVE, call);

	if (file->file.split)
		finding_draft_call(&draft, file->file.split_by, file->file.split_at, NOTE_EARLIER);
	object_draft_created(&draft, file);
	finding_report(&draft);
}

static const void *buffer_of(const struct agent_call *call)
{
	const int at = call_parameter_or(call->id, KIND_sbuf, KIND_rbuf);

	return (const void *)(uintptr_t)call->arguments[at];
}

/* True if the calls are the two halves of one access. */
static bool belongs_to(enum call_id end, enum call_id begin)
{
	return all_calls[end].pointer == all_calls[begin].pointer &&
	       call_has(&all_calls[end], KIND_sbuf) == call_has(&all_calls[begin], KIND_sbuf);
}

static void check_split(struct agent_call *call, const struct checked_object *file)
{
	const struct call_info *info = &all_calls[call->id];
	const struct file_state *state = &file->file;

	if (info->split == SPLIT_ENDS) {
		/* Fortran compilers may pass a new copy of the buffer each time. */
		if (!state->split || !belongs_to(call->id, state->split_by) ||
		    (!call->fortran && state->split_buffer != buffer_of(call)))
			report_split(call, file);
	} else if (state->split && ((info->class == CLASS_FILE_DATA && info->collective) ||
	                            call->id == CALL_File_close || call->id == CALL_File_set_view)) {
		report_split(call, file);
	}
}

static const char *type_text(const struct checked_object *type)
{
	return type->name ? type->name : all_calls[type->reference.created_by].name;
}

static void report_type(struct agent_call *call, const struct checked_object *file,
                        const struct checked_object *type, const char *element_name,
                        const struct signature_comparison *differs)
{
	struct finding_draft draft = problem_draft(
		differs ? CHECK_FILE_ELEMENT_MISMATCH : CHECK_FILE_TYPE_MISMATCH, call);

	finding_draft_value(&draft, "etype", "%s", element_name);
	finding_draft_value(&draft, "datatype", "%s", type_text(type));
	if (differs) {
		finding_draft_value(&draft, "element", "%llu", (unsigned long long)differs->at);
		finding_draft_value(&draft, "sent", "%s", basic_type_name(differs->sent));
		finding_draft_value(&draft, "received", "%s", basic_type_name(differs->received));
	}
	object_draft_created(&draft, file);
	finding_report(&draft);
}

/* An access transfers whole elements of the view, with the same basic types. */
static void check_type(struct agent_call *call, const struct checked_object *file,
                       struct checked_object *type, const struct file_elements *elements)
{
	const struct type_limits *limits = type && !call->problems ? type_limits_get(type) : NULL;
	struct signature_comparison compared;

	if (!limits || elements->bytes <= 1)
		return;
	if (limits->bytes % elements->bytes) {
		report_type(call, file, type, elements->name, NULL);
		return;
	}
	compared = type_content_compare(type->handle, elements->type);
	if (compared.verdict == SIGNATURE_DIFFERS)
		report_type(call, file, type, elements->name, &compared);
}

static struct checked_object *type_at(const struct agent_call *call, int parameter)
{
	return object_find(OBJECT_TYPE, (uint64_t)call->arguments[parameter]);
}

static void check_view(struct agent_call *call, const struct checked_object *file)
{
	const int etype = call_parameter(call->id, KIND_type);
	const bool current = call_argument(call, KIND_position) == (int64_t)MPI_DISPLACEMENT_CURRENT;
	struct checked_object *element = type_at(call, etype);
	const struct type_limits *limits = element && !call->problems ? type_limits_get(element) : NULL;

	if (file->file.mode && current != !!(file->file.mode & MPI_MODE_SEQUENTIAL))
		report_mode(call, file, file->file.mode);
	if (limits)
		check_type(call, file, type_at(call, etype + 1),
		           &(struct file_elements){limits->bytes, type_text(element), NULL});
}

static void forget_elements(struct checked_object *file)
{
	type_content_drop(file->file.elements.type);
	file->file.elements = (struct file_elements){0};
}

static void check_close(struct agent_call *call, struct checked_object *file)
{
	struct checked_request *request, *left = NULL;
	uint32_t position = 0, count = 0;

	while (request_next(&position, &request))
		if (request->flags & REQUEST_OF_FILE && request->object == file->handle) {
			left = request;
			count++;
		}
	forget_elements(file);
	if (!left)
		return;
	struct finding_draft draft = finding_draft(CHECK_FILE_CLOSED_ACTIVE, call);
	finding_draft_value(&draft, "count", "%u", count);
	finding_draft_call(&draft, left->created_by, left->created_at, NOTE_EARLIER);
	finding_report(&draft);
}

static struct checked_object *file_of(const struct agent_call *call)
{
	const int used = call_parameter(call->id, KIND_file), closed = call_parameter(call->id, KIND_oldfile),
		  opened = call_parameter(call->id, KIND_newfile), at = closed < 0 ? opened : closed;
	struct checked_object *file = NULL;

	if (used >= 0)
		file = object_find(OBJECT_FILE, (uint64_t)call->arguments[used]);
	else if (at >= 0 && call->arguments[at])
		file = object_find(OBJECT_FILE,
		                   handle_at(OBJECT_FILE, (const void *)(uintptr_t)call->arguments[at], 0,
		                             call->fortran));
	return file && file->state == OBJECT_LIVE ? file : NULL;
}

void files_before(struct agent_call *call)
{
	struct checked_object *file;

	if (call->id == CALL_File_open) {
		check_open(call);
		return;
	}
	if (!(file = file_of(call)))
		return;
	check_mode(call, file);
	check_split(call, file);
	if (call->id == CALL_File_set_view)
		check_view(call, file);
	else if (call->id == CALL_File_close)
		check_close(call, file);
	else if (all_calls[call->id].moves)
		check_type(call, file, type_at(call, call_parameter(call->id, KIND_type)),
		           &file->file.elements);
}

void files_after(struct agent_call *call, int rc)
{
	struct checked_object *file = rc == MPI_SUCCESS ? file_of(call) : NULL;

	if (!file)
		return;
	if (call->id == CALL_File_open) {
		file->file.mode = (int)call_argument(call, KIND_number);
	} else if (call->id == CALL_File_set_view) {
		struct checked_object *element = type_at(call, call_parameter(call->id, KIND_type));
		const struct type_limits *limits = element ? type_limits_get(element) : NULL;

		forget_elements(file);
		if (limits)
			file->file.elements = (struct file_elements){limits->bytes, type_text(element),
			                                             type_content_keep(element->handle)};
	} else if (all_calls[call->id].split == SPLIT_BEGINS) {
		file->file.split = true;
		file->file.split_by = call->id;
		file->file.split_at = agent_place(call);
		file->file.split_buffer = buffer_of(call);
	} else if (all_calls[call->id].split == SPLIT_ENDS) {
		file->file.split = false;
	}
}
