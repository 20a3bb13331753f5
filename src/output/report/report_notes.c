/* What a reader of the findings should know about them: what the trace lacks, and what was mended. */
#include "output/report/parts.h"
#include "output/report/phrases.h"
#include "trace/grow.h"

#include <inttypes.h>
#include <string.h>

/* On a calm machine processes wait a little too, when they are woken. */
#define STOLEN_TOLD 0.01

static void add_note(struct report *report, const char *note)
{
	report->notes = arena_grown(&report->arena, report->notes, report->note_count, sizeof *report->notes);
	report->notes[report->note_count++] = note;
}

static const char *words(const struct report *report, enum wording number)
{
	return language_phrase(language_of(report->analysis->lang, report->paradigm), number);
}

/* A sentence of a count and what it counts; none if the count is 0. */
static void note_count(struct report *report, uint64_t count, enum noun noun)
{
	struct text text = {0};

	if (count) {
		add_counted(&text, language_of(report->analysis->lang, report->paradigm), count, noun);
		add_note(report, arena_text(&report->arena, text_get(&text)));
	}
	text_release(&text);
}

/* Processes that the worlds of this trace have, as far as they tell. */
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
		add_note(report, words(report, NOTE_PARTS));
	if (expected > reader->process_count)
		add_note(report,
		         arena_format(&report->arena, "%s%zu%s%" PRIu64 "%s", words(report, NOTE_ONLY),
		                      reader->process_count, words(report, NOTE_OF), expected,
		                      words(report, NOTE_OTHERS_MISSING)));
}

static bool is_blind(const struct process *process)
{
	bool blind = process->blind_count;

	for (size_t i = 0; i < process->stream_count; i++)
		blind = blind || process->streams[i].blind_count;
	return blind;
}

static void note_blind(struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		count += is_blind(&reader->processes[i]);
	note_count(report, count, NOTED_BLIND);
}

static bool is_unfinished(const struct process *process)
{
	bool has_begun = process_calls(process, "MPI_Init") || process_calls(process, "MPI_Init_thread");

	if (is_upc_thread(process))
		return !process_calls(process, "upc_exit") && !process_calls(process, "upc_global_exit") &&
		       !process_property(process, "selection");
	return has_begun && !process_calls(process, "MPI_Finalize");
}

/* Of parts that was said already. */
static void note_unfinished(struct report *report)
{
	const struct reader *reader = report->analysis->reader;

	for (size_t i = 0; i < reader->process_count; i++)
		report->unfinished += is_unfinished(&reader->processes[i]);
	if (!reader->is_parts)
		note_count(report, report->unfinished, NOTED_UNFINISHED);
}

/* All processes were told the same: the first that knows speaks for all. */
static void note_selection(struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	const char *selection = NULL;

	for (size_t i = 0; i < reader->process_count && !selection; i++)
		selection = process_property(&reader->processes[i], "selection");
	if (selection)
		add_note(report, arena_format(&report->arena, "%s%s%s", words(report, NOTE_SELECTION),
		                              selection, words(report, NOTE_SELECTION_REST)));
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

/* That nothing is found of them must not look as if nothing had been there. */
static void note_untraced(struct report *report)
{
	const struct rulebook *book = report->analysis->book;

	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		if (type->prototype &&
		    !was_traced_at_all(report->analysis->reader, type->prototype->function))
			add_note(report, arena_format(&report->arena, "'%s'%s'%s'%s",
			                              type->prototype->function, words(report, NOTE_UNTRACED),
			                              type->name, words(report, NOTE_UNTRACED_REST)));
	}
}

static void note_order(struct report *report)
{
	const struct corrected_time *time = report->analysis->time;

	if (!time)
		return;
	note_count(report, time->before.messages + time->before.collectives, NOTED_ORDER);
}

/* Not known how many cores there are: by far the most frequent reason is too few of them. */
static bool is_crowded(struct crowding crowding)
{
	return !crowding.cores || crowding.processes > crowding.cores;
}

/* What was left out of the findings, so that nobody misses it. */
static void note_stolen(struct report *report)
{
	const struct analysis *analysis = report->analysis;
	int64_t stolen = analysis->lags ? lags_stolen_ns(analysis->lags) : 0;
	double share = share_of_run(report, stolen);
	struct text text = {0};

	if (share < STOLEN_TOLD)
		return;
	text_add(&text, "%s%.0f %%%s", words(report, NOTE_STOLEN), 100 * share,
	         words(report, NOTE_STOLEN_SHARE));
	if (analysis->crowding.cores) {
		text_add(&text, ", %" PRIu32 "%s", analysis->crowding.processes,
		         words(report, NOTE_STOLEN_OF_THEM));
		add_counted(&text, language_of(analysis->lang, report->paradigm), analysis->crowding.cores,
		            NOUN_CORE);
	}
	text_add(&text, "%s%s", words(report, NOTE_STOLEN_LEFT_OUT),
	         words(report, is_crowded(analysis->crowding) ? NOTE_STOLEN_CROWDED : NOTE_STOLEN_SHARED));
	add_note(report, arena_text(&report->arena, text_get(&text)));
	text_release(&text);
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
		{counts->incomplete_meetings, NOTED_INCOMPLETE},
		{counts->mixed_meetings, NOTED_MIXED},
		{counts->forced, NOTED_FORCED},
		{counts->passed_over, NOTED_PASSED_OVER},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note_count(report, kinds[i].count, kinds[i].noun);
}

void collect_notes(struct report *report)
{
	note_missing(report);
	note_blind(report);
	note_unfinished(report);
	note_selection(report);
	note_untraced(report);
	note_order(report);
	note_stolen(report);
	note_counts(report);
	for (size_t i = 0; i < report->analysis->note_count; i++)
		add_note(report, report->analysis->notes[i]);
}
