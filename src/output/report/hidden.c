#include "output/report/hidden.h"

#include "analysis/model/processes.h"
#include "calls/calls.h"

#include <string.h>

/* Generalized requests hold nothing. */
static bool begins_request(const struct call_info *info)
{
	return info->class != CLASS_REQUEST && call_has(info, KIND_newrequest);
}

static void exclude(const struct process *process, bool recorded[SELECTABLE])
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0)
			select_apply(process->properties[i].value, recorded);
	for (size_t i = 0; i < ALWAYS_SELECTED; i++)
		recorded[always_selected[i]] = true;
}

static void note_called(struct recorded_functions *functions, const struct process *process)
{
	functions->has_upc |= is_upc_thread(process);
	for (uint32_t i = 0; i < process->calls.count; i++) {
		const struct call_info *info = call_find(process->calls.items[i]->outline->name);
		if (!info)
			continue;
		functions->has_mpi |= !call_is_upc(info);
		functions->called[info - all_calls] |= begins_request(info);
	}
}

const struct recorded_functions *recorded_functions_of(const struct reader *reader, struct arena *arena)
{
	struct recorded_functions *functions = arena_new(arena, struct recorded_functions);

	memset(functions->recorded, true, sizeof functions->recorded);
	for (size_t i = 0; i < reader->process_count; i++)
		exclude(&reader->processes[i], functions->recorded);
	if (!memchr(functions->recorded, false, sizeof functions->recorded))
		return NULL;
	for (size_t i = 0; i < reader->process_count; i++)
		note_called(functions, &reader->processes[i]);
	return functions;
}

/* Whether requests that hold findings were begun, or may have been; also if it is not about their beginning. */
static bool may_have_requests(const struct recorded_functions *functions, const bool *holding)
{
	bool any = false;

	for (size_t i = 0; i < ALL_CALLS; i++) {
		if (!holding[i] || !begins_request(&all_calls[i]))
			continue;
		if (!functions->recorded[i] || functions->called[i])
			return true;
		any = true;
	}
	return !any;
}

bool may_be_hidden(const struct recorded_functions *functions, const struct rulebook *book,
                   const struct problem *problem)
{
	bool holding[SELECTABLE] = {false}, has_requests;

	problem_functions(book, problem, holding);
	has_requests = may_have_requests(functions, holding);
	for (size_t i = 0; i < ALL_CALLS; i++) {
		const struct call_info *info = &all_calls[i];
		if (holding[i] && !functions->recorded[i] &&
		    (call_is_upc(info) ? functions->has_upc : functions->has_mpi) &&
		    (has_requests || info->class != CLASS_REQUEST))
			return true;
	}
	return holding[SELECT_MARKS] && !functions->recorded[SELECT_MARKS];
}
