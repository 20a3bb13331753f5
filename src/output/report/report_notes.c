/* What a reader of the findings should know about them: what the trace lacks, and what was corrected. */
#include "output/report/parts.h"
#include "output/report/phrases.h"

#include <inttypes.h>
#include <string.h>

/* Also on an idle machine processes wait a little when they are woken. */
#define DELAY_NOTED 0.01

static void add_note(struct report *report, bool is_warning, const char *text)
{
	arena_add(&report->arena, report->notes, report->note_count, (struct report_note){text, is_warning});
}

static const struct language *language(const struct report *report)
{
	return language_of(report->analysis->lang, report->paradigm);
}

/* A sentence with values filled in. */
static void note_phrase(struct report *report, enum wording wording, const char *const *values)
{
	bool is_warning = wording >= NOTE_CPU_UNKNOWN && wording <= NOTE_CPU_SHARED;
	struct text text = {0};

	add_filled_phrase(&text, language(report), wording, values);
	add_note(report, is_warning, arena_text(&report->arena, text_get(&text)));
	text_release(&text);
}

/* A sentence of a count and what it counts; none if the count is 0. */
static void note_count(struct report *report, uint64_t count, enum noun noun)
{
	struct text text = {0};

	if (count) {
		add_counted(&text, language(report), count, noun);
		add_note(report, false, arena_text(&report->arena, text_get(&text)));
	}
	text_release(&text);
}

/* Processes that the worlds of this trace have, as far as the trace states it. */
static uint64_t processes_of_worlds(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		bool is_first = !i || process[-1].world != process->world;
		if (is_first && process->has_size)
			count += process->size;
	}
	return count;
}

static void note_missing(struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	uint64_t expected = processes_of_worlds(reader);

	if (reader->is_parts)
		note_phrase(report, NOTE_PARTS, NULL);
	if (expected > reader->process_count)
		note_phrase(report, NOTE_OTHERS_MISSING,
		            (const char *[]){arena_format(&report->arena, "%zu", reader->process_count),
		                             arena_format(&report->arena, "%" PRIu64, expected)});
}

static bool has_lost_events(const struct process *process)
{
	bool has_lost = process->blind_count;

	for (size_t i = 0; i < process->stream_count; i++)
		has_lost = has_lost || process->streams[i].blind_count;
	return has_lost;
}

static void note_lost(struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		count += has_lost_events(&reader->processes[i]);
	note_count(report, count, NOTED_LOST);
}

static bool is_unfinished(const struct process *process)
{
	bool has_begun = process_calls(process, "MPI_Init") || process_calls(process, "MPI_Init_thread");

	if (is_upc_thread(process))
		return !process_calls(process, "upc_exit") && !process_calls(process, "upc_global_exit") &&
		       !process_property(process, "selection");
	return has_begun && !process_calls(process, "MPI_Finalize");
}

/* Of parts, NOTE_PARTS says it. */
static void note_unfinished(struct report *report)
{
	const struct reader *reader = report->analysis->reader;

	for (size_t i = 0; i < reader->process_count; i++)
		report->unfinished += is_unfinished(&reader->processes[i]);
	if (!reader->is_parts)
		note_count(report, report->unfinished, NOTED_UNFINISHED);
}

/* It is the same for all processes. */
static void note_selection(struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	const char *selection = NULL;

	for (size_t i = 0; i < reader->process_count && !selection; i++)
		selection = process_property(&reader->processes[i], "selection");
	if (selection)
		note_phrase(report, NOTE_SELECTION, &selection);
}

static bool was_traced(const struct process *process, const char *function)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "traced") == 0 &&
		    strcmp(process->properties[i].value, function) == 0)
			return true;
	return process_calls(process, function);
}

static bool was_traced_at_all(const struct reader *reader, const char *function)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (was_traced(&reader->processes[i], function))
			return true;
	return false;
}

/* Without this note, no finding would look like no problem. */
static void note_untraced(struct report *report)
{
	const struct rulebook *book = report->analysis->book;

	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		if (type->prototype &&
		    !was_traced_at_all(report->analysis->reader, type->prototype->function))
			note_phrase(report, NOTE_UNTRACED,
			            (const char *[]){type->prototype->function, type->name});
	}
}

static void note_order(struct report *report)
{
	const struct corrected_time *time = report->analysis->time;

	if (!time)
		return;
	note_count(report, time->before.messages + time->before.collectives, NOTED_ORDER);
}

/* Scheduling delays are excluded from the findings: say so. */
static void note_delays(struct report *report)
{
	const struct analysis *analysis = report->analysis;
	struct crowding crowding = analysis->crowding;
	double share = share_of_run(report,
	                            analysis->delays ? propagated_delays_scheduling_ns(analysis->delays) : 0);
	struct text processes = {0}, cores = {0};

	if (share < DELAY_NOTED)
		return;
	add_counted(&processes, language(report),
	            crowding.cores ? crowding.processes : analysis->reader->process_count, NOUN_PROCESS);
	add_counted(&cores, language(report), crowding.cores, NOUN_CORE);
	note_phrase(report,
	            !crowding.cores                       ? NOTE_CPU_UNKNOWN
	            : crowding.processes > crowding.cores ? NOTE_CPU_CROWDED
	                                                  : NOTE_CPU_SHARED,
	            (const char *[]){text_get(&processes), text_get(&cores),
	                             arena_format(&report->arena, "%.0f %%", 100 * share)});
	text_release(&processes);
	text_release(&cores);
}

static void note_counts(struct report *report)
{
	const struct replay_counts *counts = &report->analysis->counts;
	const struct {
		uint64_t count;
		enum noun noun;
	} kinds[] = {
		{counts->unmatched_sends, NOTED_SENDS},
		{counts->unmatched_receives, NOTED_RECEIVES},
		{counts->incomplete_collectives, NOTED_INCOMPLETE},
		{counts->mixed_collectives, NOTED_MIXED},
		{counts->forced, NOTED_FORCED},
		{counts->passed_over, NOTED_SKIPPED},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note_count(report, kinds[i].count, kinds[i].noun);
}

void collect_notes(struct report *report)
{
	note_missing(report);
	note_lost(report);
	note_unfinished(report);
	note_selection(report);
	note_untraced(report);
	note_order(report);
	note_delays(report);
	note_counts(report);
	for (size_t i = 0; i < report->analysis->note_count; i++)
		add_note(report, false, report->analysis->notes[i]);
}
