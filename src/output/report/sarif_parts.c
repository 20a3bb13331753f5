#include "output/report/sarif_parts.h"

#include "output/report/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "SRCROOT"

enum { STEPS_MOST = 64 };

/* Braces and brackets stand for other things in messages. */
void sarif_message(struct json *json, const char *key, const char *text)
{
	struct text escaped = {0};

	for (; *text; text++) {
		if (strchr("{}", *text))
			text_add(&escaped, "%c", *text);
		else if (strchr("[]\\", *text))
			text_add(&escaped, "\\");
		text_add_bytes(&escaped, text, 1);
	}
	json_open(json, key, '{');
	json_text(json, "text", text_get(&escaped));
	json_close(json, '}');
	text_release(&escaped);
}

/* Places */

static void add_encoded(struct text *out, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

	while (*path) {
		size_t length = strspn(path, plain);
		text_add_bytes(out, path, length);
		path += length;
		if (*path)
			text_add(out, "%%%02X", (unsigned char)*path++);
	}
}

static void add_artifact(struct json *json, const struct report *report, const char *file)
{
	const char *below = path_below(report->root, file);
	struct text uri = {0};

	if (*below == '/')
		text_add(&uri, "file://");
	add_encoded(&uri, below);
	json_open(json, "artifactLocation", '{');
	json_text(json, "uri", text_get(&uri));
	if (*below != '/')
		json_text(json, "uriBaseId", ROOT);
	json_close(json, '}');
	text_release(&uri);
}

static void add_physical(struct json *json, const struct report *report, const struct location *where)
{
	json_open(json, "physicalLocation", '{');
	add_artifact(json, report, where->file);
	if (where->line > 0) {
		json_open(json, "region", '{');
		json_number(json, "startLine", where->line);
		json_close(json, '}');
	}
	json_close(json, '}');
}

/* Also where there is no file: then it is all there is. */
static void add_logical(struct json *json, const struct spot *spot)
{
	const char *function = function_of(&spot->where);

	json_open(json, "logicalLocations", '[');
	json_open(json, NULL, '{');
	json_text(json, "name", function ? function : *spot->text ? spot->text : spot->call);
	json_text(json, "kind", "function");
	json_close(json, '}');
	json_close(json, ']');
}

void sarif_location(struct json *json, const char *key, const struct report *report, const struct spot *spot,
                    int64_t id, const char *message)
{
	json_open(json, key, '{');
	if (id)
		json_number(json, "id", id);
	if (spot->where.file)
		add_physical(json, report, &spot->where);
	add_logical(json, spot);
	sarif_message(json, "message", message);
	json_close(json, '}');
}

void sarif_root(struct json *json, const struct report *report)
{
	struct text uri = {0};

	if (!report->root)
		return;
	text_add(&uri, "file://");
	add_encoded(&uri, report->root);
	if (!text_ends(report->root, "/"))
		text_add(&uri, "/");
	json_open(json, "originalUriBaseIds", '{');
	json_open(json, ROOT, '{');
	json_text(json, "uri", text_get(&uri));
	json_close(json, '}');
	json_close(json, '}');
	text_release(&uri);
}

/* Steps */

struct flow_step {
	const struct action *action;
	int64_t order; /* among all, by time, from 1 */
};

static int by_start(const void *left, const void *right)
{
	const struct action *a = ((const struct flow_step *)left)->action,
			    *b = ((const struct flow_step *)right)->action;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

static bool is_same_thread(const struct action *a, const struct action *b)
{
	return a->process == b->process && a->thread == b->thread;
}

static void add_step(struct json *json, struct report *report, const struct flow_step *step)
{
	struct spot spot = spot_of(report, step->action);

	json_open(json, NULL, '{');
	sarif_location(json, "location", report, &spot, 0, spot.call);
	json_number(json, "executionOrder", step->order);
	json_open(json, "properties", '{');
	json_seconds(json, "start_s", step->action->start);
	json_seconds(json, "end_s", step->action->end);
	json_close(json, '}');
	json_close(json, '}');
}

static void add_thread(struct json *json, struct report *report, const struct flow_step *steps, size_t count,
                       size_t first)
{
	const struct action *own = steps[first].action;
	const struct process *process = &report->analysis->reader->processes[own->process];
	struct text id = {0};

	text_add(&id, "%s ", is_upc_thread(process) ? "thread" : "rank");
	text_add(&id, process->rank == PROCESS_UNKNOWN ? "?" : "%" PRIu32, process->rank);
	if (own->thread)
		text_add(&id, ", thread %" PRIu32, own->thread);
	json_open(json, NULL, '{');
	json_text(json, "id", text_get(&id));
	json_open(json, "locations", '[');
	for (size_t i = first; i < count; i++)
		if (is_same_thread(steps[i].action, own))
			add_step(json, report, &steps[i]);
	json_close(json, ']');
	json_close(json, '}');
	text_release(&id);
}

static bool is_first_of_thread(const struct flow_step *steps, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (is_same_thread(steps[i].action, steps[number].action))
			return false;
	return true;
}

void sarif_flow(struct json *json, struct report *report, const struct finding *worst)
{
	struct flow_step steps[STEPS_MOST];
	size_t count = 0;

	for (; count < worst->action_count && count < STEPS_MOST; count++)
		steps[count].action = &worst->actions[count];
	if (!count)
		return;
	qsort(steps, count, sizeof *steps, by_start);
	for (size_t i = 0; i < count; i++)
		steps[i].order = (int64_t)i + 1;
	json_open(json, "codeFlows", '[');
	json_open(json, NULL, '{');
	json_open(json, "threadFlows", '[');
	for (size_t i = 0; i < count; i++)
		if (is_first_of_thread(steps, i))
			add_thread(json, report, steps, count, i);
	json_close(json, ']');
	json_close(json, '}');
	json_close(json, ']');
}
