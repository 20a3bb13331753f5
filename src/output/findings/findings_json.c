/* Findings as JSON: docs/checks.md describes the fields. */
#include "base/json.h"
#include "calls/calls.h"
#include "output/findings/findings.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"
#include "page/page.h"

#include <string.h>

/* Of findings that many ranks share, so many are written with all of their calls, and one per call path. */
enum { FORMAT_VERSION = 1, INSTANCES_MAX = 64 };

static void json_rank_or_null(struct json *json, const char *key, uint32_t rank)
{
	if (rank == UINT32_MAX)
		json_null(json, key);
	else
		json_number(json, key, rank);
}

static void add_place(struct json *json, const struct stack_frame *frame)
{
	static const struct json_field fields[] = {
		JSON_FIELD(stack_frame, "file", TEXT, file, "as the compiler named it"),
		JSON_FIELD(stack_frame, "line", LINE, line, "line of the call"),
		{0},
	};
	static const struct stack_frame unknown;

	json_fields(json, fields, frame ? frame : &unknown);
}

static void add_call(struct json *json, const struct findings *findings, const struct shown_finding *finding,
                     const struct check_call *call)
{
	static const struct stack_frames none;
	const struct shown_call *shown = shown_call_find(finding, call);
	const struct stack_frames *stack = shown ? &shown->stack : &none;

	json_open(json, NULL, '{');
	json_text(json, "function", findings_function(call));
	add_place(json, stack->count ? &stack->items[0] : NULL);
	json_rank_or_null(json, "rank", call->rank);
	json_number(json, "world", findings_world(findings, call->world));
	json_text(json, "role", *call->note ? call->note : "here");
	json_text(json, "arguments", call->arguments);
	json_open(json, "stack", '[');
	for (size_t i = 0; i < stack->count; i++) {
		const struct stack_frame *frame = &stack->items[i];
		json_open(json, NULL, '{');
		json_text(json, "function", frame->function);
		add_place(json, frame);
		json_text(json, "module", frame->module);
		json_number(json, "offset", (int64_t)frame->offset);
		json_close(json, '}');
	}
	json_close_all(json, "]}");
}

static size_t instances_written(const struct shown_finding *finding)
{
	const size_t most = finding->path_count > INSTANCES_MAX ? finding->path_count : INSTANCES_MAX;

	return finding->instance_count < most ? finding->instance_count : most;
}

static void add_ranks(struct json *json, const char *key, const struct finding_ranks *ranks)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < ranks->count; i++)
		json_rank_or_null(json, NULL, ranks->items[i].rank);
	json_close(json, ']');
}

static void add_nodes(struct json *json, const char *key, const struct picture_node *nodes, size_t count)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < count; i++) {
		const struct picture_node *node = &nodes[i];
		const struct stack_frames *stack = node->shown ? &node->shown->stack : NULL;

		json_open(json, NULL, '{');
		add_ranks(json, "ranks", &node->ranks);
		json_text(json, "function", all_calls[node->call->function].name);
		add_place(json, stack && stack->count ? &stack->items[0] : NULL);
		json_text(json, "role", *node->call->note ? node->call->note : "here");
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* For a deadlock the processes that wait for it, for a hang the position of every process. */
static void add_picture(struct json *json, const struct wait_picture *picture)
{
	if (picture->shape == PICTURE_STATES) {
		add_nodes(json, "states", picture->nodes, picture->count);
		json_open(json, "late", '[');
		for (size_t i = 0; i < picture->count; i++)
			for (size_t j = 0; j < picture->nodes[i].ranks.count; j++)
				if (strcmp(picture->nodes[i].call->note, NOTE_LATE) == 0)
					json_rank_or_null(json, NULL, picture->nodes[i].ranks.items[j].rank);
		json_close(json, ']');
	} else {
		add_nodes(json, "behind", picture->behind, picture->behind_count);
	}
}

static void add_finding(struct json *json, const struct findings *findings,
                        const struct shown_finding *finding)
{
	scoped_text message = {0};
	uint32_t first = 0;

	finding_message(finding, &message);
	json_open(json, NULL, '{');
	json_text(json, "id", finding->info->id);
	json_text(json, "class", finding->info->group);
	json_text(json, "severity", severity_id(finding->info->severity));
	json_text(json, "name", finding->name);
	json_text(json, "message", text_get(&message));
	json_text(json, "why", finding->why);
	json_text(json, "fix", finding->fix);
	json_text(json, "standard", finding->info->standard);
	json_number(json, "times", (int64_t)finding->times);
	json_number(json, "paths", (int64_t)finding->path_count);
	add_ranks(json, "ranks", &finding->ranks);
	/* Of the first of equal findings, like its texts. */
	json_open(json, "values", '{');
	for (uint32_t i = 0; i < finding->instances[0]->value_count; i++)
		json_text(json, finding->instances[0]->values[i].name, finding->instances[0]->values[i].text);
	json_close(json, '}');
	json_open(json, "calls", '[');
	for (size_t i = 0; i < instances_written(finding); i++)
		for (uint32_t j = 0; j < finding->instances[i]->call_count; j++)
			add_call(json, findings, finding, &finding->instances[i]->calls[j]);
	json_close(json, ']');
	/* Positions refer to "calls", where the calls of several instances are consecutive. */
	json_open(json, "waits", '[');
	for (size_t i = 0; i < instances_written(finding); i++) {
		const struct check_finding *instance = finding->instances[i];
		for (uint32_t j = 0; j < instance->wait_count; j++) {
			json_open(json, NULL, '{');
			json_number(json, "from", first + instance->waits[j].from);
			json_number(json, "to", first + instance->waits[j].to);
			json_bool(json, "one_of", instance->waits[j].is_one_of);
			json_text(json, "why", instance->waits[j].why);
			json_close(json, '}');
		}
		first += instance->call_count;
	}
	json_close(json, ']');
	if (finding->picture)
		add_picture(json, finding->picture);
	json_close(json, '}');
}

static const struct json_field suppression_fields[] = {
	JSON_FIELD(suppression, "file", TEXT, file, "file of suppressions"),
	JSON_FIELD(suppression, "line", COUNT32, line, "its line there"),
	JSON_FIELD(suppression, "check", TEXT, check, "pattern of checks"),
	JSON_FIELD(suppression, "place", TEXT, place, "pattern of files or functions"),
	{0},
};

/* For all calls, as in the text. */
static void add_sources(struct json *json, const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		for (size_t j = 0; j < findings->items[i].call_count; j++)
			if (findings->items[i].calls[j].stack.count)
				stack_frame_excerpt(findings, &findings->items[i].calls[j].stack.items[0]);
	source_excerpts_json(findings->excerpts, json, "sources");
}

static void write_json(const struct findings *findings, bool has_sources, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "format", FORMAT_VERSION);
	json_text(&json, "tool", "tarry " TARRY_VERSION);
	json_text(&json, "language", findings->lang);
	json_open(&json, "trust", '{');
	json_bool(&json, "complete", findings->trust.is_complete);
	json_number(&json, "processes", findings->trust.processes);
	json_texts(&json, "reasons", findings->trust.reasons, findings->trust.reason_count);
	json_close(&json, '}');
	json_number(&json, "errors", (int64_t)findings->errors);
	json_number(&json, "warnings", (int64_t)findings->warnings);
	json_number(&json, "returned_errors", (int64_t)findings->notes);
	json_number(&json, "suppressed", (int64_t)findings->suppressed);
	json_open(&json, "unused_suppressions", '[');
	for (size_t i = 0; findings->options.suppressions && i < findings->options.suppressions->list.count;
	     i++) {
		const struct suppression *line = &findings->options.suppressions->list.items[i];
		if (line->used)
			continue;
		json_record(&json, NULL, suppression_fields, line);
	}
	json_close(&json, ']');
	json_texts(&json, "notes", findings->run->notes.items, findings->run->notes.count);
	json_open(&json, "findings", '[');
	for (size_t i = 0; i < findings->count; i++)
		add_finding(&json, findings, &findings->items[i]);
	json_close(&json, ']');
	if (has_sources)
		add_sources(&json, findings);
	json_close(&json, '}');
}

void findings_json(const struct findings *findings, struct text *out)
{
	write_json(findings, false, out);
}

void findings_page_json(const struct findings *findings, struct text *out)
{
	write_json(findings, true, out);
}

/* The page of a checked run: its findings as JSON, with the modules that show them. */
void findings_html(const struct findings *findings, struct text *out)
{
	scoped_text json = {0};
	const struct page_part parts[] = {{"check", &json}};
	const struct page page = {.title = "tarry check",
	                          .lang = findings->lang,
	                          .view = "check",
	                          .parts = parts,
	                          .part_count = sizeof parts / sizeof *parts};

	findings_page_json(findings, &json);
	page_write(&page, out);
}
