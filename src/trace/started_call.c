/* MPI_Start begins a persistent request, but the arguments are those of the call that prepared it. A started call has the function, site
 * and path of MPI_Start and all other fields of the preparing call. No event has it. */
#include "base/memory.h"
#include "trace/process.h"

#include <stdlib.h>
#include <string.h>

static void add_fields(struct outline *outline, const struct call *prepared, const struct call *start)
{
	int64_t path;

	for (uint32_t i = 0; i < field_count(prepared); i++)
		if (field_key_at(prepared, i) != FIELD_PATH)
			outline->fields[outline->field_count++] = (struct outline_field){
				.key = field_key_at(prepared, i), .value = field_value_at(prepared, i)};
	if (call_field(start, FIELD_PATH, &path))
		outline->fields[outline->field_count++] = (struct outline_field){.key = FIELD_PATH,
		                                                                 .value = path};
}

const struct call *call_started(struct process *process, const struct call *prepared,
                                const struct call *start)
{
	struct outline *outline = memory_new(1, sizeof *outline + (field_count(prepared) + 1u) *
	                                                                  sizeof *outline->fields);
	struct call *call = memory_new(1, sizeof *call + sizeof *call->own);
	const struct call *made;

	outline->name = start->outline->name;
	outline->offset = start->outline->offset;
	outline->module = start->outline->module;
	outline->has_site = start->outline->has_site;
	add_fields(outline, prepared, start);
	call->own[0] = (int32_t)prepared->id;
	made = process_intern_call(process, outline, NO_SITE, call, 1);
	free(outline);
	free(call);
	return made;
}

const struct call *call_prepared(const struct process *process, const struct call *call)
{
	int64_t persistent;

	if (strncmp(call->outline->name, "MPI_Start", strlen("MPI_Start")) != 0 ||
	    !call_field(call, FIELD_PERSISTENT, &persistent) ||
	    call->size < sizeof call->outline + sizeof *call->own || call->own[0] < 0 ||
	    (uint32_t)call->own[0] >= process->calls.count)
		return NULL;
	return process->calls.items[call->own[0]];
}
