#include "base/array.h"
#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/source_files.h"
#include "output/report/parts.h"
#include "output/timeline/timeline.h"
#include "page/page.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of the program's source around the calls of a report, as far as base/source_files.h may read them. */

/* Lines before and after a call, and letters of a line. */
enum { AROUND = 6, LETTERS = 240 };

struct excerpt {
	const char *file;
	int line, first;
	ARRAY(const char *) lines;
};

struct source_lines {
	struct arena arena;
	struct source_files *files;
	ARRAY(struct excerpt) excerpts;
};

static void read_lines(struct arena *arena, struct excerpt *excerpt, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	for (int number = 1; number <= excerpt->line + AROUND && (length = getline(&line, &room, file)) >= 0;
	     number++) {
		if (number < excerpt->first)
			continue;
		while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			length--;
		array_add(&excerpt->lines,
		          arena_bytes_as_text(arena, line, (size_t)(length > LETTERS ? LETTERS : length)));
	}
	free(line);
}

/* Once for each place; what cannot be read is left out. */
static void add_source_of(struct source_lines *sources, const struct call_place *place)
{
	const char *file = place->where.file;
	int line = place->where.line;
	struct excerpt excerpt = {.line = line, .first = line > AROUND ? line - AROUND : 1};
	FILE *opened;

	for (size_t i = 0; file && i < sources->excerpts.count; i++)
		if (sources->excerpts.items[i].line == line &&
		    strcmp(sources->excerpts.items[i].file, file) == 0)
			return;
	if (!file || line < 1 || line > INT_MAX - AROUND || !sources->files)
		return;
	opened = source_files_open(sources->files, file);
	if (!opened)
		return;
	excerpt.file = arena_text(&sources->arena, file);
	read_lines(&sources->arena, &excerpt, opened);
	fclose(opened);
	array_add(&sources->excerpts, excerpt);
}

/* A list of objects with `file`, `line`, `first` and `lines`. */
static void write_sources(const struct report *report, struct text *out)
{
	struct source_lines sources = {.files = report->page.sources};
	struct json json = {.out = out};

	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];

		add_source_of(&sources, &entry->at);
		for (size_t j = 0; j < entry->partner_count; j++)
			add_source_of(&sources, &entry->partners[j].at);
	}
	json_open(&json, NULL, '[');
	for (size_t i = 0; i < sources.excerpts.count; i++) {
		struct excerpt *excerpt = &sources.excerpts.items[i];

		json_open(&json, NULL, '{');
		json_text(&json, "file", excerpt->file);
		json_number(&json, "line", excerpt->line);
		json_number(&json, "first", excerpt->first);
		json_texts(&json, "lines", excerpt->lines.items, excerpt->lines.count);
		json_close(&json, '}');
		array_release(&excerpt->lines);
	}
	json_close(&json, ']');
	array_release(&sources.excerpts);
	arena_release(&sources.arena);
}

/* The timeline */

/* The longest instance of a finding, with as much around it. */
static struct time_span span_of(const struct finding *worst)
{
	struct time_span span = {worst->at.start, worst->at.end};
	int64_t around = worst->at.end - worst->at.start + 1000;

	for (uint32_t i = 0; i < worst->action_count; i++) {
		if (worst->actions[i].start < span.from)
			span.from = worst->actions[i].start;
		if (worst->actions[i].end > span.to)
			span.to = worst->actions[i].end;
	}
	return (struct time_span){span.from - around, span.to + around};
}

struct timeline *report_timeline(const struct report *report, uint64_t calls_most,
                                 const struct time_span *window)
{
	const struct analysis *analysis = report->analysis;
	const struct run_spans *windows = analysis->run;
	struct time_span *spans = calloc(report->shown + 1, sizeof *spans);
	struct timeline_options options = {.session = analysis->session,
	                                   .source = report->source,
	                                   .path = report->path ? report->path->path : NULL,
	                                   .start_ns = analysis->counts.start_ns,
	                                   .length_ns = windows->first_ns + windows->elapsed_ns -
	                                                analysis->counts.start_ns,
	                                   .events = analysis->counts.events,
	                                   .calls_most = calls_most,
	                                   .embeds_all = report->page.embeds_all,
	                                   .spans = spans};
	struct timeline *timeline;

	for (size_t i = 0; spans && !window && i < report->shown; i++)
		spans[options.span_count++] = span_of(report->entries[i].worst);
	if (spans && window)
		spans[options.span_count++] = *window;
	timeline = timeline_new(&options);
	free(spans);
	return timeline;
}

/* Parts of a page, each a JSON text. */
enum { PART_REPORT, PART_COMMUNICATION, PART_SOURCES, PART_TIMELINE, PART_SERVED, PART_CHECK, PARTS_END };

static const char *const part_ids[PARTS_END] = {"report",   "communication", "sources",
                                                "timeline", "served",        "check"};

static void write_page(struct report *report, const struct timeline *timeline, bool is_served,
                       struct text *out)
{
	struct text texts[PARTS_END] = {0};
	struct page_part parts[PARTS_END];
	struct page page = {.title = report->analysis->reader->path,
	                    .lang = report->analysis->lang,
	                    .view = "report",
	                    .parts = parts};

	report_page_json(report, &texts[PART_REPORT]);
	if (report->profile)
		communication_json(report, &texts[PART_COMMUNICATION]);
	write_sources(report, &texts[PART_SOURCES]);
	timeline_json(timeline, &texts[PART_TIMELINE]);
	if (is_served)
		text_add(&texts[PART_SERVED], "true");
	if (report->page.check)
		text_add_bytes(&texts[PART_CHECK], report->page.check->bytes, report->page.check->length);
	for (int i = 0; i < PARTS_END; i++)
		if (texts[i].length)
			parts[page.part_count++] = (struct page_part){part_ids[i], &texts[i]};
	page_write(&page, out);
	for (int i = 0; i < PARTS_END; i++)
		text_release(&texts[i]);
}

void report_html(struct report *report, struct text *out)
{
	struct timeline *timeline = report_timeline(report, 0, NULL);

	write_page(report, timeline, false, out);
	timeline_free(timeline);
}

void report_served_page(struct report *report, const struct timeline *timeline, struct text *out)
{
	write_page(report, timeline, true, out);
}
