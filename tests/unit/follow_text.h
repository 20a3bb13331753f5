/* Feeds the calls of a trace to a follower, one process after the other, and keeps its rows as lines. The
 * order of the processes must make no difference. */
#ifndef TARRY_TESTS_FOLLOW_TEXT_H
#define TARRY_TESTS_FOLLOW_TEXT_H

#include "analysis/model/follower.h"

#include "from_text.h"

/* RANK:FUNCTION@START-END */
static inline void add_call(struct text *out, const char *name, const struct occurrence *call)
{
	text_add(out, " %s=%u:%s@%lld-%lld", name, call->semantics->process,
	         call->semantics->call->outline->name + 4, (long long)call->start, (long long)call->end);
}

static inline int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in the order of the alphabet, as rows have no order. */
static inline void sort_lines(struct text *text)
{
	const char *lines[64];
	struct text sorted = {0};
	size_t count = 0;

	for (char *at = text->bytes; at && *at; at += strlen(at) + 1) {
		assert_true(count < sizeof lines / sizeof *lines);
		lines[count++] = at;
		*strchr(at, '\n') = '\0';
	}
	qsort(lines, count, sizeof *lines, by_text);
	for (size_t i = 0; i < count; i++)
		text_add(&sorted, "%s\n", lines[i]);
	text_release(text);
	*text = sorted;
}

/* A follower gets each call of a process that it wants; ticks are taken for times. */
static inline void each_call(struct reader *reader, const struct comm_table *comms, struct arena *arena,
                             uint32_t process, const struct follower *follower, void *self)
{
	struct semantics_table semantics_table = {.arena = arena};
	struct event_iter iter;
	struct event event;

	for (size_t i = 0; i < reader->processes[process].stream_count; i++) {
		struct stream *stream = &reader->processes[process].streams[i];
		reader_events(reader, stream, &iter);
		while (reader_next(&iter, &event)) {
			struct occurrence call = {
				.semantics = semantics_of(&semantics_table, comms, process, event.call),
				.start = (int64_t)event.start,
				.end = (int64_t)event.end,
				.thread = stream->number};
			if (follower->wants(self, call.semantics))
				follower->call(self, &call, &event);
		}
	}
	semantics_release(&semantics_table);
}

#endif
