#include "analysis/model/recorded_part.h"

#include "analysis/model/spans.h"

#include <string.h>

static void add_rule(struct recorded_part *part, struct arena *arena, const char *rule)
{
	for (size_t i = 0; i < part->rule_count; i++)
		if (strcmp(part->rules[i], rule) == 0)
			return;
	arena_add(arena, part->rules, part->rule_count, rule);
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
		for (size_t j = 0; j < process->property_count; j++)
			if (strcmp(process->properties[j].key, "selection") == 0)
				add_rule(&part, arena, process->properties[j].value);
		part.has_pauses |= pauses(process);
		came |= !never;
		part.never_came = part.never_came ? part.never_came : never;
		part.seen = part.seen ? part.seen : process_property(process, "seen");
	}
	if (came || !part.never_came)
		part.never_came = part.seen = NULL;
	return part;
}

int64_t paused_between(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                       int64_t from, int64_t to, size_t *next)
{
	int64_t paused = 0;
	size_t i = *next;

	while (i < stream->pause_count) {
		int64_t begin, end = INT64_MAX;
		size_t after = i;
		if (stream->pauses[i].resumes) {
			i++;
			continue;
		}
		begin = corrected_ns(time, process, stream->pauses[i].tick);
		while (after < stream->pause_count && !stream->pauses[after].resumes)
			after++;
		if (after < stream->pause_count)
			end = corrected_ns(time, process, stream->pauses[after].tick);
		if (begin >= to)
			break;
		paused = saturating_add(paused,
		                        interval_ns(begin > from ? begin : from, end < to ? end : to));
		if (end > to)
			break;
		i = *next = after;
	}
	return paused;
}

int64_t paused_before(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                      uint64_t tick, int64_t length_ns, size_t *next)
{
	int64_t end;

	if (!stream->pause_count)
		return 0;
	end = corrected_ns(time, process, tick);
	return paused_between(stream, time, process, end - length_ns, end, next);
}

bool has_only_sums(const struct reader *reader)
{
	return reader->process_count && process_property(&reader->processes[0], "summary");
}

uint64_t summed_calls(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++) {
			const struct stream *stream = &reader->processes[i].streams[j];
			for (size_t k = 0; k < stream->summed_count; k++)
				count += stream->summed[k].sums.count;
		}
	return count;
}
