#include "output/findings/call_paths.h"

#include "base/map.h"
#include "output/findings/rank_list.h"

#include <inttypes.h>
#include <string.h>

/* What people see of a call but for its callers. */
static const char *line_key(struct findings *findings, const struct shown_call *call)
{
	const struct stack_frame *frame = call->stack.count ? &call->stack.items[0] : NULL;

	if (!frame)
		return arena_format(&findings->arena, "%" PRIu32 " %s\n", call->first->function,
		                    call->first->note);
	if (frame->file)
		return arena_format(&findings->arena, "%" PRIu32 " %s %s:%d\n", call->first->function,
		                    call->first->note, frame->file, frame->line);
	return arena_format(&findings->arena, "%" PRIu32 " %s %s+%" PRIx64 "\n", call->first->function,
	                    call->first->note, frame->module ? frame->module : "", frame->offset);
}

/* Of deadlocks, each has a picture of its own. */
static const char *group_key(struct findings *findings, struct shown_finding *shown)
{
	const bool is_drawn = shown->instances[0]->wait_count > 0;
	struct text key = {0};
	const char *result;

	text_add(&key, "%d\n", (int)shown->check);
	for (size_t i = 0; i < shown->call_count; i++) {
		shown->calls[i].line_key = is_drawn ? shown->calls[i].path_key
		                                    : line_key(findings, &shown->calls[i]);
		if (!strstr(text_get(&key), shown->calls[i].line_key))
			text_add(&key, "%s", shown->calls[i].line_key);
	}
	result = arena_text(&findings->arena, text_get(&key));
	text_release(&key);
	return result;
}

static void add_ranks(struct findings *findings, struct finding_ranks *to, const struct finding_ranks *from)
{
	for (size_t i = 0; i < from->count; i++)
		arena_add(&findings->arena, to->items, to->count, from->items[i]);
	rank_list_sort(to);
}

/* The call that people see for this line. There is one: the finding has the same key. */
static struct shown_call *find_line(struct shown_finding *shown, const char *key)
{
	struct shown_call *call = shown->calls;

	while (call->is_other_path || strcmp(call->line_key, key) != 0)
		call++;
	return call;
}

static struct shown_call *find_path(struct shown_finding *shown, const char *key)
{
	for (size_t i = 0; i < shown->call_count; i++)
		if (strcmp(shown->calls[i].path_key, key) == 0)
			return &shown->calls[i];
	return NULL;
}

static void merge(struct findings *findings, struct shown_finding *to, const struct shown_finding *from)
{
	const struct check_finding *moved;

	to->times += from->times;
	add_ranks(findings, &to->ranks, &from->ranks);
	for (size_t i = 0; i < from->call_count; i++) {
		const struct shown_call *call = &from->calls[i];
		struct shown_call *same = find_path(to, call->path_key), *line;

		if (same) {
			add_ranks(findings, &same->ranks, &call->ranks);
		} else {
			struct shown_call other = *call;

			other.is_other_path = true;
			arena_add(&findings->arena, to->calls, to->call_count, other);
		}
		line = find_line(to, call->line_key);
		line->other_paths += !same;
		line->arguments_vary |= call->arguments_vary ||
		                        strcmp(line->first->arguments, call->first->arguments) != 0;
		if (line != same)
			add_ranks(findings, &line->ranks, &call->ranks);
	}
	/* The first instances of all paths come before others, so that a shortened list still shows each path. */
	moved = from->instances[0];
	for (size_t i = 0; i < from->instance_count; i++)
		arena_add(&findings->arena, to->instances, to->instance_count, from->instances[i]);
	to->instances[to->instance_count - from->instance_count] = to->instances[to->path_count];
	to->instances[to->path_count++] = moved;
}

void call_paths_group(struct findings *findings)
{
	struct text_map known = {0};
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		struct shown_finding *shown = &findings->items[i];
		const uint32_t number = text_map_number(&known, group_key(findings, shown));

		shown->path_count = 1;
		if (number == kept)
			findings->items[kept++] = *shown;
		else
			merge(findings, &findings->items[number], shown);
	}
	text_map_release(&known);
	findings->count = kept;
}
