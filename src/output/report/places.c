#include "output/report/parts.h"

#include <string.h>

bool path_next(struct report *report, const struct action *action, struct path_step *step)
{
	const struct process *process = &report->analysis->reader->processes[action->process];

	step->path = step->has_begun ? step->path->caller : call_path(process, action->call);
	step->has_begun = true;
	if (!step->path)
		return false;
	step->where = symbols_find(report->source, find_module(process, step->path->module),
	                           step->path->offset);
	return true;
}

/* Outermost first, while the trace has them from inside. */
void path_describe(struct report *report, const struct action *action, struct text *out)
{
	struct path_step step = {0};
	struct text whole = {0}, one = {0};

	while (path_next(report, action, &step)) {
		describe_place(&step.where, &one);
		if (whole.length)
			text_add(&one, " > %s", text_get(&whole));
		text_clear(&whole);
		text_add(&whole, "%s", text_get(&one));
		text_clear(&one);
	}
	text_add(out, "%s", text_get(&whole));
	text_release(&whole);
	text_release(&one);
}

const char *path_below(const char *folder, const char *file)
{
	size_t length = folder ? strlen(folder) : 0;

	while (length && folder[length - 1] == '/')
		length--;
	if (length && strncmp(file, folder, length) == 0 && file[length] == '/')
		file += length + 1;
	while (text_begins(file, "./"))
		file += 2;
	return file;
}

void json_rank(struct json *json, const char *key, const struct process *process)
{
	if (process->rank == PROCESS_UNKNOWN)
		json_null(json, key);
	else
		json_number(json, key, process->rank);
}
