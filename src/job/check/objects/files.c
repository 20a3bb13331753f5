#include "job/check/objects/files.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"
#include "job/check/objects/type_signatures.h"

#include <stdio.h>
#include <string.h>

/* What a function does to a file, by its name. */
enum file_trait {
	FILE_READS = 1,
	FILE_WRITES = 2,
	FILE_SHARED = 4, /* moves the pointer that all processes share: the only way into a sequential file */
	FILE_COLLECTIVE = 8, /* an access that all processes make together */
	FILE_BEGINS = 16,
	FILE_ENDS = 32,
	FILE_NOT_SEQUENTIAL = 64, /* asks for a position, or changes the size */
	FILE_CHANGES_SIZE = 128,
};

static uint16_t traits[MPI_CALLS];
static enum call_id begin_of[MPI_CALLS]; /* of an _end function */

static bool has(const char *name, const char *part)
{
	return strstr(name, part) != NULL;
}

static uint16_t traits_of(const char *name)
{
	const bool shared = has(name, "_shared") || has(name, "_ordered"),
		   resizes = has(name, "_set_size") || has(name, "_preallocate");
	const bool reads = has(name, "_read") || has(name, "_iread"),
		   writes = has(name, "_write") || has(name, "_iwrite");
	const bool positions = has(name, "_seek") || has(name, "_get_position") ||
	                       has(name, "_get_byte_offset");

	return (uint16_t)((reads ? FILE_READS : 0) | (writes ? FILE_WRITES : 0) | (shared ? FILE_SHARED : 0) |
	                  (has(name, "_all") || has(name, "_ordered") ? FILE_COLLECTIVE : 0) |
	                  (has(name, "_begin") ? FILE_BEGINS : 0) | (has(name, "_end") ? FILE_ENDS : 0) |
	                  (resizes ? FILE_CHANGES_SIZE : 0) |
	                  (positions || resizes || ((reads || writes) && !shared) ? FILE_NOT_SEQUENTIAL : 0));
}

static enum call_id find_begin(const char *end_name)
{
	char name[64];
	const struct call_info *begin;

	snprintf(name, sizeof name, "%.*s_begin", (int)(strlen(end_name) - strlen("_end")), end_name);
	begin = call_find(name);
	return begin ? (enum call_id)(begin - all_calls) : MPI_CALLS;
}

void files_start(void)
{
	for (enum call_id id = 0; id < MPI_CALLS; id++) {
		if (all_calls[id].class != CLASS_FILE_DATA && all_calls[id].class != CLASS_FILE)
			continue;
		traits[id] = traits_of(all_calls[id].name);
		if (traits[id] & FILE_ENDS)
			begin_of[id] = find_begin(all_calls[id].name);
	}
}

bool files_are_concerned(enum call_id id)
{
	return traits[id] || id == CALL_File_open || id == CALL_File_close || id == CALL_File_set_view;
}

/* "MPI_MODE_RDONLY | MPI_MODE_CREATE": those of this set that the mode has. */
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
	struct finding_draft draft;
	char text[160];

	call->problems++;
	name_modes(mode, text, sizeof text);
	finding_draft(&draft, CHECK_FILE_ACCESS_MODE, call);
	finding_draft_value(&draft, "mode", "%s", text[0] ? text : "0");
	if (file)
		finding_draft_call(&draft, file->reference.created_by, file->reference.created_at,
		                   NOTE_CREATED);
	finding_report(&draft);
}

static void check_open(struct agent_call *call)
{
	const int mode = (int)agent_argument(call, KIND_number);
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
	const uint16_t trait = traits[call->id];
	const int mode = file->file.mode;

	if (!mode || trait & FILE_ENDS)
		return;
	if (mode & MPI_MODE_RDONLY && trait & (FILE_WRITES | FILE_CHANGES_SIZE))
		report_mode(call, file, MPI_MODE_RDONLY);
	else if (mode & MPI_MODE_WRONLY && trait & FILE_READS)
		report_mode(call, file, MPI_MODE_WRONLY);
	else if (mode & MPI_MODE_SEQUENTIAL &&
	         (trait & FILE_NOT_SEQUENTIAL ||
	          (trait & FILE_SHARED && !(trait & (FILE_READS | FILE_WRITES)))))
		report_mode(call, file, MPI_MODE_SEQUENTIAL);
}

static void report_split(struct agent_call *call, const struct checked_object *file)
{
	struct finding_draft draft;

	call->problems++;
	finding_draft(&draft, CHECK_FILE_SPLIT_COLLECTIVE, call);
	if (file->file.split)
		finding_draft_call(&draft, file->file.split_by, file->file.split_at, NOTE_EARLIER);
	finding_draft_call(&draft, file->reference.created_by, file->reference.created_at, NOTE_CREATED);
	finding_report(&draft);
}

/* The same access, whether with large counts or not. */
static bool belongs_to(enum call_id end, enum call_id begin)
{
	const char *name = all_calls[begin_of[end]].name;

	return strncmp(all_calls[begin].name, name, strlen(name)) == 0;
}

static void check_split(struct agent_call *call, const struct checked_object *file)
{
	const uint16_t trait = traits[call->id];
	const struct file_state *state = &file->file;

	if (trait & FILE_ENDS) {
		/* A buffer of Fortran may be a copy, another one each time. */
		const int sent = call_parameter(call->id, KIND_sbuf),
			  buffer = sent < 0 ? call_parameter(call->id, KIND_rbuf) : sent;
		if (!state->split || !belongs_to(call->id, state->split_by) ||
		    (!call->fortran &&
		     state->split_buffer != (const void *)(uintptr_t)call->arguments[buffer]))
			report_split(call, file);
	} else if (state->split && (trait & FILE_COLLECTIVE || call->id == CALL_File_close ||
	                            call->id == CALL_File_set_view)) {
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
	struct finding_draft draft;

	call->problems++;
	finding_draft(&draft, differs ? CHECK_FILE_ELEMENT_MISMATCH : CHECK_FILE_TYPE_MISMATCH, call);
	finding_draft_value(&draft, "etype", "%s", element_name);
	finding_draft_value(&draft, "datatype", "%s", type_text(type));
	if (differs) {
		finding_draft_value(&draft, "element", "%llu", (unsigned long long)differs->at);
		finding_draft_value(&draft, "sent", "%s", basic_type_name(differs->sent));
		finding_draft_value(&draft, "received", "%s", basic_type_name(differs->received));
	}
	finding_draft_call(&draft, file->reference.created_by, file->reference.created_at, NOTE_CREATED);
	finding_report(&draft);
}

/* An access moves whole elements of the view, of its basic types. */
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
	const bool current = agent_argument(call, KIND_position) == (int64_t)MPI_DISPLACEMENT_CURRENT;
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
	struct finding_draft draft;

	while (request_next(&position, &request))
		if (request->flags & REQUEST_OF_FILE && request->object == file->handle) {
			left = request;
			count++;
		}
	forget_elements(file);
	if (!left)
		return;
	finding_draft(&draft, CHECK_FILE_CLOSED_ACTIVE, call);
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
	else if (call_parameter(call->id, KIND_type) >= 0 && traits[call->id] & (FILE_READS | FILE_WRITES))
		check_type(call, file, type_at(call, call_parameter(call->id, KIND_type)),
		           &file->file.elements);
}

static void after_view(const struct agent_call *call, struct checked_object *file)
{
	struct checked_object *element = type_at(call, call_parameter(call->id, KIND_type));
	const struct type_limits *limits = element ? type_limits_get(element) : NULL;

	forget_elements(file);
	if (limits)
		file->file.elements = (struct file_elements){limits->bytes, type_text(element),
		                                             type_content_keep(element->handle)};
}

void files_after(struct agent_call *call, int rc)
{
	struct checked_object *file = rc == MPI_SUCCESS ? file_of(call) : NULL;

	if (!file)
		return;
	if (call->id == CALL_File_open) {
		file->file.mode = (int)agent_argument(call, KIND_number);
	} else if (call->id == CALL_File_set_view) {
		after_view(call, file);
	} else if (traits[call->id] & FILE_BEGINS) {
		const int sent = call_parameter(call->id, KIND_sbuf),
			  buffer = sent < 0 ? call_parameter(call->id, KIND_rbuf) : sent;
		file->file.split = true;
		file->file.split_by = call->id;
		file->file.split_at = agent_place(call);
		file->file.split_buffer = (const void *)(uintptr_t)call->arguments[buffer];
	} else if (traits[call->id] & FILE_ENDS) {
		file->file.split = false;
	}
}
