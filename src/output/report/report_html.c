#include "base/source_excerpts.h"
#include "output/report/parts.h"
#include "output/timeline/timeline.h"
#include "page/page.h"

#include <stdlib.h>

/* Lines of the program's source around the calls of a report. */

enum { LINES_AROUND = 6 };

static void write_sources(const struct report *report, struct text *out)
{
	struct source_excerpts excerpts = {.files = report->page.sources, .around = LINES_AROUND};
	struct json json = {.out = out};

	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];

		source_excerpt_get(&excerpts, entry->at.where.file, entry->at.where.line);
		for (size_t j = 0; j < entry->partner_count; j++)
			source_excerpt_get(&excerpts, entry->partners[j].at.where.file,
			                   entry->partners[j].at.where.line);
		if (entry->cause_count) {
			const struct report_cause *cause = &entry->causes[0];

			source_excerpt_get(&excerpts, cause->from.where.file, cause->from.where.line);
			source_excerpt_get(&excerpts, cause->to.where.file, cause->to.where.line);
		}
	}
	source_excerpts_json(&excerpts, &json, NULL);
	source_excerpts_release(&excerpts);
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

/* From the first start of a process to the last end, since the start of the timeline. */
static struct time_span run_of(const struct run_spans *run, int64_t start_ns)
{
	struct time_span span = {INT64_MAX, INT64_MIN};

	for (uint32_t i = 0; i < run->process_count; i++) {
		const struct process_span *process = &run->processes[i];

		if (process->start >= process->end)
			continue;
		span.from = process->start < span.from ? process->start : span.from;
		span.to = process->end > span.to ? process->end : span.to;
	}
	return span.from < span.to ? (struct time_span){span.from - start_ns, span.to - start_ns}
	                           : (struct time_span){0};
}

struct timeline *report_timeline(const struct report *report, uint64_t calls_most,
                                 const struct time_span *window)
{
	const struct analysis *analysis = report->analysis;
	const struct run_spans *windows = analysis->run;
	struct time_span *spans = calloc(report->shown + 1, sizeof *spans);
	struct timeline_options options = {
		.session = analysis->session,
		.source = report->source,
		.path = report->path ? report->path->path : NULL,
		.iteration = analysis->figures ? &analysis->figures->iteration : NULL,
		.start_ns = analysis->counts.start_ns,
		.length_ns = windows->first_ns + windows->elapsed_ns - analysis->counts.start_ns,
		.events = analysis->counts.events,
		.calls_most = calls_most,
		.embeds_all = report->page.embeds_all,
		.fills = !window && !calls_most,
		.spans = spans};
	struct timeline *timeline;

	options.run = run_of(windows, analysis->counts.start_ns);
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
