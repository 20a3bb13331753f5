#include "analysis/model/recorded_part.h"

#include <string.h>

static void add_rule(struct recorded_part *part, struct arena *arena, const char *rule)
{
	for (size_t i = 0; i < part->rule_count; i++)
		if (strcmp(part->rules[i], rule) == 0)
			return;
	arena_add(arena, part->rules, part->rule_count, rule);
}

static void add_rules(struct recorded_part *part, struct arena *arena, const struct process *process)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0)
			add_rule(part, arena, process->properties[i].value);
}

static bool pauses(const struct process *process)
{
	for (size_t i = 0; i < process->stream_count; i++)
		if (process->streams[i].pause_count)
			return true;
	return false;
}

struct recorded_part recorded_part_of(const struct reader *reader, struct arena *arena)
{
	struct recorded_part part = {0};
	bool came = false;

	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		const char *never = process_property(process, "never_came");
		add_rules(&part, arena, process);
		part.has_pauses |= pauses(process);
		came |= !never;
		part.never_came = part.never_came ? part.never_came : never;
		part.seen = part.seen ? part.seen : process_property(process, "seen");
	}
	if (came || !part.never_came)
		part.never_came = part.seen = NULL;
	return part;
}

static int64_t overlap(int64_t from, int64_t to, int64_t first, int64_t last)
{
	first = first > from ? first : from;
	last = last < to ? last : to;
	return last > first ? last - first : 0;
}

/* Nothing follows what was lost. */
static int64_t end_of_recording(const struct clocks *clocks, uint32_t process, const struct stream *stream,
                                int64_t to)
{
	for (size_t i = 0; i < stream->blind_count; i++) {
		int64_t lost = clocks_ns(clocks, process, stream->blinds[i].tick);
		to = lost < to ? lost : to;
	}
	return to;
}

int64_t paused_ns(const struct clocks *clocks, uint32_t process, const struct stream *stream, int64_t from,
                  int64_t to)
{
	int64_t end = end_of_recording(clocks, process, stream, to), since = 0;
	int64_t ns = overlap(from, to, end, to);
	bool is_paused = false;

	for (size_t i = 0; i < stream->pause_count; i++) {
		int64_t at = clocks_ns(clocks, process, stream->pauses[i].tick);
		if (is_paused && stream->pauses[i].resumes)
			ns += overlap(from, end, since, at);
		if (!is_paused)
			since = at;
		is_paused = !stream->pauses[i].resumes;
	}
	return is_paused ? ns + overlap(from, end, since, end) : ns;
}
